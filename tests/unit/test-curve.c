// SPDX-License-Identifier: GPL-2.0-or-later
/* A metric against a parameter, and from where on the candidate is better. */
#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/curve.h"
#include "verdicts/merge.h"

/* b: better, w: not better, -: not known. */
Test(crossover, table)
{
	static const struct {
		const char *points;
		enum crossover kind;
		size_t from;
	} cases[] = {
		{ "", CROSSOVER_NONE, 0 },
		{ "---", CROSSOVER_NONE, 0 },
		{ "b", CROSSOVER_EVERYWHERE, 0 },
		{ "bbb", CROSSOVER_EVERYWHERE, 0 },
		{ "w", CROSSOVER_NOWHERE, 0 },
		{ "www", CROSSOVER_NOWHERE, 0 },
		{ "wbb", CROSSOVER_FROM, 1 },
		{ "wwb", CROSSOVER_FROM, 2 },
		/* It has to stay so. */
		{ "bbw", CROSSOVER_NOWHERE, 0 },
		{ "bwb", CROSSOVER_FROM, 2 },
		{ "wbwbb", CROSSOVER_FROM, 3 },
		/* What is not known decides nothing. */
		{ "w-b", CROSSOVER_FROM, 2 },
		{ "wb-b", CROSSOVER_FROM, 1 },
		{ "wb-", CROSSOVER_FROM, 1 },
		{ "-bb", CROSSOVER_EVERYWHERE, 1 },
		{ "b-w", CROSSOVER_NOWHERE, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const size_t n = strlen(cases[i].points);
		struct curve_point points[8] = { 0 };
		size_t from = 0;

		for (size_t k = 0; k < n; k++) {
			points[k].known = cases[i].points[k] != '-';
			points[k].better = cases[i].points[k] == 'b';
		}
		cr_expect_eq(crossover_find(points, n, &from), cases[i].kind, "\"%s\"",
			cases[i].points);
		cr_expect_eq(from, cases[i].from, "\"%s\"", cases[i].points);
	}
}

/* A run with the parameter, and its metric in n boots of one sample. */
static struct run *add_point(struct record *r, int64_t x, const char *metric,
	const char *unit, const double *values, size_t n)
{
	struct run *run = arm_run(r, "swap", n, 1, 1);

	r->complete = true;
	fields_set_number(&run->params, "threads", x);
	arm_metric(run, metric, unit, KIND_SAMPLE, values);
	return run;
}

struct arms {
	struct record *base, *cand;
};

/* base and cand of a count in two boots, at three values that are out of order. */
static struct arms sample(void)
{
	static const double base[3][2] = { { 3.0, 3.2 }, { 0.5, 0.52 }, { 1.0, 1.1 } };
	static const double cand[3][2] = { { 0.1, 0.12 }, { 0.49, 0.51 }, { 0.1, 0.1 } };
	static const int64_t xs[3] = { 4, 1, 2 };
	struct arms a = { record_new(), record_new() };

	for (size_t i = 0; i < 3; i++) {
		add_point(a.base, xs[i], "tlb_shootdowns_per_page", "interrupts/page",
			base[i], 2);
		add_point(a.cand, xs[i], "tlb_shootdowns_per_page", "interrupts/page",
			cand[i], 2);
	}
	return a;
}

static void free_arms(struct arms *a)
{
	record_free(a->base);
	record_free(a->cand);
}

Test(curve, in_order_with_a_crossover)
{
	struct arms a = sample();
	struct curve c;
	struct err err;
	char *text;

	cr_assert_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), 0);
	cr_expect_str_eq(c.metric, "tlb_shootdowns_per_page");
	cr_expect_str_eq(c.unit, "interrupts/page");
	cr_assert_eq(c.n_points, 3);
	cr_expect(c.two_sided && c.ordered && !c.emulated);
	cr_expect_str_eq(c.points[0].label, "1");
	cr_expect_str_eq(c.points[2].label, "4");
	/* 0.51 against 0.50: neither 3 % nor 0.05 is all it takes. */
	cr_expect_not(c.points[0].better);
	cr_expect(c.points[1].better && c.points[2].better);
	cr_expect_eq(c.crossover, CROSSOVER_FROM);
	cr_expect_eq(c.from, 1);
	/* One comparison for all points: p is corrected for three. */
	cr_expect_eq(c.points[2].row->judgement.family, 3);
	text = curve_sentence(&c, "old", "new");
	cr_expect_str_eq(text, "In tlb_shootdowns_per_page, new is better than old from "
			       "threads=2 on. A point has 2 boots, and a verdict takes 6.");
	free(text);
	curve_clear(&c);
	/* The other way round the candidate is worse at the end. */
	cr_assert_eq(curve_make(a.cand, a.base, "threads", NULL, &c, &err), 0);
	cr_expect_eq(c.crossover, CROSSOVER_NOWHERE);
	text = curve_sentence(&c, "old", "new");
	cr_expect(strstr(text, "there is no value of threads from which on new is better"));
	free(text);
	curve_clear(&c);
	free_arms(&a);
}

