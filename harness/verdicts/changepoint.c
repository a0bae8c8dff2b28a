// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/changepoint.h"

#include <math.h>
#include <stdlib.h>

/*
 * How much less likely (as a difference of log likelihoods) another split may be
 * to stay in the range that a bisection has to search.
 */
#define NEARLY 3.0

struct ranked {
	double value;
	size_t place;
};

static int by_value(const void *left, const void *right)
{
	double a = ((const struct ranked *)left)->value;
	double b = ((const struct ranked *)right)->value;

	return (a > b) - (a < b);
}

/* Equal values share the mean of their ranks. */
static void rank(const double *y, size_t n, double *ret_ranks)
{
	struct ranked sorted[CHANGE_MOST] = { 0 };

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct ranked){ y[i], i };
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i; next < n && sorted[next].value == sorted[i].value; next++)
			;
		for (size_t k = i; k < next; k++)
			ret_ranks[sorted[k].place] = (double)(i + next - 1) / 2 + 1;
	}
}

/* Of ranks whose sum is n (n + 1) / 2; left and total: sums of squares follow. */
static double pooled_t(double left, size_t k, double squares, size_t n)
{
	double n_left = (double)k, n_right = (double)(n - k);
	double right = (double)n * (double)(n + 1) / 2 - left;
	double within = squares - left * left / n_left - right * right / n_right;
	double gap = right / n_right - left / n_left;

	if (gap == 0)
		return 0;
	/* Nothing but rounding is left of it where both sides are constant. */
	if (within <= 1e-9 * squares)
		return copysign(INFINITY, gap);
	return gap / sqrt(within / (double)(n - 2) * (1 / n_left + 1 / n_right));
}

/* The log likelihood that a split gains over none. */
static double gain(double t, size_t n)
{
	return (double)n / 2 * log1p(t * t / (double)(n - 2));
}

struct change change_find(const double *y, size_t n)
{
	double ranks[CHANGE_MOST] = { 0 }, t[CHANGE_MOST] = { 0 }, squares = 0, left = 0;
	struct change c = { 0 };

	rank(y, n, ranks);
	for (size_t i = 0; i < n; i++)
		squares += ranks[i] * ranks[i];
	for (size_t k = 1; k <= n - CHANGE_SEGMENT; k++) {
		left += ranks[k - 1];
		if (k < CHANGE_SEGMENT)
			continue;
		t[k] = pooled_t(left, k, squares, n);
		if (fabs(t[k]) > fabs(c.t)) {
			c.split = k;
			c.t = t[k];
		}
	}
	if (c.t == 0)
		return c;
	c.first = c.last = c.split;
	for (size_t k = CHANGE_SEGMENT; k <= n - CHANGE_SEGMENT; k++) {
		if (t[k] * c.t <= 0 || gain(t[k], n) < gain(c.t, n) - NEARLY)
			continue;
		c.first = k < c.first ? k : c.first;
		c.last = k > c.last ? k : c.last;
	}
	return c;
}

double change_threshold(size_t n)
{
	static const struct {
		double n, t;
	} known[] = { { 20, 5.01 }, { 40, 4.63 }, { 60, 4.44 } };
	size_t i = n > 40;

	return known[i].t + (known[i + 1].t - known[i].t) * ((double)n - known[i].n) /
				    (known[i + 1].n - known[i].n);
}
