// SPDX-License-Identifier: GPL-2.0-or-later
/* How many boots it takes, from boots whose spread is known. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/power.h"

enum { N_BOOTS = 6 };

/* Logarithms with the standard deviation 1. */
static const double wave[N_BOOTS] = { 0.5, -0.5, 1.5, -1.5, 0, 0 };
static double unit_sd(void)
{
	struct stats_test t;

	cr_assert(stats_one_sample(wave, N_BOOTS, 0.05, &t));
	return t.sd;
}

static struct record *one_side(
	size_t n_boots, const char *metric, const char *unit, double level, double sd)
{
	struct record *r = record_new();
	double values[N_BOOTS];

	r->complete = true;
	for (size_t i = 0; i < n_boots; i++)
		values[i] = level * exp(wave[i] / unit_sd() * sd);
	arm_metric(arm_run(r, "swap", n_boots, 1, 1), metric, unit, KIND_SAMPLE, values);
	return r;
}

#define NS "ns_per_page", "ns/page"
#define TLB "tlb_shootdowns_per_page", "interrupts/page"

Test(power, of_one_result)
{
	static const struct {
		size_t n_boots;
		const char *metric, *unit;
		double level, sd;
		const char *detect;
		size_t needed;
		bool relative, why;
	} cases[] = {
		/* ceiling(power.t.test(sd = 0.02, delta = log(1.03), power = 0.8)$n) */
		{ 6, NS, 5000, 0.02, "*=3%", 9, true, false },
		/* ceiling(power.t.test(sd = 0.02, delta = log(1.01), power = 0.8)$n) */
		{ 6, NS, 5000, 0.02, "*=1%", 65, true, false },
		{ 6, NS, 5000, 0.0001, "*=3%", 6, true, false }, /* a verdict takes 6 */
		{ 6, NS, 5000, 9, "*=0.001%", 0, false, false }, /* beyond reason */
		/* 3 % of it are less than 0.05 a page, which counts then */
		{ 6, TLB, 0.01, 0.5, "*=3%", 6, false, false },
		{ 6, NS, 0, 0, "*=3%", 6, false, false },
		{ 1, NS, 5000, 0.02, "*=3%", 0, false, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *r = one_side(cases[i].n_boots, cases[i].metric,
			cases[i].unit, cases[i].level, cases[i].sd);
		struct effect_rule rule;
		struct compare_options options = { .effects = &rule, .n_effects = 1 };
		struct comparison *c;
		struct power_plan p;

		cr_assert_eq(effect_parse(cases[i].detect, &rule, NULL), 0);
		cr_assert_eq(compare_records(r, r, &options, &c), 0);
		power_plan_make(c, true, &p);
		cr_assert_eq(p.n_rows, 1, "case %zu", i);
		cr_expect_eq(p.rows[0].needed, cases[i].needed, "case %zu: %zu", i,
			p.rows[0].needed);
		cr_expect_eq(p.needed, cases[i].needed, "case %zu", i);
		cr_expect_eq(p.rows[0].relative, cases[i].relative, "case %zu", i);
		cr_expect_eq(p.rows[0].why != NULL, cases[i].why, "case %zu", i);
		cr_expect_not(p.rows[0].paired);
		cr_expect_eq(p.rows[0].n_seen, cases[i].n_boots, "case %zu", i);
		power_plan_clear(&p);
		comparison_free(c);
		free(rule.metric);
		record_free(r);
	}
}

/* Of both sides, the plan is what an inconclusive verdict says. */
Test(power, of_an_experiment_as_its_verdict_says)
{
	static const double base[] = { 100, 104, 98, 103, 97, 101, 99, 105 };
	static const double cand[] = { 103, 99, 105, 98, 104, 104, 97, 106 };
	struct record *b = record_new(), *c = record_new();
	struct comparison *found;
	struct power_plan p;

	b->complete = c->complete = true;
	arm_metric(arm_run(b, "swap", 8, 1, 1), NS, KIND_SAMPLE, base);
	arm_metric(arm_run(c, "swap", 8, 1, 101), NS, KIND_SAMPLE, cand);
	cr_assert_eq(compare_records(b, c, &(struct compare_options){ 0 }, &found), 0);
	power_plan_make(found, false, &p);
	cr_assert_eq(p.n_rows, 1);
	cr_expect_eq(found->rows[0].judgement.needed, 23);
	cr_expect_eq(p.rows[0].needed, 23);
	cr_expect(p.rows[0].paired && p.rows[0].relative);
	power_plan_clear(&p);
	comparison_free(found);
	record_free(b);
	record_free(c);
}

Test(power, the_correction_takes_more_boots)
{
	struct record *r = one_side(N_BOOTS, NS, 5000, 0.02);
	double values[N_BOOTS];
	struct comparison *c;
	struct power_plan p;

	for (size_t i = 0; i < N_BOOTS; i++)
		values[i] = 3;
	arm_metric(&r->runs[0], TLB, KIND_EXACT, values);
	arm_metric(
		&r->runs[0], "call_ipis_per_page", "interrupts/page", KIND_SAMPLE, values);
	arm_metric(&r->runs[0], "other_per_page", "events/page", KIND_SAMPLE, values);
	cr_assert_eq(compare_records(r, r, &(struct compare_options){ 0 }, &c), 0);
	power_plan_make(c, true, &p);
	cr_expect_eq(p.n_rows, 3, "the last does not decide");
	cr_expect_eq(p.n_family, 2, "of an exact count there is no p");
	cr_expect_float_eq(p.alpha, 0.025, 1e-15);
	cr_expect_gt(p.rows[0].needed, 9);
	cr_expect_eq(p.rows[1].needed, 2, "exact");
	cr_expect_eq(p.rows[2].needed, 6, "varied in no boot");
	power_plan_clear(&p);
	comparison_free(c);
	record_free(r);
}
