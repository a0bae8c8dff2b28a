// SPDX-License-Identifier: GPL-2.0-or-later
/* Two records side by side: values, pairing, words, filter. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample-record.h"
#include "verdicts/compare.h"

static const struct compare_options show_all = { .show = SHOW_ALL };

static struct comparison *compare(const struct record *base, const struct record *cand,
	const struct compare_options *options)
{
	struct comparison *c = NULL;

	cr_assert_eq(compare_records(base, cand, options, &c), 0);
	return c;
}

static const struct compare_row *find_row(
	const struct comparison *c, const char *workload, const char *metric)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (strcmp(c->rows[i].workload, workload) == 0 &&
			strcmp(c->rows[i].metric, metric) == 0)
			return &c->rows[i];
	cr_assert_fail("no row %s %s", workload, metric);
	return NULL;
}

/* A record with one run of one sample, of one metric. */
static struct record *single(const char *metric, int value)
{
	struct record *r = record_new();

	r->complete = true;
	sample_metric(sample_run(r, "swap", 1), metric, value);
	return r;
}

Test(value, median_in_a_process_mean_over_processes_and_boots)
{
	/* Boots and processes out of order; per unit of 100. */
	static const struct place places[] = { { .boot = 2, .process = 0 },
		{ .boot = 1, .process = 0, .warmup = true }, { .boot = 1, .process = 0 },
		{ .boot = 1, .process = 0 }, { .boot = 1, .process = 0 },
		{ .boot = 1, .process = 1 }, { .boot = 1, .process = 1 },
		{ .block = 1, .boot = 1, .process = 1 } };
	struct record *r = record_new();
	struct run *run = sample_run(r, "swap", 8);
	/* Boot 1: process 0 median 300, 1 median 500, 1 of block 1 700: mean 500. */
	struct metric *m = sample_metric(
		run, "ns_per_page", 900, 99999, 300, 100, 9000, 400, 600, 700);
	struct compare_value v;

	memcpy(run->places, places, sizeof(places));
	cr_assert_eq(compare_value_of(run, m, &v), 0);
	cr_expect(v.known);
	cr_expect_float_eq(v.value, 7, 1e-12); /* (500 + 900) / 2 / 100 */
	cr_expect_eq(v.n_boots, 2);
	cr_expect_eq(v.n_processes, 4);
	cr_expect_eq(v.n_samples, 7);
	cr_expect(v.varies && !v.negative);
	cr_expect_eq(v.boots[0].boot, 1);
	cr_expect(v.boots[0].many_blocks && !v.boots[1].many_blocks);
	cr_expect_float_eq(v.boots[0].value, 5, 1e-12);
	compare_value_clear(&v);
	for (size_t i = 0; i < 8; i++)
		run->places[i].warmup = true;
	cr_assert_eq(compare_value_of(run, m, &v), 0);
	cr_expect_not(v.known);
	cr_expect_eq(v.n_boots, 0);
	record_free(r);
}

