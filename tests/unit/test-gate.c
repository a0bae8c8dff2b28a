// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "verdicts/gate.h"

Test(gate, baseline)
{
	static const struct {
		double y[6];
		size_t n;
		double level, sigma;
	} cases[] = {
		{ { 5 }, 1, 5, 0 },
		{ { 4, 2 }, 2, 3, 1.4826 },
		{ { 3, 1, 2 }, 3, 2, 1.4826 },
		/* One night that is far off moves neither. */
		{ { 1, 2, 3, 4, 1000 }, 5, 3, 1.4826 },
		{ { 7, 7, 7, 7, 7, 9 }, 6, 7, 0 },
		{ { -1, 0, 1, 2, 3, 10 }, 6, 1.5, 1.4826 * 1.5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct baseline b = baseline_of(cases[i].y, cases[i].n);

		cr_expect_float_eq(b.level, cases[i].level, 1e-12, "case %zu", i);
		cr_expect_float_eq(b.sigma, cases[i].sigma, 1e-12, "case %zu", i);
		cr_expect_eq(b.n, cases[i].n);
	}
	cr_expect_eq(baseline_of(NULL, 0).n, 0);
}

Test(gate, beyond)
{
	const struct baseline b = { .level = 10, .sigma = 2, .n = 20 };
	const struct baseline still = { .level = 10, .sigma = 0, .n = 20 };

	cr_expect(!baseline_is_beyond(&b, 18, 4));
	cr_expect(baseline_is_beyond(&b, 18.001, 4));
	cr_expect(baseline_is_beyond(&b, 1.999, 4));
	cr_expect(!baseline_is_beyond(&still, 10, 4));
	cr_expect(baseline_is_beyond(&still, 10.001, 4));
}
