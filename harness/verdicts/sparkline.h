/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve in one line of text. Pure. */
#ifndef VERDICTS_SPARKLINE_H
#define VERDICTS_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A character for each of n values, from the lowest to the highest of them; a
 * blank for NAN. Where these are closer together than least, they stay around
 * the middle, so that noise looks like it. Blocks in UTF-8, else ASCII. Freed by
 * the caller.
 */
char *sparkline(const double *y, size_t n, double least, bool utf8);

#endif
