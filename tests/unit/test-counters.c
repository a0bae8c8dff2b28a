// SPDX-License-Identifier: GPL-2.0-or-later
/* What two readings of a counter make, whatever the hardware did in between. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>

#include "measure/counters.h"
#include "measure/perf_parts.h"

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

/* One descriptor for each of 256 CPUs, and six where flushes are traced by reason. */
Test(files, limit_has_room_for_each_cpu)
{
	static const struct {
		uint64_t now, most;
		size_t more;
		uint64_t limit;
	} cases[] = {
		{ 1024, 524288, 2 * 6, 1024 },
		{ 1024, 524288, 256, 1024 },
		{ 1024, 524288, 256 * 6, 1600 },
		{ 1600, 524288, 256 * 6, 1600 },
		{ 1599, 524288, 256 * 6, 1600 },
		{ 1024, 1200, 256 * 6, 1200 },
		{ 1024, 1024, 256 * 6, 1024 },
		{ 1024, RLIM_INFINITY, 256 * 6, 1600 },
		{ RLIM_INFINITY, RLIM_INFINITY, 256 * 6, RLIM_INFINITY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const uint64_t limit =
			perf_file_limit(cases[i].now, cases[i].most, cases[i].more);

		cr_expect_eq(limit, cases[i].limit, "case %zu: %lu", i, limit);
	}
}

Test(files, limit_is_raised_and_never_lowered)
{
	struct rlimit limit = { 100, 1700 };

	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	perf_raise_file_limit(256 * 6);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_expect_eq(limit.rlim_cur, 1600);
	perf_raise_file_limit(1);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_expect_eq(limit.rlim_cur, 1600);
	cr_expect_eq(limit.rlim_max, 1700);
}
