/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures that others published (results/published), beside those of a
 * comparison. results/README.md says how such a file differs from a result.
 */
#ifndef VERDICTS_PUBLISHED_H
#define VERDICTS_PUBLISHED_H

#include "verdicts/compare.h"

/* What is laid beside what; the caller's. figures: NULL where there are none. */
struct published {
	const struct record *figures, *base, *cand;
};

/* As record_load(); -EINVAL: a result, but not of published figures. */
int published_load(const char *path, struct record **ret, struct err *err);

/* Whether these are the figures without batching; others have their pair with it. */
bool published_is_base(const struct run *run);

/*
 * The figures of a metric of such a run: NAN where none was published. 0, or
 * -ENOMEM.
 */
int published_values(const struct record *r, const struct run *run, const char *metric,
	double *ret_base, double *ret_cand);

/*
 * How the machines differ, and a row for each figure: what was published, and
 * what the rows of the comparison of the same workload and metric say.
 * width: of the terminal; 0: no limit. 0 and a text that the caller frees, or
 * -ENOMEM.
 */
int published_text(
	const struct comparison *c, const struct published *p, size_t width, char **ret);

#endif
