// SPDX-License-Identifier: GPL-2.0-or-later
/* From result files to series, and from these to groups and an exit code. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/history.h"
#include "verdicts/history_group.h"
#include "verdicts/history_text.h"
#include "verdicts/sparkline.h"

static const struct series_rules all = { .pattern = "*" }, decisive = { 0 };

/* Boots of 2 blocks; a metric that decides and one that does not. */
static struct record *result(const char *cpu, const char *commit, double ns, double other)
{
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap", 2, 1, 1);
	const double times[] = { ns, ns * 4 }, others[] = { other, other };

	fields_set_text(&r->identity, "cpu_model", cpu);
	fields_set_text(&r->subject, "commit", commit);
	fields_set_text(&r->subject, "kernel_release", "6.12");
	fields_set_number(&run->params, "threads", 1);
	fields_set_text(&run->params, "pass", "timed");
	arm_metric(run, "ns_per_page", "ns/page", KIND_SAMPLE, times);
	arm_metric(run, "pswpout_per_page", "pages/page", KIND_EXACT, others);
	return r;
}

static int add(struct machine *m, const char *date, struct record *reference,
	struct record *tonight, const struct series_rules *rules, struct err *err)
{
	const struct night_results results = { .reference = reference, .tonight = tonight };
	int ret = machine_add_night(m, date, &results, rules, err);

	record_free(reference);
	record_free(tonight);
	return ret;
}

