// SPDX-License-Identifier: GPL-2.0-or-later
/* What a session says beforehand that it will take. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "measure/session.h"

#define MIB ((uint64_t)1 << 20)
#define S UINT64_C(1000000000)

/* 10 samples in 10 s; of a second each: 3 traced, and a profile of three. */
static const struct session_options ten = { .n_samples = 10, .budget_ns = 10 * S };
static const struct session_options bare = {
	.n_samples = 10, .budget_ns = 10 * S, .no_trace = true, .no_profile = true
};
static const struct session_options brief = { .n_samples = 2, .budget_ns = S };

Test(session, cost)
{
	static const struct {
		const struct session_options *options;
		const char *specs[3];
		struct session_cost cost;
	} cases[] = {
		{ &ten, { NULL }, { 0 } },
		{ &bare, { "null" }, { 1, 10 * S, 0, 0, 0 } },
		{ &ten, { "null" }, { 1, 10 * S + 3 * S + 3 * S, 0, 0, 0 } },
		{ &brief, { "null" }, { 1, S + S + S, 0, 0, 0 } },
		/* Memory of one at a time; swap of those that need it. */
		{ &bare, { "dontneed:size=16M", "swap:size=4M" },
			{ 2, 20 * S, 0, 16 * MIB, 4 * MIB } },
		{ &bare, { "swap:size=4M", "swap:size=4M" },
			{ 1, 10 * S, 0, 4 * MIB, 4 * MIB } },
		/* Pressure has to go to swap, whatever else does. */
		{ &bare, { "rewrite:size=1M" }, { 1, 10 * S, 0, 11 * MIB, 0 } },
		{ &bare, { "rewrite:size=1M,pressure=64M" },
			{ 1, 10 * S, 0, 11 * MIB, 75 * MIB } },
		{ &bare, { "litmus:size=1M,pressure=10M" },
			{ 1, 10 * S, 0, 6 * MIB, 16 * MIB } },
		/* How long 10000 operations take is not known here. */
		{ &bare, { "null", "swap:iterations=10000", "null:iterations=5" },
			{ 3, 10 * S, 2, MIB, MIB } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct session_cost *want = &cases[i].cost;
		struct session_cost cost;
		struct session *s;
		struct err err;

		cr_assert_eq(session_open(cases[i].options, &s, &err), 0);
		for (size_t k = 0; k < 3 && cases[i].specs[k]; k++)
			cr_assert_eq(session_add(s, cases[i].specs[k], &err), 0);
		session_cost(s, &cost);
		cr_expect_eq(cost.n_workloads, want->n_workloads, "case %zu", i);
		cr_expect_eq(cost.time_ns, want->time_ns, "case %zu: %llu", i,
			(unsigned long long)cost.time_ns);
		cr_expect_eq(cost.n_endless, want->n_endless, "case %zu", i);
		cr_expect_eq(cost.memory_bytes, want->memory_bytes, "case %zu", i);
		cr_expect_eq(cost.swap_bytes, want->swap_bytes, "case %zu", i);
		session_close(s);
	}
}
