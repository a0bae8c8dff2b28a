// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>

#include "bench/histogram.h"

static struct histogram h;

/* One number alone is every quantile. */
Test(histogram, a_number_is_known_to_a_part)
{
	static const struct {
		uint64_t number, told;
	} cases[] = {
		{ 0, 0 },
		{ 1, 1 },
		{ 31, 31 },
		{ 32, 32 },
		{ 63, 63 }, /* parts are one wide up to here */
		{ 64, 64 }, /* 64 and 65 share one */
		{ 65, 64 },
		{ 66, 66 },
		{ 127, 126 },
		{ 128, 129 }, /* 128 to 131 */
		{ 131, 129 },
		{ 132, 133 },
		{ 1000, 999 }, /* 992 to 1007 */
		{ ((uint64_t)1 << 40) - 1, ((uint64_t)63 << 34) + ((uint64_t)1 << 33) - 1 },
		{ (uint64_t)1 << 40, ((uint64_t)63 << 34) + ((uint64_t)1 << 33) - 1 },
		{ UINT64_MAX, ((uint64_t)63 << 34) + ((uint64_t)1 << 33) - 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		histogram_clear(&h);
		histogram_add(&h, cases[i].number);
		for (int percent = 0; percent <= 100; percent += 50)
			cr_assert_eq(histogram_quantile(&h, percent / 100.0), cases[i].told,
				"%llu: %llu", (unsigned long long)cases[i].number,
				(unsigned long long)histogram_quantile(
					&h, percent / 100.0));
	}
}

Test(histogram, every_number_below_the_greatest_is_within_a_32nd)
{
	for (uint64_t n = 1; n < (uint64_t)1 << 40; n += n / 3 + 1) {
		uint64_t told;

		histogram_clear(&h);
		histogram_add(&h, n);
		told = histogram_quantile(&h, 0.5);
		cr_assert_leq(llabs((long long)told - (long long)n) * 32, (long long)n);
	}
}

Test(histogram, quantiles_of_many)
{
	static const struct {
		double share;
		uint64_t told;
	} cases[] = {
		{ 0, 10 },
		{ 0.5, 10 },
		{ 0.98, 10 },
		{ 0.981, 20 },
		{ 0.99, 20 },
		{ 0.998, 20 },
		{ 0.999, 31 },
		{ 1, 31 },
	};

	cr_assert_eq(histogram_quantile(&h, 0.5), 0);
	for (int i = 0; i < 1000; i++)
		histogram_add(&h, i < 980 ? 10 : i < 998 ? 20 : 31);
	cr_assert_eq(histogram_count(&h), 1000);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_eq(histogram_quantile(&h, cases[i].share), cases[i].told,
			"%g: %llu", cases[i].share,
			(unsigned long long)histogram_quantile(&h, cases[i].share));
}

Test(histogram, merged_is_counted_together)
{
	static struct histogram other;

	histogram_add(&h, 5);
	histogram_add(&other, 5);
	histogram_add(&other, 9000);
	histogram_merge(&h, &other);
	cr_assert_eq(histogram_count(&h), 3);
	cr_assert_eq(histogram_count(&other), 2);
	cr_assert_eq(histogram_quantile(&h, 0.6), 5);
	cr_assert_eq(histogram_quantile(&h, 1), 9087); /* 8960 to 9215 */
	histogram_clear(&h);
	cr_assert_eq(histogram_count(&h), 0);
}