Test(series, days)
{
	static const struct {
		const char *date;
		long day; /* -1: none */
	} cases[] = { { "1970-01-01", 0 }, { "2026-11-30", 20787 }, { "2024-02-29", 19782 },
		{ "2023-02-29", -1 }, { "2026-13-01", -1 }, { "2026-11-31", -1 },
		{ "2026-1-01", -1 }, { "2026-11-30b", -1 }, { " 026-11-30", -1 },
		{ "+026-11-30", -1 }, { "2026-11-3", -1 }, { "", -1 }, { "tonight", -1 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		long day = -1;

		cr_expect_eq(night_day(cases[i].date, &day), cases[i].day >= 0, "%s",
			cases[i].date);
		cr_expect_eq(day, cases[i].day, "%s: %ld", cases[i].date, day);
	}
}

Test(series, a_night_becomes_points)
{
	struct machine m;
	struct err err;
	const struct series *s;

	machine_init(&m, "altra");
	cr_assert_eq(add(&m, "2026-11-29", result("A", "base", 100, 1),
			     result("A", "c1", 110, 2), &all, &err),
		0);
	cr_assert_eq(m.n_series, 2);
	s = &m.series[0];
	cr_expect_str_eq(s->workload, "swap@1:pass=timed,threads=1");
	cr_expect(strncmp(s->key, "altra/", 6) == 0 &&
		  strstr(s->key, "/swap@1:pass=timed,threads=1/ns_per_page"));
	cr_expect(s->ratio && s->declared);
	cr_expect_float_eq(s->points[0].first.log, log(1.1), 1e-12);
	cr_expect_float_eq(s->points[0].first.tonight, 275, 1e-9);
	cr_expect(!s->points[0].again.known);
	cr_expect(!m.series[1].ratio && !m.series[1].declared);
	cr_expect_float_eq(m.series[1].points[0].first.difference, 1, 1e-12);
	cr_expect_str_eq(m.nights[0].commit, "c1");
	machine_clear(&m);
}

Test(series, what_decides_when_not_told)
{
	struct machine m;
	struct err err;

	machine_init(&m, "altra");
	add(&m, "2026-11-29", result("A", "base", 1, 1), result("A", "c", 1, 1), &decisive,
		&err);
	cr_assert_eq(m.n_series, 1);
	cr_expect_str_eq(m.series[0].metric, "ns_per_page");
	machine_clear(&m);
}

Test(series, another_machine_or_reference_is_another_series)
{
	const struct series_rules allowed = { .allow_mismatch = "cpu_model" };
	struct machine m;
	struct err err;

	machine_init(&m, "altra");
	add(&m, "2026-11-27", result("A", "base", 1, 1), result("A", "c", 1, 1), &decisive,
		&err);
	add(&m, "2026-11-28", result("B", "base", 1, 1), result("B", "c", 1, 1), &decisive,
		&err);
	add(&m, "2026-11-29", result("B", "base2", 1, 1), result("B", "c", 1, 1), &decisive,
		&err);
	add(&m, "2026-11-30", result("A", "base", 1, 1), result("A", "c", 1, 1), &decisive,
		&err);
	cr_expect_eq(m.n_series, 3);
	cr_expect_eq(m.series[0].n_points, 2);
	cr_expect(strstr(m.series[1].absent, "another"));
	machine_clear(&m);
	machine_init(&m, "altra");
	cr_expect_eq(add(&m, "2026-11-29", result("A", "base", 1, 1),
			     result("B", "c", 1, 1), &decisive, &err),
		-ESTALE);
	cr_expect(strstr(err.text, "cpu_model"));
	cr_expect_eq(m.n_nights, 0);
	cr_expect_eq(add(&m, "2026-11-29", result("A", "base", 1, 1),
			     result("B", "c", 1, 1), &allowed, &err),
		0);
	machine_clear(&m);
}

/* What is done to tonight's result, and why its series then has no point. */
static void no_run(struct record *r)
{
	free(r->runs[0].workload);
	r->runs[0].workload = mem_text("null");
}

static void failed(struct record *r)
{
	r->runs[0].status = RUN_INVALID;
	r->runs[0].reason = mem_text("pages stayed");
}

static void unavailable(struct record *r)
{
	r->runs[0].metrics[0].unavailable = mem_text("no clock");
}

static void other_unit(struct record *r)
{
	free(r->runs[0].metrics[0].unit);
	r->runs[0].metrics[0].unit = mem_text("s/page");
}

static void negative(struct record *r)
{
	r->runs[0].metrics[0].values[0].real = -1;
}

static void warmup(struct record *r)
{
	r->runs[0].places[0].warmup = r->runs[0].places[1].warmup = true;
}

static void not_a_number(struct record *r)
{
	r->runs[0].metrics[0].values[0].real = r->runs[0].metrics[0].values[1].real = NAN;
}

Test(series, nights_without_a_value)
{
	static const struct {
		void (*change)(struct record *r);
		const char *why;
	} cases[] = { { no_run, "not in the result" }, { failed, "invalid: pages stayed" },
		{ unavailable, "no clock" }, { other_unit, "unit" },
		{ negative, "clock jumped" }, { warmup, "no sample counts" },
		{ not_a_number, "no sample counts" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *odd = result("A", "c", 1, 1);
		struct history h = { .n_machines = 1,
			.machines = mem_zeroed(1, sizeof(*h.machines)) };
		struct machine *m = &h.machines[0];
		struct err err;

		machine_init(m, "altra");
		add(m, "2026-11-29", result("A", "base", 1, 1), result("A", "c", 1, 1),
			&decisive, &err);
		cases[i].change(odd);
		add(m, "2026-11-30", result("A", "base", 1, 1), odd, &decisive, &err);
		cr_expect_eq(m->series[0].n_points, 1, "case %zu", i);
		cr_assert(m->series[0].absent, "case %zu", i);
		cr_expect(strstr(m->series[0].absent, cases[i].why), "case %zu: %s", i,
			m->series[0].absent);
		history_judge(&h);
		cr_expect(h.verdicts[0][0].missing);
		cr_expect_eq(history_exit_code(&h), 3);
		history_clear(&h);
	}
}

Test(series, zeros_are_differences)
{
	struct machine m;
	struct err err;

	machine_init(&m, "altra");
	add(&m, "2026-11-28", result("A", "base", 2, 1), result("A", "c", 4, 1), &decisive,
		&err);
	cr_expect(m.series[0].ratio);
	add(&m, "2026-11-29", result("A", "base", 0, 1), result("A", "c", 4, 1), &decisive,
		&err);
	cr_expect(!m.series[0].ratio);
	cr_expect_float_eq(series_y(&m.series[0], &m.series[0].points[1].first), 10, 1e-12);
	machine_clear(&m);
}

Test(series, emulated_time_is_no_series)
{
	struct record *tonight = result("A", "c", 1, 1);
	struct machine m;
	struct err err;

	tonight->runs[0].metrics[0].emulated = true;
	machine_init(&m, "altra");
	add(&m, "2026-11-28", result("A", "base", 2, 1), tonight, &decisive, &err);
	cr_expect_eq(m.n_series, 0);
	cr_expect_eq(m.n_emulated, 1);
	machine_clear(&m);
}

Test(series, sparkline)
{
	static const struct {
		double y[6];
		size_t n;
		double least;
		const char *ascii;
	} cases[] = {
		{ { 0, 1, 2, 3, 4, 7 }, 6, 0, "_.,-~#" },
		{ { 0, NAN, 7 }, 3, 0, "_ #" },
		{ { 1, 1, 1 }, 3, 0, "~~~" },
		/* Noise below what matters stays in the middle. */
		{ { 1, 1.001, 1 }, 3, 0.03, "-~-" },
		{ { NAN, NAN }, 2, 1, "  " },
		{ { 0 }, 0, 1, "" },
	};
	char *blocks;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = sparkline(cases[i].y, cases[i].n, cases[i].least, false);

		cr_expect_str_eq(text, cases[i].ascii, "case %zu: %s", i, text);
		free(text);
	}
	blocks = sparkline((double[]){ 0, 1 }, 2, 0, true);
	cr_expect_str_eq(blocks, "▁█");
	free(blocks);
}
