// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Makes the median absolute deviation of normal noise its standard deviation. */
#define MAD_TO_SIGMA 1.4826

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Sorts them. */
static double median(double *y, size_t n)
{
	double low, high;

	qsort(y, n, sizeof(*y), by_value);
	low = y[(n - 1) / 2];
	high = y[n / 2];
	return low + (high - low) / 2;
}

struct baseline baseline_of(const double *y, size_t n)
{
	struct baseline b = { .n = n };
	double *copy;

	if (n == 0)
		return b;
	copy = mem_zeroed(n, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = y[i];
	b.level = median(copy, n);
	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(y[i] - b.level);
	b.sigma = MAD_TO_SIGMA * median(copy, n);
	free(copy);
	return b;
}

bool baseline_is_beyond(const struct baseline *b, double y, double times)
{
	return fabs(y - b->level) > times * b->sigma;
}