Test(curve, the_smallest_effect_is_relative_and_absolute)
{
	static const struct {
		double base, cand;
		enum metric_better better;
		bool is_better;
	} cases[] = {
		{ 1, 0.94, BETTER_LOWER, true },
		{ 1, 0.96, BETTER_LOWER, false },   /* by 0.04 */
		{ 100, 98, BETTER_LOWER, false },   /* by 2 % */
		{ 0.06, 0.00, BETTER_LOWER, true }, /* no ratio */
		{ 0.04, 0.00, BETTER_LOWER, false },
		{ 0, 0, BETTER_LOWER, false },
		{ 1, 2, BETTER_LOWER, false },
		{ 1, 2, BETTER_HIGHER, true },
		{ 2, 1, BETTER_HIGHER, false },
		{ 2, 1, BETTER_NONE, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arms a = { record_new(), record_new() };
		struct curve c;
		struct err err;

		add_point(a.base, 1, "m", "events/page", &cases[i].base, 1)
			->metrics[0]
			.better = cases[i].better;
		add_point(a.cand, 1, "m", "events/page", &cases[i].cand, 1)
			->metrics[0]
			.better = cases[i].better;
		cr_assert_eq(curve_make(a.base, a.cand, "threads", "m", &c, &err), 0);
		cr_expect(c.points[0].known);
		cr_expect_eq(c.points[0].better, cases[i].is_better, "case %zu", i);
		cr_expect_eq(c.crossover == CROSSOVER_NONE, cases[i].better == BETTER_NONE);
		curve_clear(&c);
		free_arms(&a);
	}
}

Test(curve, one_side_has_values_and_no_crossover)
{
	struct record *r = record_new();
	const double values[] = { 5, 4, 6 };
	struct curve c;
	struct curve_dots d;
	struct err err;

	add_point(r, 1, "ns_per_page", "ns/page", values, 1);
	add_point(r, 0, "ns_per_page", "ns/page", values, 1);
	arm_metric(&r->runs[0], "tlb_shootdowns_per_page", "interrupts/page", KIND_SAMPLE,
		values);
	/* Another pass over the same point adds nothing. */
	add_point(r, 1, "ns_per_page", "ns/page", values + 2, 1);
	cr_assert_eq(curve_make(r, NULL, "threads", NULL, &c, &err), 0);
	cr_expect_str_eq(c.metric, "ns_per_page", "of one side the clock comes first");
	cr_assert_eq(c.n_points, 2);
	cr_expect_float_eq(c.points[1].row->base.value, 5, 1e-12);
	cr_expect_eq(c.crossover, CROSSOVER_NONE);
	cr_expect_null(curve_sentence(&c, "a", "b"));
	d = curve_dots_of(&c, &c.points[1], false);
	cr_expect_eq(d.count, 1);
	cr_expect_not(d.boots);
	free(d.values);
	curve_clear(&c);
	record_free(r);
}

Test(curve, points_without_a_value_stay)
{
	struct arms a = sample();
	struct run *lost[2] = { record_add_run(a.base, "swap", 1, "page"),
		record_add_run(a.cand, "swap", 1, "page") };
	struct curve c;
	struct err err;

	for (int i = 0; i < 2; i++) {
		lost[i]->status = RUN_FAILED;
		lost[i]->reason = mem_text("no boot ended well");
		fields_set_number(&lost[i]->params, "threads", 8);
	}
	cr_assert_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), 0);
	cr_assert_eq(c.n_points, 4);
	cr_expect_not(c.points[3].known);
	cr_expect_eq(c.points[3].row->word, WORD_FAILED);
	cr_expect_eq(c.crossover, CROSSOVER_FROM);
	curve_clear(&c);
	free_arms(&a);
}

