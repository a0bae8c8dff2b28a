/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On which side of a change a kernel is: one step of a bisection. Pure. */
#ifndef VERDICTS_BISECT_H
#define VERDICTS_BISECT_H

#include "base/err.h"
#include "verdicts/compare.h"

/*
 * The row of this metric that both sides have a value for. -ENOENT: none, and
 * the line names those there are; -EINVAL: a duration of an emulator.
 */
int bisect_find_row(const struct comparison *c, const char *metric,
	const struct compare_row **ret, struct err *err);

/*
 * Whether the ends differ so that steps can be told: the whole interval of their
 * difference is on one side of 0. *ret_difference is bad minus good.
 */
bool bisect_ends_differ(const struct judgement *ends, double *ret_difference);

enum bisect_answer { BISECT_GOOD, BISECT_BAD, BISECT_UNDECIDED };

/*
 * step has the good kernel as its base, booted beside the one in question. It is
 * bad where the whole interval of its difference is beyond half of that of the
 * ends, good where it is short of that. Both intervals are at 1 - alpha of the
 * comparison.
 */
enum bisect_answer bisect_judge(const struct judgement *step, double ends_difference);

#endif
