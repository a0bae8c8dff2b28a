// SPDX-License-Identifier: GPL-2.0-or-later
/* The report's page and figures, from records that are made here. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "plots/page.h"
#include "sample-arms.h"

enum { N_BOOTS = 6 };

static const double low[N_BOOTS] = { 100, 101, 99, 100, 101, 99 };
static const double high[N_BOOTS] = { 120, 122, 119, 121, 120, 121 };
static const double zero[N_BOOTS];

static const char css[] = ":root {\n\t--ink: #1c2128;\n\t--cand: #0b62c4;\n}\n";

static struct record *new_arm(const double *values)
{
	struct record *r = record_new();
	struct run *run = arm_run(r, "<b>swap", N_BOOTS, 1, 1);

	r->complete = true;
	fields_set_text(&r->identity, "cpu_model", "A & B <CPU>");
	fields_set_text(&r->subject, "kernel_release", values == low ? "6.12" : "6.13");
	arm_metric(run, "ns_per_page", "ns/page", KIND_SAMPLE, values);
	arm_metric(run, "tlb_shootdowns_per_page", "interrupts/page", KIND_SAMPLE, zero);
	arm_metric(run, "system_ns_per_page", "ns/page", KIND_SAMPLE, values)->emulated =
		true;
	return r;
}

/* What a test looks at; cleared by clear(). */
struct sample {
	struct record *base, *cand;
	struct comparison *comparison;
	struct report report;
	char *page;
};

/* one: of one result. */
static struct sample make(bool one)
{
	struct sample s = { .base = new_arm(low), .cand = new_arm(high) };

	s.report = (struct report){
		.names = { "no<batch", "batch" },
		.arms = { s.base, one ? NULL : s.cand },
	};
	if (!one) {
		cr_assert_eq(compare_records(s.base, s.cand, &(struct compare_options){ 0 },
				     &s.comparison),
			0);
		s.report.comparison = s.comparison;
	}
	figures_make(&s.report, &s.report.figures);
	for (size_t i = 0; i < s.report.figures.count; i++)
		s.report.figures.items[i].svg = mem_text(
			"<svg id=\"x\"><path style=\"fill: #0b62c4; stroke: #123456\"/></svg>");
	s.page = page_make(&s.report, css);
	return s;
}

static void clear(struct sample *s)
{
	free(s->page);
	report_clear(&s->report);
	comparison_free(s->comparison);
	record_free(s->base);
	record_free(s->cand);
}

static void expect_parts(const char *text, const char *const *parts)
{
	for (; *parts; parts++)
		cr_expect_not_null(
			strstr(text, *parts), "\"%s\" is not in\n%s", *parts, text);
}

Test(page, compares)
{
	static const char *const parts[] = {
		"<title>no&lt;batch and batch - Shootdown</title>",
		"<tr class=\"bad\"><td><strong>ns_per_page</strong></td>",
		"<b>+</b> regression", "<dd>1</dd>", "&lt;b&gt;swap",
		"A &amp; B &lt;CPU&gt;",
		"<tr class=\"differs\"><td>kernel_release</td><td>6.12</td><td>6.13</td></tr>",
		"1 more row: not counted", "fill: var(--cand); stroke: #123456",
		"aria-label=\"&lt;b&gt;swap: ns_per_page in ns/page, n = 6 boots", NULL
	};
	struct sample s = make(false);

	expect_parts(s.page, parts);
	cr_expect_null(strstr(s.page, "<b>swap"));
	clear(&s);
}

Test(page, shows_one_result_without_a_verdict)
{
	static const char *const parts[] = { "<h2>Values</h2>", "99.00 to 101.0",
		"ns_per_page", NULL };
	struct sample s = make(true);

	expect_parts(s.page, parts);
	cr_expect_null(strstr(s.page, "regression"));
	clear(&s);
}

Test(page, refuses_different_machines)
{
	struct sample s = { .base = new_arm(low), .cand = new_arm(high) };

	fields_set_text(&s.cand->identity, "cpu_stepping", "2");
	cr_assert_eq(compare_records(
			     s.base, s.cand, &(struct compare_options){ 0 }, &s.comparison),
		0);
	s.report = (struct report){ .names = { "a", "b" },
		.arms = { s.base, s.cand },
		.comparison = s.comparison };
	figures_make(&s.report, &s.report.figures);
	cr_expect_eq(s.report.figures.count, 0);
	s.page = page_make(&s.report, css);
	cr_expect_not_null(strstr(s.page, "not comparable"));
	cr_expect_null(strstr(s.page, "regression"));
	clear(&s);
}

