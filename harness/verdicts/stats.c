// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "base/mem.h"

enum { UPPER_TAIL = 0, LOWER_TAIL = 1, NO_LOG = 0 };

/* Two-sided. Both are exact to the last digits at any distance from 0. */
static double p_of_t(double t, double df)
{
	return 2 * pt(-fabs(t), df, LOWER_TAIL, NO_LOG);
}

double stats_mean(const double *x, size_t n)
{
	double mean = 0, rest = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	/* A second pass takes back what rounding lost. */
	for (size_t i = 0; i < n; i++)
		rest += (x[i] - mean) / (double)n;
	return mean + rest;
}

static double variance(const double *x, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (double)(n - 1);
}

/* From mean, se, sd and df. What varies by rounding only does not vary. */
static void finish(struct stats_test *t, double size, double alpha)
{
	double half;

	if (t->se <= 10 * DBL_EPSILON * size) {
		t->se = t->sd = 0;
		t->t = t->mean == 0 ? 0 : copysign(INFINITY, t->mean);
		t->p = t->mean == 0 ? 1 : 0;
		t->low = t->high = t->mean;
		return;
	}
	half = t->se * qt(alpha / 2, t->df, UPPER_TAIL, NO_LOG);
	t->t = t->mean / t->se;
	t->p = p_of_t(t->t, t->df);
	t->low = t->mean - half;
	t->high = t->mean + half;
}

bool stats_one_sample(const double *x, size_t n, double alpha, struct stats_test *ret)
{
	struct stats_test t = { .mean = stats_mean(x, n), .df = (double)n - 1 };

	if (n < 2)
		return false;
	t.sd = sqrt(variance(x, n, t.mean));
	t.se = t.sd / sqrt((double)n);
	finish(&t, fabs(t.mean), alpha);
	*ret = t;
	return true;
}

bool stats_welch(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
	struct stats_test *ret)
{
	double mean_a = stats_mean(a, n_a), mean_b = stats_mean(b, n_b);
	struct stats_test t = { .mean = mean_b - mean_a };
	double var_a, var_b, part_a, part_b;

	if (n_a < 2 || n_b < 2)
		return false;
	var_a = variance(a, n_a, mean_a);
	var_b = variance(b, n_b, mean_b);
	part_a = var_a / (double)n_a;
	part_b = var_b / (double)n_b;
	t.sd = sqrt((var_a + var_b) / 2);
	t.se = sqrt(part_a + part_b);
	t.df = (part_a + part_b) * (part_a + part_b) /
	       (part_a * part_a / (double)(n_a - 1) + part_b * part_b / (double)(n_b - 1));
	finish(&t, fmax(fabs(mean_a), fabs(mean_b)), alpha);
	*ret = t;
	return true;
}

double stats_sign_flip(const double *x, size_t n)
{
	double sum = 0, size = 0, observed;
	bool minus[STATS_FLIP_MAX] = { false };
	unsigned long extreme = 1, count;

	if (n == 0 || n > STATS_FLIP_MAX)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		size += fabs(x[i]);
	}
	observed = fabs(sum) - 1e-9 * size;
	/* The last sign stays: flipping all of them gives the same size. One sign
	 * changes from each sum to the next, in the order of a Gray code. */
	count = 1UL << (n - 1);
	for (unsigned long i = 1; i < count; i++) {
		int k = __builtin_ctzl(i);

		minus[k] = !minus[k];
		sum += minus[k] ? -2 * x[k] : 2 * x[k];
		extreme += fabs(sum) >= observed;
	}
	return (double)extreme / (double)count;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Of sorted values: the sum of t^3 - t over groups of t equal ones. */
static double tie_sum(const double *sorted, size_t n)
{
	double sum = 0;

	for (size_t i = 0, next; i < n; i = next) {
		double t;

		for (next = i; next < n && sorted[next] == sorted[i]; next++)
			;
		t = (double)(next - i);
		sum += t * t * t - t;
	}
	return sum;
}

