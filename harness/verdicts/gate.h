/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nightly gate: is this night further from the nights before it than these
 * are from each other? Pure. All numbers are finite.
 */
#ifndef VERDICTS_GATE_H
#define VERDICTS_GATE_H

#include <stdbool.h>
#include <stddef.h>

#define GATE_NIGHTS 20 /* of a baseline; before, a series learns */
#define GATE_SUSPECT 4 /* a night that is so many sigma off is measured again */
#define GATE_CONFIRM 3 /* and the second measurement must be off by so many */

/* What nights say when nothing happens. */
struct baseline {
	double level; /* their median */
	double sigma; /* 1.4826 times the median distance from it */
	size_t n;     /* nights; 0: there is no baseline */
};

/* Of n values, in any order. */
struct baseline baseline_of(const double *y, size_t n);

/* Further than times sigma from the level. */
bool baseline_is_beyond(const struct baseline *b, double y, double times);

#endif
