// SPDX-License-Identifier: GPL-2.0-or-later
/* What two readings of a counter make, whatever the hardware did in between. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>

#include "measure/counters.h"

Test(counters, differences)
{
	static const struct {
		struct counter_value before, after;
		int code;
		uint64_t count;
	} cases[] = {
		{ { 0, 0, 0 }, { 7, 100, 100 }, 0, 7 },
		/* It ran, and nothing happened. */
		{ { 0, 0, 0 }, { 0, 100, 100 }, 0, 0 },
		{ { 5, 100, 50 }, { 5, 200, 51 }, 0, 0 },
		/* It opened and never ran: not 0. */
		{ { 0, 0, 0 }, { 0, 100, 0 }, -ENODATA, 0 },
		{ { 5, 100, 50 }, { 5, 200, 50 }, -ENODATA, 0 },
		/* Across the sign, and across the end: the kernel keeps 64 bits. */
		{ { INT64_MAX, 1, 1 }, { (uint64_t)INT64_MAX + 3, 2, 2 }, 0, 3 },
		{ { UINT64_MAX - 1, 1, 1 }, { 3, 2, 2 }, 0, 5 },
		{ { UINT64_MAX, 1, 1 }, { UINT64_MAX, 2, 2 }, 0, 0 },
		/* Backwards is no wrap. */
		{ { 5, 100, 50 }, { 4, 200, 60 }, -ERANGE, 0 },
		{ { 5, 100, 50 }, { 9, 99, 60 }, -ERANGE, 0 },
		{ { 5, 100, 50 }, { 9, 200, 49 }, -ERANGE, 0 },
		/* A reading that failed, on either side. */
		{ { 0, UINT64_MAX, 0 }, { 9, 200, 60 }, -ERANGE, 0 },
		{ { 5, 100, 50 }, { 0, UINT64_MAX, 0 }, -ERANGE, 0 },
		{ { 0, 0, 0 }, { 0, UINT64_MAX, 0 }, -ENODATA, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct counter_value delta = { .count = 0 };

		cr_expect_eq(counters_delta(&cases[i].before, &cases[i].after, &delta),
			cases[i].code, "case %zu", i);
		cr_expect_eq(delta.count, cases[i].count, "case %zu: %lu", i, delta.count);
	}
}
