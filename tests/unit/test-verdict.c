// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From values of boots to words, exit codes and what is said about them. Past
 * 400 lines: all tables stand on the same few helpers.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/compare_render.h"

enum { MAX_BOOTS = 8 };

/* Around 1, by less than 1 %. */
static const double wave[MAX_BOOTS] = { 1.000, 0.996, 1.005, 0.998, 1.003, 0.995, 1.004,
	1.001 };

static struct record *new_record(void)
{
	struct record *r = record_new();

	r->complete = true;
	return r;
}

/* Boots around a level; the waves of the sides differ by where they begin. */
static void add_level(struct record *r, const char *metric, const char *unit,
	enum metric_kind kind, size_t n, unsigned int first_boot, double level,
	size_t phase)
{
	double values[MAX_BOOTS];
	struct run *run = r->n_runs ? &r->runs[0] : arm_run(r, "swap", n, 1, first_boot);

	for (size_t i = 0; i < n; i++)
		values[i] = level * wave[(i + phase) % MAX_BOOTS];
	arm_metric(run, metric, unit, kind, values);
}

static struct comparison *compare(
	struct record *base, struct record *cand, const struct compare_options *options)
{
	struct comparison *c = NULL;

	cr_assert_eq(compare_records(base, cand, options, &c), 0);
	record_free(base);
	record_free(cand);
	return c;
}

static struct comparison *compare_levels(const char *metric, const char *unit,
	enum metric_kind kind, size_t n, double base, double cand)
{
	const struct compare_options all = { .show = SHOW_ALL };
	struct record *b = new_record(), *c = new_record();

	add_level(b, metric, unit, kind, n, 1, base, 0);
	add_level(c, metric, unit, kind, n, 101, cand, 3);
	return compare(b, c, &all);
}

#define NS "ns_per_page", "ns/page", KIND_SAMPLE
#define TLB "tlb_shootdowns_per_page", "interrupts/page", KIND_SAMPLE
#define EXACT "tlbi_per_page", "instructions/page", KIND_EXACT
#define SHARE "share:flush_tlb_func", "%", KIND_SHARE
#define SECONDARY "pswpout_per_page", "events/page", KIND_SAMPLE

Test(verdict, words)
{
	static const struct {
		const char *metric, *unit;
		enum metric_kind kind;
		size_t n;
		double base, cand;
		enum compare_word word;
		int exit_code;
	} cases[] = {
		{ NS, 8, 5000, 5250, WORD_REGRESSION, 1 },
		{ NS, 8, 5250, 5000, WORD_IMPROVEMENT, 0 },
		{ NS, 8, 5000, 5080, WORD_SMALL, 0 },
		{ NS, 8, 5000, 5002, WORD_EQUIVALENT, 0 },
		{ NS, 5, 5000, 9000, WORD_INCONCLUSIVE, 0 }, /* fewer than 6 */
		{ NS, 1, 5000, 9000, WORD_INCONCLUSIVE, 0 }, { NS, 8, 0, 0, WORD_SAME, 0 },
		{ NS, 8, 0, 100, WORD_REGRESSION, 1 }, { NS, 8, 0, 0.5, WORD_SMALL, 0 },
		{ NS, 8, 0.3, 0.6, WORD_SMALL, 0 }, /* null: below what a clock resolves */
		{ TLB, 8, 3.0, 0.19, WORD_IMPROVEMENT, 0 },
		{ TLB, 8, 0.19, 3.0, WORD_REGRESSION, 1 },
		{ TLB, 8, 0.0002, 0.0003, WORD_SMALL, 0 },
		{ TLB, 8, 0.0002, 0.0002, WORD_EQUIVALENT, 0 },
		{ TLB, 8, 0, 0.0003, WORD_SMALL, 0 }, { TLB, 8, 0.0003, 0, WORD_SMALL, 0 },
		{ TLB, 8, 0, 0.98, WORD_REGRESSION, 1 },
		{ TLB, 8, 0.98, 0, WORD_IMPROVEMENT, 0 }, { TLB, 8, 0, 0, WORD_SAME, 0 },
		{ TLB, 8, 100, 102, WORD_SMALL, 0 },  /* 2 %, though 2 a page */
		{ SHARE, 8, 10, 20, WORD_HIGHER, 0 }, /* never decides */
		{ SHARE, 8, 10, 10.5, WORD_SMALL, 0 }, { SHARE, 8, 0, 0, WORD_SAME, 0 },
		{ SECONDARY, 8, 1, 2, WORD_REGRESSION,
			0 },                            /* is said, and does not decide */
		{ EXACT, 8, 1, 2, WORD_REGRESSION, 1 }, /* varies: a sample, with a note */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct comparison *c = compare_levels(cases[i].metric, cases[i].unit,
			cases[i].kind, cases[i].n, cases[i].base, cases[i].cand);

		cr_expect_eq(c->rows[0].word, cases[i].word, "case %zu: word %d", i,
			(int)c->rows[0].word);
		cr_expect_eq(compare_exit_code(c, FAIL_DEFAULT), cases[i].exit_code,
			"case %zu", i);
		cr_expect_eq(c->rows[0].judgement.needed > 0,
			cases[i].word == WORD_INCONCLUSIVE, "case %zu", i);
		cr_expect_eq(c->rows[0].has_difference, true, "never dropped");
		comparison_free(c);
	}
}

