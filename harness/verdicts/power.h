/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many boots an experiment needs to find an effect, from how much boots
 * differed in an earlier one. Pure.
 */
#ifndef VERDICTS_POWER_H
#define VERDICTS_POWER_H

#include "verdicts/compare.h"

struct power_row {
	const struct compare_row *row; /* the comparison's: names, unit, boots seen */
	bool paired;
	bool relative; /* of the effect asked for, the relative part is what counts here */
	/* Standard deviation between boots, or of pairs: where relative, of the
	 * logarithms, else in the unit. */
	double sd;
	struct effect effect;
	size_t n_seen;   /* boots (or pairs) that sd is from */
	size_t needed;   /* of each side; 0: more than STATS_NEEDED_MAX, or why is set */
	const char *why; /* there is no answer, or NULL */
};

struct power_plan {
	struct power_row *rows; /* those that decide, and have a value */
	size_t n_rows;
	size_t n_family; /* rows that the correction counts; at least 1 */
	double alpha;    /* what it leaves to the hardest of them */
	size_t needed;   /* for all rows that have an answer; 0: none has */
};

/*
 * c: of both arms of an experiment, compared with the effect to be found as the
 * smallest that matters; or of one result with itself, of which each boot then
 * stands for one of either side, and one_side is true. Freed by
 * power_plan_clear(), and c outlives it.
 */
void power_plan_make(const struct comparison *c, bool one_side, struct power_plan *ret);
void power_plan_clear(struct power_plan *p);

#endif
