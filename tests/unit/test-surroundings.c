// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tests/fixtures/surroundings was written after the kernel's documentation
 * (Documentation/power/powercap, hwmon/amd_energy, filesystems/proc); no machine gave
 * it.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "measure/surroundings.h"

#define FIXTURES "tests/fixtures/surroundings/"

Test(surroundings, differences_of_two_readings)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	const int64_t expected[SURROUNDINGS] = {
		[AROUND_SOFTIRQ] = 30 * tick_ns,
		[AROUND_STEAL] = 2 * tick_ns,
		/* Package 0 has wrapped; the memory within it does not count twice. */
		[AROUND_ENERGY] = (262143328850 - 262143000000 + 1000000) + 2000000,
		[AROUND_THROTTLES] = 2,
	};
	struct surroundings before, after;

	surroundings_read(FIXTURES "before", &before);
	surroundings_read(FIXTURES "after", &after);
	for (int i = 0; i < SURROUNDINGS; i++) {
		int64_t delta = -1;

		cr_expect_eq(surroundings_delta(&before, &after, i, &delta), 0, "%d", i);
		cr_expect_eq(delta, expected[i], "%d: %ld", i, delta);
		if (i != AROUND_ENERGY)
			cr_expect_eq(surroundings_delta(&after, &before, i, &delta),
				-ERANGE, "%d backwards", i);
	}
}

Test(surroundings, energy_of_sockets)
{
	struct surroundings s, more;
	int64_t delta;

	surroundings_read(FIXTURES "hwmon", &s);
	cr_expect_eq(s.status[AROUND_ENERGY], 0);
	cr_expect_eq(s.n_domains, 2);
	more = s;
	more.energy_uj[1] += 40;
	cr_expect_eq(surroundings_delta(&s, &more, AROUND_ENERGY, &delta), 0);
	cr_expect_eq(delta, 40);
	/* These do not wrap. */
	more.energy_uj[0] = 0;
	cr_expect_eq(surroundings_delta(&s, &more, AROUND_ENERGY, &delta), -ERANGE);
	more = s;
	more.n_domains = 1;
	cr_expect_eq(surroundings_delta(&s, &more, AROUND_ENERGY, &delta), -ERANGE,
		"a socket has gone");
}

Test(surroundings, what_a_machine_does_not_tell)
{
	struct surroundings s;
	int64_t delta;

	surroundings_read("/nonexistent", &s);
	for (int i = 0; i < SURROUNDINGS; i++) {
		cr_expect_lt(s.status[i], 0, "%d", i);
		cr_expect_eq(surroundings_delta(&s, &s, i, &delta), -ENODATA);
		cr_expect_gt(strlen(surroundings_explain(i, s.status[i])), 10);
	}
	cr_expect(strstr(surroundings_explain(AROUND_ENERGY, -EACCES), "root"));
}

Test(surroundings, lines_of_proc_stat)
{
	static const struct {
		const char *text;
		int code;
		uint64_t softirq, steal;
	} cases[] = {
		{ "cpu  1 2 3 4 5 6 7 8 9 10\n", 0, 7, 8 },
		{ "cpu  1 2 3 4 5 6 7 8", 0, 7, 8 },
		{ "\n\ncpu  1 2 3 4 5 6 7 8\n", 0, 7, 8 },
		{ "cpu0 1 2 3 4 5 6 7 8\ncpu  9 9 9 9 9 9 1 2\n", 0, 1, 2 },
		{ "cpu  1 2 3 4 5 6 7\n", -EINVAL, 0, 0 },
		{ "cpu0 1 2 3 4 5 6 7 8\n", -EINVAL, 0, 0 },
		{ "", -EINVAL, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t softirq = 0, steal = 0;

		cr_expect_eq(surroundings_parse_stat(cases[i].text, &softirq, &steal),
			cases[i].code, "case %zu", i);
		cr_expect(softirq == cases[i].softirq && steal == cases[i].steal,
			"case %zu", i);
	}
}
