/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow path: a level that moved by less than one night can show. The values
 * are replaced by their ranks, so that no single night decides; then the split
 * is found whose two sides differ most. Pure, and the same every time.
 */
#ifndef VERDICTS_CHANGEPOINT_H
#define VERDICTS_CHANGEPOINT_H

#include <stddef.h>

#define CHANGE_LEAST 20  /* values that it takes */
#define CHANGE_MOST 60   /* values that its thresholds are known for */
#define CHANGE_SEGMENT 4 /* values on either side, at least */

struct change {
	size_t split; /* the first value of the second side */
	double t;     /* pooled, of the ranks; above 0: the second side is higher */
	/* The splits that explain the values nearly as well lie from first to last. */
	size_t first, last;
};

/* n from CHANGE_LEAST to CHANGE_MOST. t is 0 where all values are the same. */
struct change change_find(const double *y, size_t n);

/* What |t| exceeds in 1 of 1,000 series of n values that do not change. */
double change_threshold(size_t n);

#endif
