/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown bisect share. */
#ifndef COMMANDS_BISECT_PARTS_H
#define COMMANDS_BISECT_PARTS_H

#include "commands/ab_parts.h"
#include "verdicts/bisect.h"

struct bisect_arguments {
	struct ab_arguments ab; /* one workload; folder, tree and variant by full paths */
	const char *good, *bad, *metric;
	const char *commit; /* to be judged; NULL: find the first bad one */
	/* A variant in the tree, which then is no kernel's; or NULL. */
	const char *file;
	char *own_tree, *own_variant;
};

/*
 * Whether good and bad differ in the metric, and by how much. Says what it finds.
 * -ENODATA: they do not, or a boot of one gave no result.
 */
int bisect_measure_ends(
	const struct bisect_arguments *a, double *ret_difference, struct err *err);

/* The answer for a->commit, said with its reason. A kernel that cannot be built or
 * measured is undecided. */
int bisect_step(const struct bisect_arguments *a, enum bisect_answer *ret, struct err *err);

/* -EBUSY: a bisection is under way in the tree, which ours would end. */
int bisect_check_idle(const char *tree, struct err *err);

/* The files of a commit into a folder; one that is there is taken as it is. */
int bisect_extract(
	const char *tree, const char *commit, const char *folder, struct err *err);

/*
 * Has `git bisect run` ask words (a command, ended by NULL), without touching the
 * tree's files, and prints what it says. *ret_status is git's.
 */
int bisect_run_git(const struct bisect_arguments *a, const char *const *words,
	int *ret_status, struct err *err);

#endif