static double exact_p(double w, double n_a, double n_b)
{
	double p = w > n_a * n_b / 2 ? pwilcox(w - 1, n_a, n_b, UPPER_TAIL, NO_LOG)
				     : pwilcox(w, n_a, n_b, LOWER_TAIL, NO_LOG);

	wilcox_free();
	return fmin(2 * p, 1);
}

double stats_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b)
{
	const size_t n = n_a + n_b;
	double *all, w = 0, ties, z, sigma;

	if (n_a == 0 || n_b == 0)
		return NAN;
	all = mem_zeroed(n, sizeof(*all));
	memcpy(all, a, n_a * sizeof(*a));
	memcpy(all + n_a, b, n_b * sizeof(*b));
	qsort(all, n, sizeof(*all), by_value);
	ties = tie_sum(all, n);
	free(all);
	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			w += a[i] > b[k] ? 1 : a[i] == b[k] ? 0.5 : 0;
	if (ties == 0 && n_a < 50 && n_b < 50)
		return exact_p(w, (double)n_a, (double)n_b);
	z = w - (double)n_a * (double)n_b / 2;
	sigma = sqrt((double)n_a * (double)n_b / 12 *
		     ((double)(n + 1) - ties / ((double)n * (double)(n - 1))));
	if (sigma <= 0)
		return NAN;
	z = (z - (z > 0 ? 0.5 : z < 0 ? -0.5 : 0)) / sigma;
	return 2 * pnorm(-fabs(z), 0, 1, LOWER_TAIL, NO_LOG);
}

struct ranked {
	double p;
	size_t place;
};

static int by_p(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

static struct ranked *rank(const double *p, size_t n)
{
	struct ranked *r = mem_zeroed(n, sizeof(*r));

	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ p[i], i };
	qsort(r, n, sizeof(*r), by_p);
	return r;
}

void stats_holm(double *p, size_t n)
{
	struct ranked *r = rank(p, n);
	double highest = 0;

	for (size_t i = 0; i < n; i++) {
		highest = fmax(highest, r[i].p * (double)(n - i));
		p[r[i].place] = fmin(highest, 1);
	}
	free(r);
}

void stats_benjamini_hochberg(double *p, size_t n)
{
	struct ranked *r = rank(p, n);
	double lowest = 1;

	for (size_t i = n; i > 0; i--) {
		lowest = fmin(lowest, r[i - 1].p * (double)n / (double)i);
		p[r[i - 1].place] = lowest;
	}
	free(r);
}

/* Beyond it, the noncentral distribution is no longer exact. */
#define SHIFT_MAX 30

/* How often an effect is to be found. */
#define POWER 0.8

/* Of a mean that is shift standard errors away from 0. */
static double power_of_shift(double shift, double df, double alpha)
{
	return pnt(qt(alpha / 2, df, UPPER_TAIL, NO_LOG), df, shift, UPPER_TAIL, NO_LOG);
}

static double power(double sd, double delta, double alpha, bool two_groups, size_t n)
{
	double groups = two_groups ? 2 : 1;
	double shift = sqrt((double)n / groups) * delta / sd;

	/* Power is near 1 there. */
	if (shift > SHIFT_MAX)
		return 1;
	return power_of_shift(shift, groups * ((double)n - 1), alpha);
}

size_t stats_needed(double sd, double delta, double alpha, bool two_groups, size_t least)
{
	size_t too_few = least - 1, enough = least;

	while (power(sd, delta, alpha, two_groups, enough) < POWER) {
		if (enough > STATS_NEEDED_MAX)
			return 0;
		too_few = enough;
		enough *= 2;
	}
	while (enough - too_few > 1) {
		size_t middle = too_few + (enough - too_few) / 2;

		if (power(sd, delta, alpha, two_groups, middle) < POWER)
			too_few = middle;
		else
			enough = middle;
	}
	return enough <= STATS_NEEDED_MAX ? enough : 0;
}

double stats_detectable(double se, double df, double alpha)
{
	double low = 0, high = SHIFT_MAX;

	if (power_of_shift(high, df, alpha) < POWER)
		return NAN;
	/* Halved until it is exact to a double's digits. */
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (power_of_shift(middle, df, alpha) < POWER)
			low = middle;
		else
			high = middle;
	}
	return high * se;
}
