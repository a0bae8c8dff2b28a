/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown bisect share. */
#ifndef COMMANDS_BISECT_PARTS_H
#define COMMANDS_BISECT_PARTS_H

#include "commands/ab_parts.h"
#include "nights/machine_file.h"
#include "verdicts/bisect.h"

struct bisect_arguments {
	struct ab_arguments ab; /* one workload; folder, tree and variant by full paths */
	const char *good, *bad, *metric;
	const char *commit; /* to be judged; NULL: find the first bad one */
	/* A variant in the tree, which then is no kernel's; or NULL. */
	const char *file;
	char *own_tree, *own_variant;
	/* The lab machine whose nights measure, not guests; or NULL. Its file here, and
	 * the folder of the tree there. */
	const char *host, *machine, *host_tree;
	char *own_machine;
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

/* -EINVAL: the machine's file cannot be read, or has arms that bisect cannot build. */
int bisect_check_machine(const struct bisect_arguments *a, struct err *err);

/*
 * The machine's file for nights of n blocks: one variant for both arms, and the
 * workloads in place of the suite. The caller frees text and file.
 */
int bisect_change_machine(const struct bisect_arguments *a, unsigned int n_blocks,
	char **ret_text, struct machine_file *ret, struct err *err);

/*
 * The good commit beside another in a night of a->host, of n blocks; or what it has
 * measured already. id is of the commit's tree. -ENODATA: the night has no result;
 * -EHOSTUNREACH; -EBUSY: another night is under way there.
 */
int bisect_measure_on_host(const struct bisect_arguments *a, const char *commit,
	const char *id, unsigned int n_blocks, struct record *ret_arms[2], struct err *err);

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
