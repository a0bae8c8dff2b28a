/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a night does next, from its journal and from where it wakes up. Pure.
 *
 * A night boots a reference kernel and tonight's, one after the other, in
 * randomised blocks (boots/plan.h): each boot is started from the machine's
 * default kernel, measures one arm, and returns to the default kernel by a
 * reset. Events of the journal, and their texts:
 *
 *	night     ID SEED BLOCKS BOOTS_MAX BUDGET_S   first, and only there
 *	intent    BOOT BOOT_ID      about to jump; the id of the kernel it jumps from
 *	arrived   BOOT BOOT_ID      the arm's kernel runs, and is the right one
 *	measured  BOOT              the result is on the disk
 *	failed    BOOT REASON       no result; twice for one arm and it is skipped
 *	done      WORDS             or
 *	aborted   WORDS             last
 */
#ifndef NIGHTS_NIGHT_H
#define NIGHTS_NIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "boots/plan.h"
#include "nights/logbook.h"

#define NIGHT_STRIKES 2
#define NIGHT_BLOCKS_MAX 1000

extern const char *const night_arm_names[]; /* by enum arm: "reference", "tonight" */

struct night {
	char *id;
	uint64_t seed, budget_s, started_s;
	unsigned int n_blocks, boots_max;
	struct plan plan; /* of one step each */

	/* Folded from the journal. */
	bool *measured; /* by index of the plan */
	unsigned int strikes[2];
	unsigned int n_jumps;
	int pending;           /* index of the boot that was intended last; -1: none */
	char *pending_boot_id; /* of the kernel that meant to jump */
	bool arrived;          /* in the pending one */
	bool ended;            /* done or aborted */
};

/* -ENODATA: no night in the journal; -EBADMSG: a record that cannot be; named. */
int night_fold(const struct logbook *j, struct night *ret, struct err *err);
void night_clear(struct night *n);

/* Where the program is running. */
struct night_here {
	const char *boot_id;  /* /proc/sys/kernel/random/boot_id */
	const char *night_id; /* of the command line; NULL: the default kernel */
	enum arm arm;         /* of the command line, where night_id is not NULL */
	const char *wrong;    /* why this is not that arm's kernel after all; or NULL */
	uint64_t now_s;       /* CLOCK_REALTIME */
};

enum night_action {
	NIGHT_NOTHING, /* no night, or it has ended */
	NIGHT_JUMP,    /* note the intent, and boot the arm of boot */
	NIGHT_MEASURE, /* note the arrival, and measure */
	NIGHT_FAIL,    /* note that boot failed, with the reason; then ask again */
	NIGHT_RETURN,  /* reset to the default kernel */
	NIGHT_FINISH,  /* nothing more to boot: collect, decide, note the end */
};

struct night_next {
	enum night_action action;
	int boot;         /* index of the plan */
	char reason[256]; /* of NIGHT_FAIL, and of NIGHT_FINISH before all is done */
};

void night_decide(
	const struct night *n, const struct night_here *here, struct night_next *ret);

/* Whether an arm has had its strikes. */
bool night_is_skipped(const struct night *n, enum arm arm);

#endif