/* Every boot and sample the same: nothing to test, only a difference. */
static struct comparison *compare_constant(size_t n, double base, double cand)
{
	const struct compare_options all = { .show = SHOW_ALL };
	struct record *b = new_record(), *c = new_record();
	double values[MAX_BOOTS];

	for (size_t i = 0; i < n; i++)
		values[i] = base;
	arm_metric(arm_run(b, "swap", n, 1, 1), EXACT, values);
	for (size_t i = 0; i < n; i++)
		values[i] = cand;
	arm_metric(arm_run(c, "swap", n, 1, 101), EXACT, values);
	return compare(b, c, &all);
}

Test(verdict, exact_counts)
{
	static const struct {
		size_t n;
		double base, cand;
		enum compare_word word;
	} cases[] = {
		{ 2, 1.0, 2.0, WORD_REGRESSION }, { 2, 2.0, 1.0, WORD_IMPROVEMENT },
		{ 2, 0, 1.0, WORD_REGRESSION }, { 2, 1.0, 1.01, WORD_SMALL },
		{ 2, 0.001, 0.002, WORD_SMALL }, { 2, 7, 7, WORD_SAME },
		{ 2, 0, 0, WORD_SAME },
		{ 1, 1.0, 2.0, WORD_INCONCLUSIVE }, /* who knows whether it varies */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct comparison *c =
			compare_constant(cases[i].n, cases[i].base, cases[i].cand);

		cr_expect_eq(c->rows[0].word, cases[i].word, "case %zu", i);
		cr_expect_not(c->rows[0].judgement.corrected, "no p");
		cr_expect_null(c->rows[0].note);
		comparison_free(c);
	}
}

Test(verdict, inconclusive_says_how_many_boots)
{
	/* 2 % between boots, of 8: neither sameness nor difference can be shown. */
	static const double base[] = { 100, 104, 98, 103, 97, 101, 99, 105 };
	static const double cand[] = { 103, 99, 105, 98, 104, 104, 97, 106 };
	struct record *b = new_record(), *c = new_record();
	struct comparison *found;
	size_t needed;

	arm_metric(arm_run(b, "swap", 8, 1, 1), NS, base);
	arm_metric(arm_run(c, "swap", 8, 1, 101), NS, cand);
	found = compare(b, c, &(struct compare_options){ .show = SHOW_ALL });
	cr_assert_eq(found->rows[0].word, WORD_INCONCLUSIVE);
	needed = found->rows[0].judgement.needed;
	/* ceiling(power.t.test(sd = sd(log(cand) - log(base)), delta = log(1.03),
	 * power = 0.8, type = "paired")$n) */
	cr_expect_eq(needed, 23, "%zu", needed);
	cr_expect_eq(compare_exit_code(found, FAIL_DEFAULT | FAIL_INCONCLUSIVE), 4);
	comparison_free(found);
}

