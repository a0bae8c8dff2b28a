// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arithmetic of verdicts against R 4.2.2 (Debian's r-base-core). Each figure
 * stands below the R command that prints it, after options(digits = 17) and
 *
 *	d <- c(0.012, -0.004, 0.031, 0.018, 0.007, 0.022, 0.015)
 *	a <- c(5.21, 5.30, 5.18, 5.27, 5.25, 5.22)
 *	b <- c(5.41, 5.33, 5.52, 5.38, 5.60, 5.29, 5.47)
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "verdicts/stats.h"

#define COUNT(x) (sizeof(x) / sizeof(*(x)))

static const double d[] = { 0.012, -0.004, 0.031, 0.018, 0.007, 0.022, 0.015 };
static const double a[] = { 5.21, 5.30, 5.18, 5.27, 5.25, 5.22 };
static const double b[] = { 5.41, 5.33, 5.52, 5.38, 5.60, 5.29, 5.47 };

static void expect_close(const char *what, double got, double wanted)
{
	cr_expect(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted)), "%s: %.17g for %.17g",
		what, got, wanted);
}

Test(stats, one_sample)
{
	struct stats_test t;

	/* t.test(d) */
	cr_assert(stats_one_sample(d, COUNT(d), 0.05, &t));
	expect_close("mean", t.mean, 0.014428571428571428);
	expect_close("se", t.se, 0.0042136803439293217);
	expect_close("df", t.df, 6);
	expect_close("t", t.t, 3.424220693285092);
	expect_close("p", t.p, 0.014070621165063952);
	expect_close("low", t.low, 0.0041180670580741614);
	expect_close("high", t.high, 0.024739075799068692);
	/* t.test(d, conf.level = 0.99) */
	cr_assert(stats_one_sample(d, COUNT(d), 0.01, &t));
	expect_close("low", t.low, -0.0011933451514175705);
	expect_close("high", t.high, 0.030050488008560423);
}

Test(stats, welch)
{
	struct stats_test t;

	/* t.test(b, a) */
	cr_assert(stats_welch(a, COUNT(a), b, COUNT(b), 0.05, &t));
	expect_close("mean", t.mean, 0.19023809523809554);
	expect_close("se", t.se, 0.044817721025436207);
	expect_close("df", t.df, 8.1110123268458967);
	expect_close("t", t.t, 4.244707024039136);
	expect_close("p", t.p, 0.0027325602296742915);
	expect_close("low", t.low, 0.087133942737702377);
	expect_close("high", t.high, 0.29334224773848872);
}

Test(stats, too_few_or_no_variance)
{
	static const double same[] = { 0.1, 0.1, 0.1, 0.1 }, zero[] = { 0, 0, 0 };
	struct stats_test t = { .mean = 42 };

	cr_expect_not(stats_one_sample(d, 1, 0.05, &t));
	cr_expect_not(stats_one_sample(d, 0, 0.05, &t));
	cr_expect_not(stats_welch(a, 1, b, 5, 0.05, &t));
	cr_expect_not(stats_welch(a, 5, b, 0, 0.05, &t));
	cr_expect_eq(t.mean, 42);
	cr_assert(stats_one_sample(same, 4, 0.05, &t));
	cr_expect(t.p == 0 && t.low == t.high && isinf(t.t) && t.sd == 0);
	cr_assert(stats_one_sample(zero, 3, 0.05, &t));
	cr_expect(t.p == 1 && t.t == 0 && t.low == 0 && t.high == 0);
	cr_assert(stats_welch(zero, 3, same, 4, 0.05, &t));
	cr_expect(t.p == 0 && t.mean == t.low);
}

Test(stats, sign_flip)
{
	/* f <- function(d) { g <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d))));
	 * mean(abs(g %*% d) >= abs(sum(d)) - 1e-12) }; f(d); f(1:6); ... */
	static const double ties[] = { 1, -1, 2, -2 }, up[] = { 1, 2, 3, 4, 5, 6 };
	static const double eight[] = { 0.3, 0.1, -0.2, 0.5, 0.4, 0.6, -0.05, 0.2 };
	static const double many[STATS_FLIP_MAX + 1] = { 1 };

	expect_close("d", stats_sign_flip(d, COUNT(d)), 0.03125);
	expect_close("up", stats_sign_flip(up, 6), 0.03125);
	expect_close("ties", stats_sign_flip(ties, 4), 1);
	expect_close("eight", stats_sign_flip(eight, 8), 0.0625);
	expect_close("one", stats_sign_flip(up, 1), 1);
	cr_expect(isnan(stats_sign_flip(many, 0)));
	cr_expect(isnan(stats_sign_flip(many, STATS_FLIP_MAX + 1)));
	expect_close("none but one", stats_sign_flip(many, STATS_FLIP_MAX), 1);
}

