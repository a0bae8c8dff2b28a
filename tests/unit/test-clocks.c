// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <time.h>

#include "bench/cycles.h"
#include "measure/clocks.h"
#include "measure/window_parts.h"

#define MS 1000000ULL

/* A counter of 2 ticks each ns, read in width ticks. */
static struct moment at(uint64_t ns, uint64_t counter_ns, uint64_t width)
{
	return (struct moment){ .ns = ns,
		.ticks = 2 * counter_ns - width / 2,
		.until = 2 * counter_ns + width / 2 };
}

Test(clocks, a_jump_is_seen)
{
	static const struct {
		const char *what;
		uint64_t history, ns, counter_ns, width;
		int64_t by;
	} cases[] = {
		{ "both went on", 50 * MS, 100 * MS, 100 * MS, 0, 0 },
		{ "slewed", 50 * MS, 100 * MS, 99 * MS, 0, 0 },
		{ "forward", 50 * MS, 130 * MS, 100 * MS, 0, 30 * MS },
		{ "forward in a short sample", 50 * MS, 2 * MS, 1 * MS, 0, 1 * MS },
		{ "the counter went on in a sleep", 50 * MS, 100 * MS, 5000 * MS, 0,
			-4900000000 },
		{ "the counter began anew", 50 * MS, 100 * MS, (uint64_t)-20 * MS, 0,
			120 * MS },
		{ "read while others ran", 50 * MS, 130 * MS, 100 * MS, 120 * MS, 0 },
		{ "no history", 9 * MS, 130 * MS, 100 * MS, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const uint64_t h = cases[i].history, start = 1000 * MS;
		const struct moment origin = at(start, start, 0);
		const struct moment begin = at(start + h, start + h, 0);
		const struct moment end = at(start + h + cases[i].ns,
			start + h + cases[i].counter_ns, cases[i].width);

		cr_expect_eq(clocks_disagree(&origin, &begin, &end), cases[i].by,
			"%s: %lld", cases[i].what,
			(long long)clocks_disagree(&origin, &begin, &end));
	}
}

Test(clocks, the_real_ones_agree)
{
	const struct timespec history = { .tv_nsec = 20 * MS };
	const struct moment origin = moment_now();
	struct moment begin;

	nanosleep(&history, NULL);
	begin = moment_now();
	for (int i = 0; i < 20; i++) {
		const struct moment end = moment_now();

		cr_expect_eq(clocks_disagree(&origin, &begin, &end), 0);
	}
}

Test(clocks, a_sample_with_a_jump_is_taken_again)
{
	const struct window w = { .opened = at(0, 0, 0),
		.before = { .moment = at(50 * MS, 50 * MS, 0), .clock_ns = 50 * MS },
		.after = { .moment = at(180 * MS, 150 * MS, 0), .clock_ns = 180 * MS } };
	struct bench b = { 0 };

	cr_expect_eq(window_clock_step(&w, &b), -EAGAIN);
	cr_expect_str_eq(b.reason,
		"CLOCK_MONOTONIC went 30.0 ms too far within a sample of 130.0 ms, "
		"by " CYCLES_SOURCE);
}
