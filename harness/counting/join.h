/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts and the samples that they are of, brought together. Pure. */
#ifndef COUNTING_JOIN_H
#define COUNTING_JOIN_H

#include "counting/counts.h"
#include "verdicts/record.h"

/* In each sample, the number of its window. */
#define WINDOW_ID_METRIC "window_id"

/*
 * Adds the counts of the guest's windows to each of its runs that has samples
 * and numbers their windows, as kernel_insns_per_UNIT, tlbi_per_UNIT and so on, and
 * the functions that executed most of them, as tlbi:FUNCTION_per_UNIT. Where the
 * window of a sample was not counted they are unavailable.
 */
void counts_join(const struct counts *counts, struct record *record);

/*
 * In which functions the counted instructions stand, as a text for people: for
 * each run, and each class that was executed, those with most, by unit of
 * work. Warm-up does not count. Freed by the caller.
 */
char *counts_format_functions(const struct counts *counts, const struct record *record);

#endif
