/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of verdicts: tests, intervals, corrections and sample sizes.
 * Pure; the distributions are those of R's mathlib. All numbers are finite, and
 * all p are two-sided.
 */
#ifndef VERDICTS_STATS_H
#define VERDICTS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* A mean, or a difference of two means, by Student's t. */
struct stats_test {
	double mean;
	double se; /* standard error of mean */
	double sd; /* of one value; of two groups, the root of their mean variance */
	double df;
	double t, p;      /* 0 variance: t is 0 or infinite, p is 1 or 0 */
	double low, high; /* of the mean, at 1 - alpha */
};

double stats_mean(const double *x, size_t n);

/* Of one group against 0. false, and *ret untouched, where n < 2. */
bool stats_one_sample(const double *x, size_t n, double alpha, struct stats_test *ret);

/* Welch: b minus a, of unequal variances. false where a group has fewer than 2. */
bool stats_welch(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
	struct stats_test *ret);

/*
 * Exact p of the mean of n differences when each sign is a coin's. NAN where n
 * is 0 or above STATS_FLIP_MAX, as it takes 2^(n-1) sums.
 */
#define STATS_FLIP_MAX 20
double stats_sign_flip(const double *x, size_t n);

/*
 * Exact p, where there are no ties and fewer than 50 in each group; else the
 * normal approximation with continuity correction. NAN where a group is empty,
 * or all values are the same.
 */
double stats_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b);

/* Adjusted p, in place: the family's error rate, or the share of false findings. */
void stats_holm(double *p, size_t n);
void stats_benjamini_hochberg(double *p, size_t n);

/*
 * The least n (of pairs; or of each of two groups), from least on, whose t test
 * at alpha finds a difference of delta in 80 of 100 cases. least is 2 or more.
 * 0: more than STATS_NEEDED_MAX.
 */
#define STATS_NEEDED_MAX 10000
size_t stats_needed(double sd, double delta, double alpha, bool two_groups, size_t least);

/*
 * The smallest difference that a t test at alpha with this standard error and
 * these degrees of freedom finds in 80 of 100 cases. NAN where it is beyond what
 * the distribution is computed for (less than 2 degrees of freedom or so).
 */
double stats_detectable(double se, double df, double alpha);

#endif
