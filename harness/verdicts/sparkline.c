// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/sparkline.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define LEVELS 8

char *sparkline(const double *y, size_t n, double least, bool utf8)
{
	static const char *const blocks[LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇",
		"█" };
	static const char *const marks[LEVELS] = { "_", ".", ",", "-", "~", "=", "*", "#" };
	const char *const *levels = utf8 ? blocks : marks;
	double low = INFINITY, high = -INFINITY, span;
	char *text = mem_zeroed(n * strlen(levels[0]) + 1, 1), *at = text;

	for (size_t i = 0; i < n; i++) {
		if (isnan(y[i]))
			continue;
		low = fmin(low, y[i]);
		high = fmax(high, y[i]);
	}
	span = fmax(high - low, least);
	low -= (span - (high - low)) / 2;
	for (size_t i = 0; i < n; i++) {
		double part = span > 0 ? (y[i] - low) / span : 0.5;
		const char *mark =
			isnan(y[i]) ? " "
				    : levels[part < 1 ? (int)(part * LEVELS) : LEVELS - 1];

		at = stpcpy(at, mark);
	}
	return text;
}
