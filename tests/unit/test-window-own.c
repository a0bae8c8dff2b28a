// SPDX-License-Identifier: GPL-2.0-or-later
/* What a workload reads of its own, from its table to the record. */
#include <criterion/criterion.h>
#include <string.h>

#include "bench/common.h"
#include "measure/window.h"

static const struct bench_metric own[] = {
	{ "answers", "answers", "the oracle", BENCH_HIGHER, true, false },
	{ "oracle_ns_p50", "ns", "the oracle", BENCH_LOWER, false, false },
	{ "lies", "lies", "the oracle", BENCH_LOWER, false, true },
	{ "doubts", "doubts", "the oracle", BENCH_NEITHER, false, false },
	{ 0 },
};

static const struct workload oracle = { .name = "oracle", .unit = "op", .metrics = own };

/* Two samples; the second one has no number of doubts. */
static struct run *measure(struct record *record)
{
	static int ids[] = { 0 };
	const struct cpulist cpus = { .ids = ids, .count = 1 };
	const struct window_plan plan = { .root = "/nonexistent", .cpus = &cpus };
	struct bench b = { .workload = &oracle };
	struct sheet *sheet = sheet_new(0, 2, 1);
	struct window *window;
	struct run *run = record_add_run(record, "oracle", 1, "op");

	cr_assert_eq(window_open(&plan, &b, sheet, &window), 0);
	for (unsigned int i = 0; i < 2; i++) {
		window_begin(window, &b);
		cr_assert_eq(b.metric[0], 0, "left from the sample before");
		window_end(window);
		b.metric[0] = 70 + i;
		b.metric[1] = 5;
		if (i == 1)
			strcpy(b.no_metric[3], "it is sure");
		sheet_slot(sheet, i)->work = 10;
		window_fill(window, &b, sheet_slot(sheet, i));
		sheet->n_done = i + 1;
	}
	sheet->status = RUN_OK;
	sheet_to_run(sheet, &cpus, NULL, run);
	window_close(window);
	sheet_free(sheet);
	return run;
}

Test(window, a_workloads_own_metrics_are_recorded)
{
	static const struct {
		const char *name, *unit;
		enum metric_better better;
		enum metric_kind kind;
		double values[2];
	} wanted[] = {
		{ "answers_per_op", "answers/op", BETTER_HIGHER, KIND_SAMPLE, { 7, 7.1 } },
		{ "oracle_ns_p50", "ns", BETTER_LOWER, KIND_SAMPLE, { 5, 5 } },
		{ "lies", "lies", BETTER_LOWER, KIND_EXACT, { 0, 0 } },
	};
	struct record *record = record_new();
	const struct run *run = measure(record);
	const struct metric *doubts = run_find_metric(run, "doubts");

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct metric *m = run_find_metric(run, wanted[i].name);

		cr_assert(m, "%s", wanted[i].name);
		cr_assert_str_eq(m->unit, wanted[i].unit);
		cr_assert_str_eq(m->source, "the oracle");
		cr_assert_eq(m->better, wanted[i].better, "%s", m->name);
		cr_assert_eq(m->kind, wanted[i].kind, "%s", m->name);
		for (size_t k = 0; k < 2; k++)
			cr_assert_float_eq(record_value(run, m, k), wanted[i].values[k],
				1e-9, "%s", m->name);
	}
	cr_assert(doubts);
	cr_assert_str_eq(doubts->unavailable, "it is sure");
	cr_assert_null(doubts->values);
	record_free(record);
}

static void good(const struct workload *w)
{
	size_t n = 0;

	for (const struct bench_metric *m = w->metrics; m && m->name; m++, n++) {
		cr_assert(m->unit && m->source, "%s: %s", w->name, m->name);
		cr_assert(m->better == BENCH_NEITHER || m->better == BENCH_LOWER ||
			  m->better == BENCH_HIGHER);
	}
	cr_assert_leq(n, BENCH_METRICS_MAX, "%s", w->name);
}

Test(window, tables_of_metrics_are_whole)
{
	for (size_t i = 0; workloads[i]; i++)
		good(workloads[i]);
}