Test(compare, one_boot_shows_a_change_and_no_verdict)
{
	static const struct {
		int base, cand;
		enum metric_kind kind;
		double ratio; /* 0: none */
		double difference;
	} cases[] = {
		{ 200, 100, KIND_SAMPLE, 0.5, -1 },
		{ 100, 300, KIND_SAMPLE, 3, 2 },
		{ 100, 100, KIND_SAMPLE, 1, 0 },
		{ 0, 25, KIND_SAMPLE, 0, 0.25 },
		{ 25, 0, KIND_EXACT, 0, -0.25 },
		{ 0, 0, KIND_EXACT, 0, 0 },
		{ 100, 200, KIND_SHARE, 0, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *base = single("ns_per_page", cases[i].base);
		struct record *cand = single("ns_per_page", cases[i].cand);
		const struct compare_row *row;
		struct comparison *c;

		base->runs[0].metrics[0].kind = cases[i].kind;
		c = compare(base, cand, &show_all);
		row = find_row(c, "swap", "ns_per_page");
		cr_expect_eq(row->word, WORD_INCONCLUSIVE, "case %zu", i);
		cr_expect_eq(row->judgement.needed, 6, "case %zu", i);
		cr_expect_eq(row->has_ratio, cases[i].ratio != 0, "case %zu", i);
		cr_expect_float_eq(row->ratio, cases[i].ratio, 1e-12, "case %zu", i);
		cr_expect(row->has_difference);
		cr_expect_float_eq(row->difference, cases[i].difference, 1e-12);
		cr_expect_not(row->missing);
		cr_expect_eq(c->n_paired, 1);
		cr_expect_eq(c->n_inconclusive, 1);
		cr_expect_eq(compare_exit_code(c, FAIL_DEFAULT), 0);
		cr_expect_eq(compare_exit_code(c, FAIL_INCONCLUSIVE), 4);
		comparison_free(c);
		record_free(base);
		record_free(cand);
	}
}

Test(compare, numbers_beyond_a_double_give_no_change)
{
	struct record *base = single("x", 0), *cand = single("x", 0);
	struct comparison *c;

	base->runs[0].metrics[0].values[0] =
		(struct number){ .is_real = true, .real = -1.7e308 };
	cand->runs[0].metrics[0].values[0] =
		(struct number){ .is_real = true, .real = 1.7e308 };
	base->runs[0].metrics[0].per_unit = cand->runs[0].metrics[0].per_unit = false;
	c = compare(base, cand, &show_all);
	cr_expect_eq(c->rows[0].word, WORD_MISFIT, "a clock that jumped");
	cr_expect_not(c->rows[0].has_ratio);
	cr_expect_not(c->rows[0].has_difference);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(compare, what_has_no_number_keeps_its_row)
{
	struct record *base = single("gone", 1), *cand = single("new", 1);
	struct run *b = &base->runs[0], *n = &cand->runs[0];
	const struct compare_row *row;
	struct comparison *c;

	sample_metric(b, "unit", 1);
	free(sample_metric(n, "unit", 1)->unit);
	run_find_metric(n, "unit")->unit = mem_text("us/page");
	sample_metric(b, "direction", 1)->better = BETTER_HIGHER;
	sample_metric(n, "direction", 1);
	sample_metric(b, "no_pmu", 1);
	run_add_metric(n, "no_pmu", "ns/page", "", BETTER_LOWER, KIND_SAMPLE)->unavailable =
		mem_text("no PMU");
	sample_metric(b, "tcg", 1);
	sample_metric(n, "tcg", 9)->emulated = true;
	c = compare(base, cand, &show_all);

	row = find_row(c, "swap", "gone");
	cr_expect(row->word == WORD_GONE && row->missing && row->base.known);
	row = find_row(c, "swap", "new");
	cr_expect(row->word == WORD_NEW && !row->missing && row->cand.known);
	row = find_row(c, "swap", "unit");
	cr_expect(row->word == WORD_MISFIT && row->missing && !row->has_difference);
	cr_expect_str_eq(row->note, "units differ: ns/page against us/page");
	cr_expect_eq(find_row(c, "swap", "direction")->word, WORD_MISFIT);
	row = find_row(c, "swap", "no_pmu");
	cr_expect(row->word == WORD_UNAVAILABLE && row->missing && row->base.known);
	cr_expect_str_eq(row->note, "cand: no PMU");
	row = find_row(c, "swap", "tcg");
	cr_expect(row->word == WORD_EMULATED && !row->has_ratio && !row->has_difference);
	cr_expect(row->base.known && row->cand.known && !row->missing);
	cr_expect_eq(c->n_missing, 0, "none of these is primary");
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(compare, status_of_a_run)
{
	static const struct {
		enum run_status base, cand;
		enum compare_word word;
		bool missing;
	} cases[] = {
		{ RUN_OK, RUN_INVALID, WORD_INVALID, true },
		{ RUN_OK, RUN_SKIPPED, WORD_SKIPPED, true },
		{ RUN_INCOMPLETE, RUN_FAILED, WORD_FAILED, true },
		{ RUN_INVALID, RUN_OK, WORD_INVALID, false },
		{ RUN_SKIPPED, RUN_SKIPPED, WORD_SKIPPED, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *base = single("ns_per_page", 1),
			      *cand = single("ns_per_page", 1);
		const struct compare_row *row;
		struct comparison *c;

		base->runs[0].status = cases[i].base;
		cand->runs[0].status = cases[i].cand;
		base->runs[0].reason = mem_text("why");
		cand->runs[0].reason = mem_text("why");
		c = compare(base, cand, &show_all);
		cr_assert_eq(c->n_rows, 1, "no number of such a run");
		row = find_row(c, "swap", "-");
		cr_expect_eq(row->word, cases[i].word, "case %zu", i);
		cr_expect_eq(row->missing, cases[i].missing, "case %zu", i);
		cr_expect_eq(c->n_missing, cases[i].missing, "case %zu", i);
		cr_expect_str_eq(
			row->note, cases[i].cand == RUN_OK ? "base: why" : "cand: why");
		comparison_free(c);
		record_free(base);
		record_free(cand);
	}
}

Test(compare, pairs_by_workload_revision_and_params)
{
	struct record *base = record_new(), *cand = record_new();
	struct comparison *c;

	base->complete = cand->complete = true;
	for (int threads = 0; threads < 2; threads++) {
		struct run *b = sample_run(base, "swap", 1), *n;

		fields_set_number(&b->params, "threads", threads);
		fields_set_number(&b->params, "size", 4096);
		sample_metric(b, "ns_per_page", 100 + threads);
		n = sample_run(cand, "swap", 1); /* the other way round */
		fields_set_number(&n->params, "size", 4096);
		fields_set_number(&n->params, "threads", 1 - threads);
		sample_metric(n, "ns_per_page", 100 + 1 - threads);
	}
	sample_metric(sample_run(base, "null", 1), "ns_per_op", 1);
	sample_metric(sample_run(cand, "null", 1), "ns_per_op", 1);
	cand->runs[2].revision = 2;
	c = compare(base, cand, &show_all);
	cr_expect_eq(find_row(c, "swap:threads=0", "ns_per_page")->difference, 0);
	cr_expect_eq(find_row(c, "swap:threads=1", "ns_per_page")->difference, 0);
	cr_expect_eq(find_row(c, "null:revision=1", "-")->word, WORD_GONE);
	cr_expect_eq(find_row(c, "null:revision=2", "-")->word, WORD_NEW);
	cr_expect_eq(c->n_rows, 4);
	cr_expect_eq(c->n_missing, 1);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(compare, alike_runs_pair_in_their_order)
{
	struct record *base = single("ns_per_page", 1), *cand = single("ns_per_page", 1);
	struct comparison *c;

	sample_metric(sample_run(base, "swap", 1), "ns_per_page", 2);
	sample_metric(sample_run(cand, "swap", 1), "ns_per_page", 2);
	c = compare(base, cand, &show_all);
	cr_assert_eq(c->n_rows, 2);
	cr_expect(c->rows[0].ratio == 1 && c->rows[1].ratio == 1);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(compare, identity)
{
	struct record *base = single("ns_per_page", 1), *cand = single("ns_per_page", 1);
	struct compare_options allow = { .allow_mismatch = "x,thp,memory" };
	struct comparison *c;

	fields_set_text(&base->identity, "cpu", "same");
	fields_set_text(&cand->identity, "cpu", "same");
	fields_set_text(&base->identity, "memory", "1");
	fields_set_number(&cand->identity, "memory", 1);
	fields_set_text(&cand->identity, "thp", "always");
	fields_set_text(&cand->subject, "kernel", "6.12");
	c = compare(base, cand, &show_all);
	cr_expect_not(c->comparable);
	cr_expect_eq(c->n_rows, 0);
	cr_assert_eq(c->n_identity, 2);
	cr_expect_str_eq(c->identity[1].key, "thp");
	cr_expect_str_eq(c->identity[1].base, "not recorded");
	cr_expect_str_eq(c->identity[1].cand, "always");
	cr_expect_eq(c->n_subject, 1);
	comparison_free(c);
	c = compare(base, cand, &allow);
	cr_expect(c->comparable && c->n_rows == 1 && c->identity[0].allowed);
	comparison_free(c);
	allow.allow_mismatch = "th,memory";
	c = compare(base, cand, &allow);
	cr_expect(!c->comparable && c->identity[0].allowed && !c->identity[1].allowed);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(compare, primary)
{
	static const char *const yes[] = { "ns_per_page", "user_ns_per_page",
		"swap_in_ns_per_op", "tlb_shootdowns_per_page", "ipis_per_page",
		"call_ipis_per_op", "task_clock_ns_per_page", "tlbi_per_page",
		"dsb_ish_per_page" };
	static const char *const no[] = { "pswpout_per_page", "cycles:u_per_page",
		"page_faults_per_page", "tlb_flush:remote_per_page", "share:x", "" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		cr_expect(compare_is_primary(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		cr_expect_not(compare_is_primary(no[i]), "%s", no[i]);
}

Test(compare, filter)
{
	static const struct {
		struct compare_options options;
		size_t shown, missing;
	} cases[] = {
		{ { .show = SHOW_PRIMARY }, 2, 1 },
		{ { .show = SHOW_ALL }, 5, 1 },
		{ { .show = SHOW_CHANGED }, 3, 1 },
		{ { .metric = "*_count" }, 3, 1 },
		{ { .metric = "none" }, 0, 0 },
		{ { .workload = "swa?" }, 2, 1 },
		{ { .workload = "null" }, 0, 0 },
	};
	struct record *base = single("ns_per_page", 1), *cand = single("ns_per_page", 1);

	sample_metric(&base->runs[0], "ns_per_op", 1); /* gone */
	sample_metric(&base->runs[0], "a_count", 1);   /* changed */
	sample_metric(&cand->runs[0], "a_count", 2);
	sample_metric(&base->runs[0], "b_count", 1); /* gone */
	sample_metric(&base->runs[0], "c_count", 1); /* same */
	sample_metric(&cand->runs[0], "c_count", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct comparison *c = compare(base, cand, &cases[i].options);

		cr_expect_eq(c->n_rows, 5);
		cr_expect_eq(c->n_shown, cases[i].shown, "case %zu: %zu", i, c->n_shown);
		cr_expect_eq(c->n_missing, cases[i].missing, "case %zu", i);
		comparison_free(c);
	}
	record_free(base);
	record_free(cand);
}
