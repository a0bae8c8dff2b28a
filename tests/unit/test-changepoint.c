// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <math.h>

#include "verdicts/changepoint.h"

static void fill(double *y, size_t from, size_t to, double first, double step)
{
	for (size_t i = from; i < to; i++)
		y[i] = first + step * (double)(i - from);
}

Test(changepoint, two_levels)
{
	double y[20];
	struct change c;

	/* 10 low ranks, then 10 high ones: 10 apart, each with a variance of 55/6. */
	fill(y, 0, 10, 0, 0.1);
	fill(y, 10, 20, 5, 0.1);
	c = change_find(y, 20);
	cr_expect_eq(c.split, 10);
	cr_expect_float_eq(c.t, 10 / sqrt(55.0 / 6 * 2 / 10), 1e-9);
	cr_expect(c.first <= 10 && c.last >= 10);
	for (size_t i = 0; i < 20; i++)
		y[i] = -y[i];
	cr_expect_float_eq(change_find(y, 20).t, -c.t, 1e-9);
}

Test(changepoint, no_level)
{
	double y[20], t;
	struct change c;

	fill(y, 0, 20, 3, 0);
	cr_expect_eq(change_find(y, 20).t, 0);
	/* To and fro: nothing that a split explains. */
	for (size_t i = 0; i < 20; i++)
		y[i] = i % 2;
	t = change_find(y, 20).t;
	cr_expect_lt(fabs(t), 1.5, "%g", t);
	/* Two constants: no variance within. */
	fill(y, 0, 12, 1, 0);
	fill(y, 12, 20, 2, 0);
	c = change_find(y, 20);
	cr_expect(isinf(c.t) && c.t > 0);
	cr_expect(c.split == 12 && c.first == 12 && c.last == 12);
}

/* A single night, however far off, is one rank. */
Test(changepoint, one_night_decides_nothing)
{
	double y[40], before;

	for (size_t i = 0; i < 40; i++)
		y[i] = (double)((i * 17) % 40);
	before = change_find(y, 40).t;
	y[20] = 1e9;
	cr_expect_lt(fabs(change_find(y, 40).t), change_threshold(40));
	cr_expect_lt(fabs(before), change_threshold(40));
}

Test(changepoint, a_split_leaves_4_on_either_side)
{
	double y[20];

	fill(y, 0, 18, 0, 0.01);
	fill(y, 18, 20, 9, 0.01);
	cr_expect_leq(change_find(y, 20).split, 16);
	fill(y, 0, 2, 9, 0.01);
	fill(y, 2, 20, 0, -0.01);
	cr_expect_geq(change_find(y, 20).split, 4);
}

Test(changepoint, thresholds)
{
	static const struct {
		size_t n;
		double t;
	} cases[] = { { 20, 5.01 }, { 30, 4.82 }, { 40, 4.63 }, { 50, 4.535 },
		{ 60, 4.44 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_expect_float_eq(change_threshold(cases[i].n), cases[i].t, 1e-9);
}
