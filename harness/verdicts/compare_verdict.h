/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the measured rows of a comparison to its words. Pure. */
#ifndef VERDICTS_COMPARE_VERDICT_H
#define VERDICTS_COMPARE_VERDICT_H

#include "verdicts/compare.h"

/* Whether the metric was declared primary beforehand, and so decides. */
bool compare_is_declared(const char *metric);

/*
 * Corrects p within the declared rows, and within the others that are selected;
 * sets words, and what is shown; counts.
 */
void compare_judge(struct comparison *c, const struct compare_options *options);

#endif
