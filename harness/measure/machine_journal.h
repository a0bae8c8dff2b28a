/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of machine.c: what was changed on the machine, and what was
 * there before. Text, one line for each change, in the order of the changes:
 *
 *	boot TAB boot_id                    (first line)
 *	KIND TAB target TAB old TAB new     (tabs, newlines and \ within as \t \n \\)
 *
 * A line is on the disk before its change is made. So a last line without a
 * newline belongs to a change that never was, and any change may turn out not
 * to have been made. After a reboot nothing of it is true any more.
 */
#ifndef MEASURE_MACHINE_JOURNAL_H
#define MEASURE_MACHINE_JOURNAL_H

#include <stddef.h>

#include "base/err.h"

enum change_kind {
	CHANGE_FILE,          /* target: path; old and new: its text */
	CHANGE_MODULE,        /* target: name of a kernel module that was loaded */
	CHANGE_ZRAM_ADD,      /* target: number of the device that hot_add was to make */
	CHANGE_ZRAM_SIZE,     /* target: number; new: disksize in bytes */
	CHANGE_SWAP_ON,       /* target: path of the device */
	CHANGE_CGROUP_ENABLE, /* target: path of a cgroup.subtree_control */
	CHANGE_CGROUP,        /* target: path of a cgroup's folder */
};

struct change {
	enum change_kind kind;
	char *target, *old_text, *new_text; /* never NULL */
};

struct journal {
	char *path; /* NULL after journal_parse() */
	char *boot; /* boot_id; "" where the text did not get that far */
	struct change *changes;
	size_t count;
};

/* Pure. name is for the messages. -EBADMSG: a whole line that is no change. */
int journal_parse(const char *name, const char *text, struct journal *ret, struct err *err);

/*
 * Reads run_dir's journal; none, or one of an earlier boot, is an empty one.
 * Writes nothing.
 */
int journal_load(const char *run_dir, struct journal *ret, struct err *err);

/* Appends a change, in memory and synced on the disk. */
int journal_note(struct journal *j, enum change_kind kind, const char *target,
	const char *old_text, const char *new_text, struct err *err);

/* Writes the whole journal anew; an empty one removes the file. */
int journal_keep(const struct journal *j, struct err *err);

/* Takes one change out, in memory only. */
void journal_drop(struct journal *j, size_t index);

/* One line for people; freed by the caller. */
char *change_describe(const struct change *c);

void journal_clear(struct journal *j);

#endif
