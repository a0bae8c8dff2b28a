// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "sample-arms.h"
#include "verdicts/compare_pair.h"

static void add(
	struct record *r, const char *threads, const char *iterations, const char *pass)
{
	struct run *run = record_add_run(r, "swap", 1, "page");

	fields_set_text(&run->params, "threads", threads);
	fields_set_text(&run->params, "iterations", iterations);
	if (pass)
		fields_set_text(&run->params, "pass", pass);
}

/* What tells the passes apart is their name alone, and the timed one has none. */
Test(compare_pair, labels_of_passes)
{
	static const struct {
		const char *threads, *iterations, *pass, *label;
	} cases[] = {
		{ "0", "200", "timed", "swap:threads=0" },
		{ "0", "200", "traced", "swap:threads=0,pass=traced" },
		{ "0", "auto", "profiled", "swap:threads=0,pass=profiled" },
		{ "1", "200", "timed", "swap:threads=1" },
		{ "1", "200", "traced", "swap:threads=1,pass=traced" },
		{ "1", "auto", "profiled", "swap:threads=1,pass=profiled" },
	};
	const size_t n = sizeof(cases) / sizeof(*cases);
	struct record *r = record_new();
	struct run_pair *pairs;
	size_t n_pairs;

	for (size_t i = 0; i < n; i++)
		add(r, cases[i].threads, cases[i].iterations, cases[i].pass);
	pairs = run_pairs_make(r, r, &n_pairs);
	cr_assert_eq(n_pairs, n);
	for (size_t i = 0; i < n; i++)
		cr_expect_str_eq(pairs[i].label, cases[i].label);
	run_pairs_free(pairs, n_pairs);
	record_free(r);
}

/* A copy of a result is no second measurement. */
Test(compare_pair, same_samples)
{
	static const double one[] = { 5000, 5010 }, other[] = { 5000, 5011 };
	static const struct {
		const double *a, *b;
		const char *unit;
		size_t n;
		bool same;
	} cases[] = {
		{ one, one, "ns/page", 2, true },
		{ one, other, "ns/page", 2, false },
		{ one, one, "events/page", 2, false }, /* counts may well be the same */
		{ one, one, "ns/page", 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *a = record_new(), *b = record_new();
		size_t n = cases[i].n;

		arm_metric(arm_run(a, "swap", n, 1, 1), "x", cases[i].unit, KIND_SAMPLE,
			cases[i].a);
		arm_metric(arm_run(b, "swap", n, 1, 1), "x", cases[i].unit, KIND_SAMPLE,
			cases[i].b);
		cr_expect_eq(records_same_samples(a, b), cases[i].same, "case %zu", i);
		record_add_run(b, "null", 1, "op");
		cr_expect_not(records_same_samples(a, b), "case %zu", i);
		record_free(a);
		record_free(b);
	}
}
