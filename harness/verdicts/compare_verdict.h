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

/*
 * Of a key of the identity that differs: why the cost of a flush does too, with
 * the code of batching untouched; freed by the caller. NULL: it does not.
 */
char *compare_flush_warning(const struct compare_key *key);

#endif