Test(stats, mann_whitney)
{
	static const double x[] = { 1, 2, 2, 3, 5 }, y[] = { 2, 4, 5, 6, 7, 7 };
	static const double count[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	double long_a[60], long_b[60];

	/* wilcox.test(a, b)$p.value */
	expect_close("exact", stats_mann_whitney(a, 6, b, 7), 0.002331002331002331);
	expect_close("exact", stats_mann_whitney(b, 7, a, 6), 0.002331002331002331);
	/* wilcox.test(1:3, 4:6), (1:6, 7:12): the floors of n = 3 and 6 */
	expect_close("n = 3", stats_mann_whitney(count, 3, count + 3, 3), 0.1);
	expect_close(
		"n = 6", stats_mann_whitney(count, 6, count + 6, 6), 0.0021645021645021645);
	/* wilcox.test(c(1,2,2,3,5), c(2,4,5,6,7,7), exact = FALSE)$p.value */
	expect_close("ties", stats_mann_whitney(x, 5, y, 6), 0.064146618734404429);
	cr_expect(isnan(stats_mann_whitney(x, 0, y, 6)));
	cr_expect(isnan(stats_mann_whitney(x + 1, 1, x + 2, 1)), "all the same");
	/* i <- 0:59; wilcox.test(sin(i), sin(i + 0.5) + 0.3)$p.value */
	for (int i = 0; i < 60; i++) {
		long_a[i] = sin(i);
		long_b[i] = sin(i + 0.5) + 0.3;
	}
	expect_close(
		"many", stats_mann_whitney(long_a, 60, long_b, 60), 0.015876183716776324);
}

Test(stats, corrections)
{
	/* p.adjust(p, "holm"); p.adjust(p, "BH") */
	static const double p[] = { 0.01, 0.04, 0.03, 0.005, 0.5, 0.04, 0.2 };
	static const double holm[] = { 0.06, 0.16, 0.15, 0.035, 0.5, 0.16, 0.4 };
	static const double bh[] = { 0.035, 0.056, 0.056, 0.035, 0.5, 0.056,
		0.23333333333333336 };
	double q[COUNT(p)], one = 0.7, two[] = { 0.6, 0.9 };

	memcpy(q, p, sizeof(p));
	stats_holm(q, COUNT(p));
	for (size_t i = 0; i < COUNT(p); i++)
		expect_close("holm", q[i], holm[i]);
	memcpy(q, p, sizeof(p));
	stats_benjamini_hochberg(q, COUNT(p));
	for (size_t i = 0; i < COUNT(p); i++)
		expect_close("bh", q[i], bh[i]);
	stats_holm(&one, 1);
	stats_benjamini_hochberg(&one, 1);
	expect_close("one", one, 0.7);
	stats_holm(two, 2);
	cr_expect(two[0] == 1 && two[1] == 1);
	stats_holm(NULL, 0);
	stats_benjamini_hochberg(NULL, 0);
}

Test(stats, needed)
{
	static const struct {
		double sd, alpha;
		bool two_groups;
		size_t least, wanted;
	} cases[] = {
		/* ceiling(power.t.test(sd = 0.02, delta = log(1.03), power = 0.8,
		 * type = "paired")$n); type "two.sample"; and so on */
		{ 0.02, 0.05, false, 2, 6 },
		{ 0.02, 0.05, true, 2, 9 },
		{ 0.05, 0.005, false, 2, 43 },
		{ 0.3, 0.01, true, 2, 2408 },
		{ 0.02, 0.05, false, 30, 30 },
		{ 0.0001, 0.05, false, 6, 6 },
		{ 1e-300, 0.05, false, 6, 6 },
		{ 1e6, 0.05, false, 6, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(stats_needed(cases[i].sd, log(1.03), cases[i].alpha,
				     cases[i].two_groups, cases[i].least),
			cases[i].wanted, "case %zu", i);
}

Test(stats, detectable)
{
	static const struct {
		size_t n;
		double sd, alpha;
		bool two_groups;
		double wanted;
	} cases[] = {
		/* power.t.test(n, sd = , sig.level = , power = 0.8, type = "paired",
		 * tol = 1e-13)$delta; type "two.sample" */
		{ 6, 0.02, 0.05, false, 0.028690906878995701 },
		{ 10, 0.02, 0.05, false, 0.019920045086134604 },
		{ 6, 0.3, 0.01 / 3, false, 0.80538841537582073 },
		{ 10, 0.014, 0.005, true, 0.025693008888773405 },
		{ 50, 1, 0.05, true, 0.56588293507887366 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double groups = cases[i].two_groups ? 2 : 1, n = (double)cases[i].n;
		double found = stats_detectable(
			cases[i].sd * sqrt(groups / n), groups * (n - 1), cases[i].alpha);

		expect_close("detectable", found, cases[i].wanted);
		cr_expect_eq(stats_needed(cases[i].sd, found * 1.0000001, cases[i].alpha,
				     cases[i].two_groups, 2),
			cases[i].n, "the other way round, case %zu", i);
	}
	cr_expect(isnan(stats_detectable(1, 1, 0.001)), "beyond the distribution");
}
