/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A nightly series as a curve as high as a line of text, without axes. Pure. */
#ifndef PLOTS_TREND_H
#define PLOTS_TREND_H

#include <stdio.h>

#include "verdicts/history.h"

#define TREND_DAYS 60 /* that a curve shows; fewer where there were fewer */

/*
 * SVG inside a page: the nights of the last TREND_DAYS up to the day newest, broken
 * where nights are missing; a dashed line where the level changed that v's word tells
 * of. Noise within what matters looks flat. label: the same in words.
 */
void trend_put(FILE *out, const struct machine *m, const struct verdict *v, long newest,
	const char *label);

#endif