Test(curve, words_have_no_order)
{
	static const char *const kinds[] = { "shm", "anon", "file" };
	struct arms a = sample();
	struct curve c;
	struct err err;

	for (size_t i = 0; i < 3; i++) {
		fields_set_text(&a.base->runs[i].params, "threads", kinds[i]);
		fields_set_text(&a.cand->runs[i].params, "threads", kinds[i]);
	}
	cr_assert_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), 0);
	cr_expect_not(c.ordered);
	cr_expect_str_eq(c.points[0].label, "shm");
	cr_expect_str_eq(c.points[2].label, "file");
	cr_expect_eq(c.crossover, CROSSOVER_NONE);
	curve_clear(&c);
	free_arms(&a);
}

Test(curve, emulated_time_has_no_crossover)
{
	struct arms a = { record_new(), record_new() };
	const double base = 100, cand = 10;
	struct curve c;
	struct err err;

	add_point(a.base, 1, "ns_per_page", "ns/page", &base, 1)->metrics[0].emulated =
		true;
	add_point(a.cand, 1, "ns_per_page", "ns/page", &cand, 1)->metrics[0].emulated =
		true;
	cr_expect_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), -ENODATA);
	cr_assert_eq(curve_make(a.base, a.cand, "threads", "ns_per_page", &c, &err), 0);
	cr_expect(c.emulated);
	cr_expect_eq(c.crossover, CROSSOVER_NONE);
	curve_clear(&c);
	free_arms(&a);
}

Test(curve, failures_name_what_is_missing)
{
	struct arms a = sample();
	struct curve c = { .n_points = 77 };
	struct err err = { "" };

	cr_expect_eq(curve_make(a.base, a.cand, "threads", "dsb", &c, &err), -ENODATA);
	cr_expect(strstr(err.text, "no point has the metric dsb"), "%s", err.text);
	cr_expect_eq(curve_make(a.base, a.cand, "size", NULL, &c, &err), -ENODATA);
	fields_set_text(&a.base->identity, "arch", "x86_64");
	fields_set_text(&a.cand->identity, "arch", "aarch64");
	cr_expect_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), -ESTALE);
	cr_expect(strstr(err.text, "arch is x86_64 and aarch64"), "%s", err.text);
	cr_expect_eq(c.n_points, 77);
	free_arms(&a);
}

Test(curve, json_has_every_number)
{
	struct arms a = sample();
	const struct curve_names names = { "swap", "old", "new", "a \xff machine" };
	struct curve c;
	struct err err;
	json_t *json, *point;
	char *text;

	cr_assert_eq(curve_make(a.base, a.cand, "threads", NULL, &c, &err), 0);
	cr_assert_eq(curve_json(&c, &names, &text), 0);
	json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	cr_assert(json);
	cr_expect_str_eq(json_string_value(json_object_get(json, "schema")), CURVE_SCHEMA);
	cr_expect_str_eq(json_string_value(json_object_get(
				 json_object_get(json, "crossover"), "label")),
		"2");
	point = json_array_get(json_object_get(json, "points"), 2);
	cr_expect_float_eq(json_real_value(json_object_get(point, "x")), 4, 1e-12);
	cr_expect_float_eq(json_real_value(json_object_get(point, "ratio")),
		sqrt(0.1 / 3.0 * 0.12 / 3.2), 1e-9);
	cr_expect(json_is_real(json_object_get(point, "ratio_low")));
	cr_expect_eq(
		json_array_size(json_object_get(json_object_get(point, "base"), "dots")),
		2);
	json_decref(json);
	free(text);
	curve_clear(&c);
	free_arms(&a);
}

Test(merge, runs_of_several_records_side_by_side)
{
	struct arms a = sample(), b = sample();

	fields_set_text(&a.base->identity, "cpus_online", "0-3");
	fields_set_text(&b.base->identity, "cpus_online", "0-7");
	record_take_runs(a.cand, b.base, "cpus", 8);
	cr_expect_eq(b.base->n_runs, 0);
	cr_assert_eq(a.cand->n_runs, 6);
	cr_expect_eq(fields_find(&a.cand->runs[5].params, "cpus")->number, 8);
	cr_expect_null(fields_find(&a.cand->runs[2].params, "cpus"));
	cr_expect_null(fields_find(&a.cand->identity, "cpus_online"));
	record_take_runs(b.base, a.base, "cpus", 4);
	cr_expect_str_eq(fields_find(&b.base->identity, "cpus_online")->text, "0-3");
	cr_expect_eq(b.base->n_runs, 3);
	free_arms(&a);
	free_arms(&b);
}
