/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A night on this machine: its folder, its journal, and each step of it.
 *
 *	STATE/machine          the machine's file, as it was when the night began
 *	STATE/journal          of this night
 *	STATE/journal-ID       of an earlier one
 *	STATE/boots/NNN.json   what a boot measured
 *	STATE/apart/NAME/      results of a night that is not one of the history
 */
#ifndef NIGHTS_SESSION_H
#define NIGHTS_SESSION_H

#include <signal.h>

#include "nights/images.h"
#include "nights/night.h"

struct night_session {
	struct machine_file machine;
	struct logbook journal;
	char *journal_path;
	int lock; /* of the folder */
	const volatile sig_atomic_t *stop;
	/* Told of each event once it is in the journal; for people. */
	void (*noted)(void *arg, const char *event, const char *text);
	void *arg;
};

/*
 * Opens the folder of m's state, and locks it. m is taken over, also on
 * failure. -EBUSY: another process has it.
 */
int night_open(struct machine_file *m, struct night_session *ret, struct err *err);
/* Likewise, with the machine's file that the night there began with. */
int night_reopen(const char *state, struct night_session *ret, struct err *err);
void night_close(struct night_session *s);

/*
 * Begins a night. id is its date, as 2026-11-30, with NIGHT_CONFIRM after it
 * for the second run of a night that was suspect, or with -NAME for one that
 * stays apart from the history. machine_path NULL: as the
 * night before. -EBUSY: one is under way; -EEXIST: it has been measured; -EINVAL:
 * the watchdog would not outlive the jump. night_check_begin() looks for the first two,
 * before anything is built.
 */
#define NIGHT_DATE_CHARS 10
#define NIGHT_CONFIRM "-confirm"
int night_check_begin(struct night_session *s, const char *id, struct err *err);
int night_begin(struct night_session *s, const char *machine_path, const char *id,
	uint64_t seed, struct err *err);

/* The NAME of a night that stays apart, from its id; or NULL. */
const char *night_name_apart(const char *id);
/* -EINVAL: a name of other characters than letters, digits, . _ -, or too long a one. */
#define NIGHT_NAME_CHARS_MAX 40
int night_check_name(const char *name, struct err *err);

/* Where the result of a boot is, and of an arm in the end; freed by the caller. */
char *night_boot_path(const struct machine_file *m, unsigned int boot);
char *night_result_path(const struct machine_file *m, const char *id, enum arm arm);

/*
 * Goes on until this machine is about to be reset (ret_next->action
 * NIGHT_JUMP or NIGHT_RETURN), or there is nothing left but to collect
 * (NIGHT_FINISH), or nothing at all (NIGHT_NOTHING).
 */
int night_go_on(struct night_session *s, struct night_next *ret_next, struct err *err);

int night_note(
	struct night_session *s, const char *event, const char *text, struct err *err);

/* Writes the results of both arms. -ENODATA: an arm has none. */
int night_collect(struct night_session *s, struct err *err);

#endif
