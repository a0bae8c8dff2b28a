/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs of two records belong together, and what they are called. Pure. */
#ifndef VERDICTS_COMPARE_PAIR_H
#define VERDICTS_COMPARE_PAIR_H

#include <stdbool.h>

#include "verdicts/record.h"

/* Either may be NULL: a run that only one side has. */
struct run_pair {
	const struct run *base, *cand;
	/* "swap:threads=1": the parameters that tell the runs of a workload apart. */
	char *label;
};

/*
 * Pairs by workload, revision and parameters; of several that are alike, the
 * first with the first. In the order of base, then what only cand has. The
 * caller frees with run_pairs_free().
 */
struct run_pair *run_pairs_make(
	const struct record *base, const struct record *cand, size_t *ret_count);
void run_pairs_free(struct run_pair *pairs, size_t count);

/* The same workload, revision and parameters. */
bool runs_alike(const struct run *a, const struct run *b);

/*
 * The very same samples, with a duration among them, which never comes out the
 * same twice: one result, given for both sides.
 */
bool records_same_samples(const struct record *a, const struct record *b);

/* As the file shows it: a text, or a number; freed by the caller. */
char *field_format(const struct field *f);
bool field_equal(const struct field *a, const struct field *b);

/* Whether key is a member of list, "key,key"; of NULL, none is. */
bool name_is_listed(const char *list, const char *key);

#endif
