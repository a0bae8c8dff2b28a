// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison for mail, web pages and test runners, on words that do not suit them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/compare_render.h"

enum { N_BOOTS = 6 };

static const double low[N_BOOTS] = { 100, 101, 99, 100, 101, 99 };
static const double high[N_BOOTS] = { 120, 122, 119, 121, 120, 121 };

static struct record *new_arm(const double *values, const char *unit)
{
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap|<&\"#\x1b", N_BOOTS, 1, 1);

	r->complete = true;
	fields_set_text(&r->identity, "cpu_model",
		"A CPU of a name that is longer than what a line of seventy-two columns "
		"has room for, in many words");
	fields_set_text(&r->subject, "kernel_release", "6.12");
	fields_set_text(&r->subject, "config_hash", values == low ? "one" : "another");
	arm_metric(run, "ns_per_page", "ns/page", KIND_SAMPLE, values);
	arm_metric(run, "user_ns_per_page", unit, KIND_SAMPLE, values);
	arm_metric(run, "system_ns_per_page", "ns/page", KIND_SAMPLE, values)->emulated =
		true;
	return r;
}

static char *render(
	int (*how)(const struct comparison *, const struct render_options *, char **))
{
	struct record *base = new_arm(low, "ns/page"), *cand = new_arm(high, "us/page");
	const struct render_options options = {
		.base_name = "a/long/path/to/results/runs/host/2026-11-30-6.12.json",
		.cand_name = "b",
		.base = base,
		.repeat = "compare-results a/long/path/to/results/runs/host/2026.json\n"
			  "another/long/path/to/results/runs/host/2026.json",
	};
	struct comparison *c;
	char *text = NULL;

	cr_assert_eq(compare_records(
			     base, cand, &(struct compare_options){ .show = SHOW_ALL }, &c),
		0);
	cr_assert_eq(c->n_shown, 3);
	cr_assert_eq(how(c, &options, &text), 0);
	cr_expect_null(strchr(text, '\x1b'));
	comparison_free(c);
	record_free(base);
	record_free(cand);
	return text;
}

static int render_ktap(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	(void)options;
	return compare_render_ktap(c, ret);
}

static void expect_parts(const char *text, const char *const *parts)
{
	for (; *parts; parts++)
		cr_expect_not_null(
			strstr(text, *parts), "\"%s\" is not in\n%s", *parts, text);
}

Test(report, lkml)
{
	static const char *const parts[] = { "\n  cpu_model: A CPU of",
		"\nkernel_release: 6.12\n", "\nconfig_hash: one -> another\n",
		"\n  ns_per_page: 100.0 -> 120.5 ns/page\n", "+ regression, 1.205 [",
		"x refused", "units differ", "emulated",
		"Metrics that decide: 1 worse, 0 better, 0 inconclusive.\nWorse: swap|",
		"\nTo repeat:\n  compare-results a/long",
		"2026.json \\\n      another/long", NULL };
	char *text = render(compare_render_lkml);

	expect_parts(text, parts);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		cr_expect_leq(strcspn(line, "\n"), 72, "%.80s", line);
	free(text);
}

Test(report, markdown)
{
	static const char *const parts[] = {
		"\n| swap\\|\\<&\"#? | ns\\_per\\_page | ns/page | ",
		" | + regression |  |\n", " | x refused | units differ", NULL
	};
	char *text = render(compare_render_markdown);

	expect_parts(text, parts);
	free(text);
}

Test(report, junit)
{
	static const char *const parts[] = { "tests=\"3\" failures=\"2\" skipped=\"1\"",
		"classname=\"swap|&lt;&amp;&quot;#?\" name=\"ns_per_page\"><failure message=\"+ ",
		"<failure message=\"x refused", "<skipped message=\"emulated", NULL };
	char *text = render(compare_render_junit);

	expect_parts(text, parts);
	free(text);
}

Test(report, ktap)
{
	static const char *const parts[] = { "KTAP version 1\n1..3\n",
		"\nnot ok 1 swap|<&\"?? ns_per_page # + regression, 1.205 [",
		"\nnot ok 2 swap|<&\"?? user_ns_per_page # x refused",
		"\nok 3 swap|<&\"?? system_ns_per_page # SKIP emulated", NULL };
	char *text = render(render_ktap);

	expect_parts(text, parts);
	free(text);
}

Test(report, narrow_and_wide_tables)
{
	static const size_t widths[] = { 0, 60, 80, 200 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct record *base = new_arm(low, "ns/page"),
			      *cand = new_arm(high, "ns/page");
		const struct render_options options = {
			.base_name = "a", .cand_name = "b", .width = widths[i]
		};
		struct comparison *c;
		char *text, *line;

		cr_assert_eq(compare_records(base, cand,
				     &(struct compare_options){ .show = SHOW_ALL }, &c),
			0);
		cr_assert_eq(compare_render_text(c, &options, &text), 0);
		cr_expect_not_null(strstr(text, "+ regression"));
		line = strstr(
			text, widths[i] && widths[i] < 100 ? "\nmetric " : "\nworkload ");
		cr_assert_not_null(line, "%zu:\n%s", widths[i], text);
		for (line++; widths[i] && *line != '['; line += strcspn(line, "\n") + 1)
			cr_expect_leq(strcspn(line, "\n"), widths[i], "%.90s", line);
		free(text);
		comparison_free(c);
		record_free(base);
		record_free(cand);
	}
}

/* Of an emulator's durations one says enough; of a counter nobody has, nothing. */
Test(report, rows_that_say_nothing_are_counted_and_not_shown)
{
	struct record *arms[2];
	struct comparison *c;

	for (int i = 0; i < 2; i++) {
		struct metric *m;

		arms[i] = record_new();
		arms[i]->complete = true;
		m = arm_metric(arm_run(arms[i], "swap", N_BOOTS, 1, 1), "ns_per_page",
			"ns/page", KIND_SAMPLE, low);
		m->emulated = true;
		arm_metric(&arms[i]->runs[0], "system_ns_per_page", "ns/page", KIND_SAMPLE,
			low)
			->emulated = true;
		m = run_add_metric(&arms[i]->runs[0], "other_ipis_per_page",
			"interrupts/page", "test", BETTER_LOWER, KIND_SAMPLE);
		m->unavailable = mem_text("none here");
	}
	cr_assert_eq(
		compare_records(arms[0], arms[1], &(struct compare_options){ 0 }, &c), 0);
	cr_expect_eq(c->n_rows, 3);
	cr_expect_eq(c->n_shown, 1);
	cr_expect(c->rows[0].shown);
	comparison_free(c);
	record_free(arms[0]);
	record_free(arms[1]);
}