/* The picture of the one metric that decides and is not 0, with what was judged. */
Test(figures, hold_every_number)
{
	struct sample s = make(false);
	char *text = figures_json(&s.report.figures);
	json_t *all = json_loads(text, 0, NULL), *figure, *arm, *interval;

	cr_assert_eq(json_array_size(json_object_get(all, "figures")), 1, "%s", text);
	figure = json_array_get(json_object_get(all, "figures"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(figure, "name")),
		"samples-01-ns-per-page");
	arm = json_array_get(json_object_get(figure, "arms"), 1);
	cr_expect_str_eq(json_string_value(json_object_get(arm, "name")), "batch");
	cr_expect_eq(json_array_size(json_object_get(arm, "samples")), N_BOOTS);
	cr_expect_float_eq(json_real_value(json_array_get(
				   json_array_get(json_object_get(arm, "samples"), 1), 1)),
		122, 1e-12);
	cr_expect_float_eq(json_real_value(json_object_get(arm, "level")), 120.5, 1e-12);
	/* The ratio of geometric means is 1.205; times the base's, it is the cand's. */
	interval = json_object_get(figure, "interval");
	cr_expect_float_eq(
		json_real_value(json_object_get(interval, "middle")), 120.496, 0.001);
	cr_expect_lt(json_real_value(json_object_get(interval, "low")), 120.496);
	cr_expect_gt(json_real_value(json_object_get(interval, "high")), 120.496);
	json_decref(all);
	free(text);
	clear(&s);
}

/* Numbers of a run whose proof failed are nowhere. */
Test(figures, leave_out_an_invalid_run)
{
	struct sample s = { .base = new_arm(low) };

	s.base->runs[0].status = RUN_INVALID;
	s.base->runs[0].reason = mem_text("pages were resident");
	s.report = (struct report){ .names = { "a", "b" }, .arms = { s.base, NULL } };
	figures_make(&s.report, &s.report.figures);
	cr_expect_eq(s.report.figures.count, 0);
	s.page = page_make(&s.report, css);
	cr_expect_not_null(strstr(s.page, "invalid</span> pages were resident"));
	cr_expect_null(strstr(s.page, "ns_per_page"));
	clear(&s);
}

Test(figures, put_interrupts_on_their_cpu)
{
	static const double ones[2] = { 1, 1 };
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap", 2, 1, 1);
	struct metric *m = arm_metric(
		run, "tlb_shootdowns_per_page", "interrupts/page", KIND_SAMPLE, ones);
	struct report report = { .names = { "a", "b" }, .arms = { r, NULL } };
	json_t *figure, *row;

	m->by_cpu = mem_zeroed(1, sizeof(*m->by_cpu));
	m->by_cpu->n_cpus = 2;
	m->by_cpu->cpus = mem_zeroed(2, sizeof(int));
	m->by_cpu->cpus[1] = 7;
	m->by_cpu->nodes = mem_zeroed(2, sizeof(int));
	m->by_cpu->nodes[1] = 2;
	m->by_cpu->values = mem_zeroed(4, sizeof(int64_t));
	m->by_cpu->values[1] = 1;
	m->by_cpu->values[3] = 3;
	figures_make(&report, &report.figures);
	cr_assert_eq(report.figures.count, 2);
	cr_assert_eq(report.figures.items[1].kind, FIGURE_CPUS);
	figure = json_loads(report.figures.items[1].spec, 0, NULL);
	cr_expect_str_eq(
		json_string_value(json_array_get(json_object_get(figure, "cpus"), 1)), "7");
	cr_expect_eq(
		json_integer_value(json_array_get(json_object_get(figure, "nodes"), 1)), 2);
	cr_expect(strstr(report.figures.items[1].caption,
			  "Memory nodes: 0 has CPU 0; 2 has CPU 7."),
		"%s", report.figures.items[1].caption);
	row = json_object_get(json_array_get(json_object_get(figure, "rows"), 0), "values");
	cr_expect_float_eq(json_real_value(json_array_get(row, 0)), 0, 1e-12);
	cr_expect_float_eq(json_real_value(json_array_get(row, 1)), 2, 1e-12);
	json_decref(figure);
	report_clear(&report);
	record_free(r);
}

Test(figures, have_names_that_are_safe_as_files)
{
	static const char *const cases[][2] = { { "swap:threads=3", "swap-threads-3" },
		{ "../../etc", "etc" }, { "A\xC3\xAB.B", "a-b" }, { "-", "" }, { "", "" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *slug = figure_slug(cases[i][0]);

		cr_expect_str_eq(slug, cases[i][1]);
		free(slug);
	}
}
