// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/attribution.h"
#include "verdicts/compare_render.h"

#define BOOTS 6
#define HITS 1000

static const double hits[BOOTS] = { HITS, HITS, HITS, HITS, HITS, HITS };
/* What boots differ by, so that there is a variance. */
static const double noise[BOOTS] = { -3, 2, -1, 4, 0, -2 };

/* What one side is made of, in ns/page. */
struct side {
	double flush, swap, user, not_running;
};

static double time_of(const struct side *s, size_t boot)
{
	return s->flush + s->swap + s->user + s->not_running + noise[boot];
}

static void add_timed(struct record *r, size_t n, const struct side *s)
{
	struct run *run = arm_run(r, "swap", n, 1, 1);
	double ns[BOOTS], cpu[BOOTS];

	fields_set_text(&run->params, "pass", "timed");
	for (size_t i = 0; i < n; i++) {
		ns[i] = time_of(s, i);
		cpu[i] = ns[i] - s->not_running;
	}
	arm_metric(run, "ns_per_page", "ns/page", KIND_SAMPLE, ns);
	arm_metric(run, "task_clock_ns_per_page", "ns/page", KIND_SAMPLE, cpu);
}

static void add_share(struct run *run, const char *name, double ns, const struct side *s)
{
	double share[BOOTS];

	for (size_t i = 0; i < run->n_samples; i++)
		share[i] = ns / (s->flush + s->swap + s->user);
	arm_metric(run, name, "of hits", KIND_SHARE, share);
}

static struct record *make(size_t n, const struct side *s)
{
	struct record *r = record_new();
	struct run *run;

	add_timed(r, n, s);
	run = arm_run(r, "swap", n, 1, 1);
	fields_set_text(&run->params, "pass", "profiled");
	fields_set_text(&run->params, "scope", "thread");
	arm_metric(run, "profile_hits", "hits", KIND_SAMPLE, hits);
	add_share(run, "group_share:tlb_flush", s->flush, s);
	add_share(run, "group_share:swap", s->swap, s);
	add_share(run, "group_share:user", s->user, s);
	add_share(run, "share:flush_tlb_mm_range", s->flush, s);
	return r;
}

static const struct judge_rules rules = { .alpha = 0.05, .min_n = 6 };

static int attribute(const struct record *base, const struct record *cand,
	const struct judge_rules *how, struct attribution *ret)
{
	const struct attribution_side sides[2] = {
		{ &base->runs[0], attribution_find_profile(base, &base->runs[0]) },
		{ &cand->runs[0], attribution_find_profile(cand, &cand->runs[0]) },
	};

	cr_assert(sides[0].profiled && sides[1].profiled);
	return attribution_make(&sides[0], &sides[1], "swap", how, ret);
}

static const struct attribution_part *part(const struct attribution *a, const char *name)
{
	for (size_t i = 0; i < a->n_parts; i++)
		if (strcmp(a->parts[i].name, name) == 0)
			return &a->parts[i];
	cr_assert_fail("no part %s", name);
	return NULL;
}