Test(verdict, pairs)
{
	static const struct {
		unsigned int base_boots[3], base_blocks[3], cand_boots[3], cand_blocks[3];
		enum pairing asked, found;
		size_t n_base, n_cand, left_over;
		double first_base, first_cand; /* values are those of their position */
	} cases[] = {
		{ { 1, 2, 3 }, { 1, 2, 3 }, { 3, 1, 2 }, { 1, 2, 3 }, PAIR_AUTO, PAIR_BOOT,
			3, 3, 0, 1, 2 },
		{ { 1, 2, 3 }, { 0, 0, 0 }, { 2, 3, 4 }, { 0, 0, 0 }, PAIR_AUTO, PAIR_BOOT,
			2, 2, 2, 2, 1 },
		{ { 1, 4, 5 }, { 1, 2, 3 }, { 2, 3, 6 }, { 2, 1, 3 }, PAIR_AUTO, PAIR_BLOCK,
			3, 3, 0, 1, 2 },
		{ { 1, 4, 5 }, { 1, 2, 2 }, { 2, 3, 6 }, { 2, 1, 3 }, PAIR_AUTO, PAIR_BLOCK,
			1, 1, 4, 1, 2 },
		{ { 1, 2, 3 }, { 1, 2, 3 }, { 3, 1, 2 }, { 1, 2, 3 }, PAIR_BLOCK,
			PAIR_BLOCK, 3, 3, 0, 1, 1 },
		{ { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, PAIR_NONE, PAIR_NONE,
			3, 3, 0, 1, 1 },
		{ { 1, 2, 3 }, { 1, 2, 3 }, { 4, 5, 6 }, { 4, 5, 6 }, PAIR_AUTO, PAIR_NONE,
			3, 3, 0, 1, 1 },
		/* The running machine's boot and block have no partner. */
		{ { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, PAIR_AUTO, PAIR_NONE,
			1, 1, 0, 2, 2 },
		/* One boot of two blocks belongs to no block alone. */
		{ { 1, 1, 2 }, { 1, 2, 3 }, { 4, 5, 6 }, { 1, 2, 3 }, PAIR_AUTO, PAIR_BLOCK,
			1, 1, 3, 3, 3 },
	};
	static const double position[] = { 1, 2, 3 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *b = new_record(), *c = new_record();
		struct run *base = arm_run(b, "swap", 3, 1, 1);
		struct run *cand = arm_run(c, "swap", 3, 1, 1);
		const struct judgement *j;
		struct comparison *found;

		for (size_t k = 0; k < 3; k++) {
			base->places[k].boot = cases[i].base_boots[k];
			base->places[k].block = cases[i].base_blocks[k];
			cand->places[k].boot = cases[i].cand_boots[k];
			cand->places[k].block = cases[i].cand_blocks[k];
		}
		arm_metric(base, NS, position);
		arm_metric(cand, NS, position);
		found = compare(
			b, c, &(struct compare_options){ .pairing = cases[i].asked });
		j = &found->rows[0].judgement;
		cr_expect_eq(j->pairing, cases[i].found, "case %zu", i);
		cr_expect_eq(j->n_base, cases[i].n_base, "case %zu: %zu", i, j->n_base);
		cr_expect_eq(j->n_cand, cases[i].n_cand, "case %zu", i);
		cr_expect_eq(j->n_left_over, cases[i].left_over, "case %zu", i);
		cr_expect_eq(!!found->rows[0].note, cases[i].left_over > 0, "case %zu", i);
		cr_expect_eq(j->base[0], cases[i].first_base, "case %zu", i);
		cr_expect_eq(j->cand[0], cases[i].first_cand, "case %zu", i);
		comparison_free(found);
	}
}

Test(verdict, arms_with_unequal_boots)
{
	const struct compare_options options = { .pairing = PAIR_NONE };
	struct record *b = new_record(), *c = new_record();
	struct comparison *found;

	add_level(b, NS, 8, 1, 5000, 0);
	add_level(c, NS, 1, 101, 9000, 0);
	found = compare(b, c, &options);
	cr_expect_eq(found->rows[0].word, WORD_INCONCLUSIVE);
	cr_expect_not(found->rows[0].judgement.tested);
	cr_expect_float_eq(found->rows[0].ratio, 1.8, 0.01);
	comparison_free(found);
}

Test(verdict, holm_counts_the_declared_rows_only)
{
	static const char *const names[] = { "ns_per_page", "tlb_shootdowns_per_page",
		"call_ipis_per_page", "a_per_page", "b_per_page", "c_per_page" };
	struct compare_options options = { .show = SHOW_ALL };

	for (int named = 0; named < 2; named++) {
		struct record *b = new_record(), *c = new_record();
		struct comparison *found;

		for (size_t i = 0; i < 6; i++) {
			add_level(b, names[i], "events/page", KIND_SAMPLE, 8, 1, 1000, 0);
			add_level(c, names[i], "events/page", KIND_SAMPLE, 8, 101, 1005, 3);
		}
		options.metric = named ? "a_per_page" : NULL;
		found = compare(b, c, &options);
		for (size_t i = 0; i < 6; i++) {
			const struct compare_row *row = &found->rows[i];
			bool decides = named ? i == 3 : i < 3;

			cr_expect_eq(row->declared, decides, "%s", row->metric);
			if (!named || decides)
				cr_expect_eq(row->judgement.family, named ? 1 : 3);
			if (decides && !named)
				cr_expect_float_eq(row->judgement.p_adjusted,
					fmin(1, 3 * row->judgement.p), 1e-12);
			else if (!named) /* all p are the same */
				cr_expect_float_eq(
					row->judgement.p_adjusted, row->judgement.p, 1e-12);
		}
		comparison_free(found);
	}
}

Test(verdict, options)
{
	struct effect_rule rule;
	const struct compare_options strict = { .alpha = 1e-12 }, many = { .min_n = 9 };
	struct compare_options large = { .effects = &rule, .n_effects = 1 };
	const struct {
		const struct compare_options *options;
		enum compare_word word;
	} cases[] = { { &strict, WORD_INCONCLUSIVE }, { &many, WORD_INCONCLUSIVE },
		{ &large, WORD_SMALL } };

	cr_assert_eq(effect_parse("ns_*=10%", &rule, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		struct record *b = new_record(), *c = new_record();
		struct comparison *found;

		add_level(b, NS, 8, 1, 5000, 0);
		add_level(c, NS, 8, 101, 5250, 3);
		found = compare(b, c, cases[i].options);
		cr_expect_eq(found->rows[0].word, cases[i].word, "case %zu: %d", i,
			(int)found->rows[0].word);
		comparison_free(found);
	}
	free(rule.metric);
}

Test(verdict, smallest_effects)
{
	static const struct {
		const char *text;
		double relative, absolute; /* of tlb_per_page; below 0: refused */
	} cases[] = {
		{ "tlb_*=5%", 0.05, 0.05 },
		{ "tlb_*=0.2", 0.03, 0.2 },
		{ "tlb_*=5%,0.2", 0.05, 0.2 },
		{ "tlb_*=0.2,5%", 0.05, 0.2 },
		{ "tlb_*=0", 0.03, 0 },
		{ "ns_*=9", 0.03, 0.05 },
		{ "", -1, 0 },
		{ "=1", -1, 0 },
		{ "tlb_*", -1, 0 },
		{ "tlb_*=", -1, 0 },
		{ "tlb_*=x", -1, 0 },
		{ "tlb_*=-1", -1, 0 },
		{ "tlb_*=nan", -1, 0 },
		{ "tlb_*=inf%", -1, 0 },
		{ "tlb_*=1%,2%", -1, 0 },
		{ "tlb_*=1,", -1, 0 },
		{ "tlb_*=1%%", -1, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct effect_rule rule;
		struct err err = { "" };
		struct effect e;
		int ret = effect_parse(cases[i].text, &rule, &err);

		cr_expect_eq(ret < 0, cases[i].relative < 0, "%s", cases[i].text);
		cr_expect_eq(ret < 0, err.text[0] != '\0', "%s", cases[i].text);
		if (ret < 0)
			continue;
		e = effect_of(&rule, 1, "tlb_per_page", "interrupts/page", KIND_SAMPLE);
		cr_expect_float_eq(e.relative, cases[i].relative, 1e-12, "case %zu", i);
		cr_expect_float_eq(e.absolute, cases[i].absolute, 1e-12, "case %zu", i);
		free(rule.metric);
	}
}

Test(verdict, cross_check_that_disagrees_is_said)
{
	/* One boot far off hides from t what Mann-Whitney sees. */
	static const double base[] = { 100, 101, 102, 103, 104, 105, 106, 107 };
	static const double cand[] = { 110, 111, 112, 113, 114, 115, 116, 4000 };
	struct record *b = new_record(), *c = new_record();
	struct comparison *found;

	arm_metric(arm_run(b, "swap", 8, 1, 1), NS, base);
	arm_metric(arm_run(c, "swap", 8, 1, 101), NS, cand);
	found = compare(b, c, &(struct compare_options){ .pairing = PAIR_NONE });
	cr_assert_not_null(found->rows[0].note);
	cr_expect_not_null(strstr(found->rows[0].note, "by Mann-Whitney"));
	cr_expect_eq(found->rows[0].judgement.n_cand, 8, "an outlier stays");
	comparison_free(found);
}

Test(verdict, hostile_values)
{
	static const double bad[][2] = { { 1e308, 1.7e308 }, { 1e-300, 1e10 },
		{ 5e-324, 1e308 }, { -1, 1 }, { -1, -1 }, { NAN, 1 }, { NAN, NAN },
		{ INFINITY, 1 }, { 0, 1e308 } };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct comparison *c =
			compare_levels("x", "events", KIND_SAMPLE, 8, bad[i][0], bad[i][1]);
		const struct compare_row *row = &c->rows[0];
		char *text;

		cr_assert_eq(c->n_rows, 1, "case %zu", i);
		cr_expect(!row->has_ratio || isfinite(row->ratio), "case %zu", i);
		cr_expect(!row->has_difference || isfinite(row->difference), "case %zu", i);
		cr_assert_eq(compare_render_json(c,
				     &(struct render_options){
					     .base_name = "a", .cand_name = "b" },
				     &text),
			0, "case %zu", i);
		cr_expect_not_null(strstr(text, "\"metric\": \"x\""), "case %zu", i);
		cr_expect_null(strstr(text, "nan"));
		cr_expect_null(strstr(text, "inf\n"));
		free(text);
		cr_assert_eq(compare_render_csv(c, &text), 0);
		free(text);
		cr_assert_eq(compare_explain(c, "*", &text), 0);
		free(text);
		comparison_free(c);
	}
	for (size_t i = 3; i < 5; i++) { /* a clock that jumped back */
		struct comparison *c = compare_levels(NS, 8, bad[i][0], bad[i][1]);

		cr_expect_eq(c->rows[0].word, WORD_MISFIT);
		cr_expect_not_null(strstr(c->rows[0].note, "clock jumped"));
		cr_expect_eq(compare_exit_code(c, FAIL_DEFAULT), 3);
		comparison_free(c);
	}
}

Test(verdict, exit_codes_and_their_precedence)
{
	static const struct {
		bool comparable;
		size_t paired, missing, regressions, inconclusive;
		unsigned int fail_on;
		int code;
	} cases[] = {
		{ false, 0, 0, 0, 0, 0, 3 },
		{ true, 0, 0, 0, 0, 0, 3 },
		{ true, 5, 1, 1, 1, 7, 3 },
		{ true, 5, 0, 1, 1, 7, 1 },
		{ true, 5, 0, 0, 1, 7, 4 },
		{ true, 5, 0, 0, 0, 7, 0 },
		{ true, 5, 1, 1, 1, FAIL_DEFAULT, 3 },
		{ true, 5, 1, 1, 1, FAIL_REGRESSION, 1 },
		{ true, 5, 1, 1, 1, FAIL_INCONCLUSIVE, 4 },
		{ true, 5, 0, 0, 1, FAIL_DEFAULT, 0 },
		{ true, 5, 1, 1, 1, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct comparison c = { .comparable = cases[i].comparable,
			.n_paired = cases[i].paired,
			.n_missing = cases[i].missing,
			.n_regressions = cases[i].regressions,
			.n_inconclusive = cases[i].inconclusive };

		cr_expect_eq(compare_exit_code(&c, cases[i].fail_on), cases[i].code,
			"case %zu", i);
	}
}

Test(verdict, show_changed_hides_shown_sameness_only)
{
	struct record *b = new_record(), *c = new_record();
	struct comparison *found;

	add_level(b, NS, 8, 1, 5000, 0);
	add_level(c, NS, 8, 101, 5000, 3);
	add_level(b, TLB, 8, 1, 3, 0);
	add_level(c, TLB, 8, 101, 2, 3);
	add_level(b, SECONDARY, 8, 1, 0, 0);
	add_level(c, SECONDARY, 8, 101, 0, 3);
	found = compare(b, c, &(struct compare_options){ .show = SHOW_CHANGED });
	cr_expect_eq(found->n_shown, 1);
	cr_expect(found->rows[1].shown);
	cr_expect_eq(found->n_regressions, 0);
	cr_expect_eq(found->n_improvements, 1);
	comparison_free(found);
}
