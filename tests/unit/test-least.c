// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/least.h"

Test(least, tells_rules_from_other_words)
{
	static const struct {
		const char *word;
		bool is_rule;
	} cases[] = {
		{ "swap:tlbi=0.95", true },
		{ "swap:nr_tlb_remote_flush+nr_tlb_local_flush_one=1", true },
		{ "migrate:tlbi=1e-3", true },
		{ "", false },
		{ "swap", false },
		{ "swap:tlbi", false },
		{ "tlbi=1", false },
		{ ":tlbi=1", false },
		{ "swap:=1", false },
		{ "swap:tlbi+=1", false },
		{ "swap:+tlbi=1", false },
		{ "swap=1:tlbi", false },
		{ "swap:tlbi=", false },
		{ "swap:tlbi=one", false },
		{ "swap:tlbi=1x", false },
		{ "swap:tlbi=0", false },
		{ "swap:tlbi=-1", false },
		{ "swap:tlbi=nan", false },
		{ "swap:tlbi=inf", false },
		{ "swap:tl bi=1", false },
		{ "swap:tlbi=1=2", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_expect_eq(!least_check(cases[i].word), cases[i].is_rule, "\"%s\"",
			cases[i].word);
}

/* Three boots of two samples. */
static struct run *three_boots(struct record *r)
{
	static const double here[] = { 1.0, 1.0, 0.5, 0.5, 1.0, 1.0 };
	static const double there[] = { 0.1, 0.1, 0.25, 0.25, 0.2, 0.2 };
	struct run *run = arm_run(r, "swap", 3, 2, 1);

	arm_metric(run, "here_per_page", "flushes/page", KIND_SAMPLE, here);
	arm_metric(run, "there_per_page", "flushes/page", KIND_SAMPLE, there);
	arm_metric(run, "lost_per_page", "flushes/page", KIND_SAMPLE, here)->unavailable =
		mem_text("no such counter");
	free(run->metrics[2].values);
	run->metrics[2].values = NULL;
	return run;
}

Test(least, fails_a_run_with_less_in_any_boot)
{
	static const struct {
		const char *rule, *reason; /* NULL: it stays ok */
	} cases[] = {
		{ "swap:here=0.5", NULL },
		{ "swap:here=0.51", "in boot 2 0.5 of here for each page" },
		{ "swap:there=0.1", NULL },
		{ "swap:there=0.15", "in boot 1 0.1 of there" },
		{ "swap:here+there=0.75", NULL },
		{ "swap:here+there=0.76", "in boot 2 0.75 of here+there" },
		{ "swap:here+there=2", "less than 2: stale" },
		/* Other workloads, and what is not counted here. */
		{ "swa:here=9", NULL },
		{ "swapper:here=9", NULL },
		{ "swap:nowhere=9", NULL },
		{ "swap:lost=9", NULL },
		{ "swap:here+lost=9", NULL },
		{ "swap:here_per_page=9", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *r = record_new();
		struct run *run = three_boots(r);
		char *rule = mem_text(cases[i].rule);

		cr_assert_null(least_check(rule), "%s", rule);
		cr_assert_eq(least_apply(r, &rule, 1), 0);
		if (cases[i].reason) {
			cr_assert_eq(run->status, RUN_FAILED, "%s", rule);
			cr_expect(strstr(run->reason, cases[i].reason), "%s: %s", rule,
				run->reason);
			cr_expect_eq(run->n_samples, 6);
		} else {
			cr_expect_eq(run->status, RUN_OK, "%s", rule);
		}
		free(rule);
		record_free(r);
	}
}

Test(least, is_no_improvement_but_a_failure)
{
	static const double many[] = { 1, 1, 1, 1, 1, 1 }, none[] = { 0, 0, 0, 0, 0, 0 };
	struct record *base = record_new(), *cand = record_new();
	char *rules[] = { mem_text("swap:tlbi=0.9") };
	struct comparison *c;

	arm_metric(arm_run(base, "swap", 6, 1, 1), "tlbi_per_page", "instructions/page",
		KIND_SAMPLE, many);
	arm_metric(arm_run(cand, "swap", 6, 1, 7), "tlbi_per_page", "instructions/page",
		KIND_SAMPLE, none);
	cr_assert_eq(least_apply(base, rules, 1), 0);
	cr_assert_eq(least_apply(cand, rules, 1), 0);
	cr_assert_eq(compare_records(base, cand, &(struct compare_options){ 0 }, &c), 0);
	cr_assert_eq(c->n_rows, 1);
	cr_expect_eq(c->rows[0].word, WORD_FAILED);
	cr_expect(strstr(c->rows[0].note, "too few flushes"), "%s", c->rows[0].note);
	cr_expect_eq(c->n_improvements, 0);
	cr_expect_eq(compare_exit_code(c, FAIL_DEFAULT), 3);
	comparison_free(c);
	record_free(base);
	record_free(cand);
	free(rules[0]);
}