Test(attribution, finds_whose_the_difference_is)
{
	static const struct {
		struct side base, cand;
		enum attribution_word word;
	} cases[] = {
		/* All of it is the flush's; most of it; half of it. */
		{ { 600, 300, 100, 0 }, { 100, 300, 100, 0 }, ATTRIBUTION_FLUSH },
		{ { 600, 300, 100, 0 }, { 100, 200, 100, 0 }, ATTRIBUTION_FLUSH },
		{ { 100, 300, 100, 0 }, { 600, 300, 100, 0 }, ATTRIBUTION_FLUSH },
		/* Compression; waiting; the flush saves and another loses. */
		{ { 100, 600, 100, 0 }, { 100, 300, 100, 0 }, ATTRIBUTION_NOT_TLB },
		{ { 100, 300, 100, 500 }, { 100, 300, 100, 0 }, ATTRIBUTION_NOT_TLB },
		{ { 200, 300, 100, 0 }, { 100, 700, 100, 0 }, ATTRIBUTION_NOT_TLB },
		{ { 300, 300, 100, 0 }, { 200, 200, 100, 0 }, ATTRIBUTION_UNDECIDED },
		/* Nothing has changed, though the shares have. */
		{ { 300, 300, 100, 0 }, { 200, 400, 100, 0 }, ATTRIBUTION_NONE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *base = make(BOOTS, &cases[i].base);
		struct record *cand = make(BOOTS, &cases[i].cand);
		/* Not paired, as noise is the same on both sides. */
		const struct judge_rules apart = { PAIR_NONE, 0.05, 6 };
		struct attribution a;
		double sum = 0;

		cr_assert_eq(attribute(base, cand, &apart, &a), 0);
		cr_expect_eq(a.word, cases[i].word, "case %zu: %s", i,
			attribution_word_text(a.word));
		cr_expect(a.by_boots && a.n_base == BOOTS && a.n_cand == BOOTS);
		for (size_t k = 0; k < a.n_parts; k++)
			sum += a.parts[k].difference;
		cr_expect_float_eq(sum, a.whole.difference, 1e-6, "case %zu", i);
		cr_expect_float_eq(part(&a, "tlb_flush")->difference,
			cases[i].cand.flush - cases[i].base.flush, 5, "case %zu", i);
		cr_expect_float_eq(part(&a, "not running")->difference,
			cases[i].cand.not_running - cases[i].base.not_running, 1e-6);
		attribution_clear(&a);
		record_free(base);
		record_free(cand);
	}
}

Test(attribution, one_boot_has_the_interval_of_the_sampling)
{
	const struct side before = { 600, 300, 100, 0 }, after = { 100, 300, 100, 0 };
	struct record *base = make(1, &before), *cand = make(1, &after);
	/* The time of these boots is 3 less than the sums of the parts. */
	const double half = 1.96 * sqrt(997.0 * 997 * 0.6 * 0.4 / HITS +
					   497.0 * 497 * 0.2 * 0.8 / HITS);
	const struct attribution_part *flush;
	struct attribution a;

	cr_assert_eq(attribute(base, cand, &rules, &a), 0);
	flush = part(&a, "tlb_flush");
	cr_expect_not(a.by_boots);
	cr_expect_not(a.whole.has_interval);
	cr_expect(flush->has_interval);
	cr_expect_float_eq(flush->high - flush->difference, half, 1e-6);
	cr_expect_float_eq(flush->difference - flush->low, half, 1e-6);
	cr_expect_eq(a.word, ATTRIBUTION_NONE, "one boot decides nothing");
	attribution_clear(&a);
	record_free(base);
	record_free(cand);
}

Test(attribution, without_a_profile_there_is_none)
{
	const struct side side = { 600, 300, 100, 0 };
	struct record *base = make(BOOTS, &side), *cand = make(BOOTS, &side);
	struct metric *m = run_find_metric(&cand->runs[1], "group_share:swap");
	struct attribution a;

	m->unavailable = mem_text("more than 1 % of the hits were lost");
	cr_expect_eq(attribute(base, cand, &rules, &a), -ENODATA);
	fields_set_text(&cand->runs[1].params, "scope", "machine");
	cr_expect_null(attribution_find_profile(cand, &cand->runs[0]),
		"shares of all CPUs say nothing of the thread's time");
	record_free(base);
	record_free(cand);
}

Test(attribution, stands_below_the_table)
{
	const struct side before = { 600, 300, 100, 0 }, after = { 100, 300, 100, 0 };
	struct record *base = make(BOOTS, &before), *cand = make(BOOTS, &after);
	const struct render_options options = { .base_name = "a", .cand_name = "b" };
	struct comparison *c;
	char *text;

	cr_assert_eq(compare_records(base, cand, &(struct compare_options){ 0 }, &c), 0);
	cr_assert_eq(c->n_attributions, 1);
	cr_assert_eq(compare_render_text(c, &options, &text), 0);
	cr_expect(
		strstr(text, "  tlb_flush         600.0      100.0  -500.0 ["), "%s", text);
	cr_expect(strstr(text, "TLB flush: at least half"), "%s", text);
	free(text);
	cr_assert_eq(compare_render_json(c, &options, &text), 0);
	cr_expect(strstr(text, "\"explained_by\": \"flush\""), "%s", text);
	free(text);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}
