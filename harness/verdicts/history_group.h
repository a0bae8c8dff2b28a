/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Open alerts that one change can explain. Pure. */
#ifndef VERDICTS_HISTORY_GROUP_H
#define VERDICTS_HISTORY_GROUP_H

#include "verdicts/history.h"

struct group_member {
	const struct machine *machine;
	const struct verdict *verdict;
	const struct alert *alert;
};

/* The change is after good and not after bad, by all members. */
struct group {
	struct group_member *members;
	size_t n_members;
	const struct night *good, *bad;
};

/* By the night of bad, the latest first. Freed by groups_free(). */
struct group *groups_make(const struct history *h, size_t *ret_count);
void groups_free(struct group *groups, size_t count);

/* A night's commit, else its kernel's release. */
const char *night_commit(const struct night *n);

#endif
