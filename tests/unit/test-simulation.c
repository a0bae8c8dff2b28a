// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Experiments made up by a random number generator, where the truth is known:
 * how often identical kernels are told apart, and how often a real effect is
 * found. Boots and iterations both vary by 1 %. Seeded: the same each time.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#include "sample-arms.h"

enum { N_EXPERIMENTS = 2000, N_ITERATIONS = 15, N_MAX = 10 * N_ITERATIONS };

static const char *const names[] = { "ns_per_page", "ns_per_op", "tlb_shootdowns_per_page",
	"call_ipis_per_page", "user_ns_per_page", "system_ns_per_page" };

enum { N_NAMES = sizeof(names) / sizeof(*names) };

static void make_values(size_t n_boots, double mean, double *ret)
{
	for (size_t boot = 0; boot < n_boots; boot++) {
		double level = mean * exp(rnorm(0, 0.01));

		for (size_t i = 0; i < N_ITERATIONS; i++)
			ret[boot * N_ITERATIONS + i] = level * exp(rnorm(0, 0.01));
	}
}

static struct record *make_arm(size_t n_boots, unsigned int first_boot, double mean)
{
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap", n_boots, N_ITERATIONS, first_boot);
	double values[N_MAX];

	r->complete = true;
	for (size_t i = 0; i < N_NAMES; i++) {
		make_values(n_boots, mean, values);
		arm_metric(run, names[i], strstr(names[i], "ns_per") ? "ns/x" : "events/x",
			KIND_SAMPLE, values);
	}
	return r;
}

struct tally {
	size_t tests, flagged;         /* before correction */
	size_t positive;               /* of those flagged, cand above base */
	size_t tables_significant;     /* any adjusted p below alpha */
	size_t tables_flagged;         /* any regression or improvement */
	size_t regressions, exit_ones; /* of the first metric */
	size_t pooled;                 /* flagged by a test that takes iterations for n */
};

static void count_table(const struct comparison *c, struct tally *t)
{
	bool significant = false, flagged = false;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		cr_assert(row->judgement.tested);
		t->tests++;
		t->flagged += row->judgement.p < 0.05;
		t->positive += row->judgement.p < 0.05 && row->judgement.logs.mean > 0;
		significant |= row->declared && row->judgement.p_adjusted < 0.05;
		flagged |= row->word == WORD_REGRESSION || row->word == WORD_IMPROVEMENT;
	}
	t->tables_significant += significant;
	t->tables_flagged += flagged;
	t->regressions += c->rows[0].word == WORD_REGRESSION;
	t->exit_ones += compare_exit_code(c, FAIL_DEFAULT) == 1;
}

/* For contrast, of the same data: what counting iterations as n makes of it. */
static bool pooled_differ(const struct run *base, const struct run *cand, size_t metric)
{
	double a[N_MAX], b[N_MAX];
	struct stats_test t;

	for (size_t i = 0; i < base->n_samples; i++) {
		a[i] = log(record_value(base, &base->metrics[metric], i));
		b[i] = log(record_value(cand, &cand->metrics[metric], i));
	}
	cr_assert(stats_welch(a, base->n_samples, b, cand->n_samples, 0.05, &t));
	return t.p < 0.05;
}

static struct tally simulate(size_t n_boots, enum pairing pairing, double effect)
{
	const struct compare_options options = { .pairing = pairing };
	struct tally t = { 0 };

	set_seed(20261130, 1);
	for (size_t i = 0; i < N_EXPERIMENTS; i++) {
		struct record *base = make_arm(n_boots, 1, 5000);
		struct record *cand = make_arm(n_boots, 101, 5000 * effect);
		struct comparison *c;

		cr_assert_eq(compare_records(base, cand, &options, &c), 0);
		count_table(c, &t);
		for (size_t k = 0; k < N_NAMES; k++)
			t.pooled += pooled_differ(&base->runs[0], &cand->runs[0], k);
		comparison_free(c);
		record_free(base);
		record_free(cand);
	}
	return t;
}

static void expect_share(
	const char *what, size_t part, size_t whole, double low, double high)
{
	double share = (double)part / (double)whole;

	cr_log_info("%s: %.4f", what, share);
	cr_expect(share >= low && share <= high, "%s: %.4f is not in %g..%g", what, share,
		low, high);
}

Test(simulation, identical_kernels_are_flagged_at_alpha)
{
	static const struct {
		size_t n_boots;
		enum pairing pairing;
	} cases[] = { { 6, PAIR_AUTO }, { 10, PAIR_AUTO }, { 6, PAIR_NONE },
		{ 10, PAIR_NONE } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tally t = simulate(cases[i].n_boots, cases[i].pairing, 1);

		cr_log_info("%zu boots, %s:", cases[i].n_boots,
			cases[i].pairing == PAIR_NONE ? "not paired" : "paired by block");
		expect_share("flagged before correction", t.flagged, t.tests, 0.03, 0.07);
		expect_share(
			"flagged where iterations are n", t.pooled, t.tests, 0.35, 0.65);
		expect_share("of these upwards", t.positive, t.flagged, 0.42, 0.58);
		/* Holm promises 5 %; three standard errors of 2,000 tables more. */
		expect_share("tables with a significant row", t.tables_significant,
			N_EXPERIMENTS, 0, 0.065);
		expect_share("tables flagged", t.tables_flagged, N_EXPERIMENTS, 0, 0.05);
	}
}

Test(simulation, an_effect_of_5_percent_is_found)
{
	struct tally t = simulate(10, PAIR_AUTO, 1.05);

	expect_share("found", t.regressions, N_EXPERIMENTS, 0.8, 1);
	expect_share("exit code 1", t.exit_ones, N_EXPERIMENTS, 0.8, 1);
}
