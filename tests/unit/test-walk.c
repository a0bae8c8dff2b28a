// SPDX-License-Identifier: GPL-2.0-or-later
/* Series with one thing happening to them, and the alert that it must give. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "sample-nights.h"

static struct nights n;

static void init(void)
{
	nights_init(&n);
}

TestSuite(walk, .init = init);

static struct verdict judge(void)
{
	struct verdict v;

	verdict_of(&n.s, &no_marks, &v);
	return v;
}

static struct verdict judge_with(size_t opens, size_t anchor)
{
	const struct marks marks = {
		.opens = &opens, .n_opens = opens != SIZE_MAX, .anchor = anchor
	};
	struct verdict v;

	verdict_of(&n.s, &marks, &v);
	return v;
}

/* The word, and how many alerts of any state. */
static void expect(enum series_word word, size_t n_alerts)
{
	struct verdict v = judge();

	cr_expect_eq(v.word, word, "%s", series_word_text(v.word));
	cr_expect_eq(v.n_alerts, n_alerts, "%zu alerts", v.n_alerts);
	verdict_clear(&v);
}

static void expect_alert(const struct verdict *v, size_t i, enum alert_kind kind,
	enum alert_state state, size_t good, size_t first, size_t found)
{
	const struct alert *a = &v->alerts[i];

	cr_assert_gt(v->n_alerts, i);
	cr_expect_eq(a->kind, kind, "%s", alert_kind_text(a->kind));
	cr_expect_eq(a->state, state, "%s", alert_state_text(a->state));
	cr_expect_eq(a->good, good, "good %zu", a->good);
	cr_expect_eq(a->first, first, "first %zu", a->first);
	cr_expect_eq(a->found, found, "found %zu", a->found);
}

Test(walk, no_nights)
{
	expect(SERIES_LEARNING, 0);
}

Test(walk, twenty_nights_are_learned)
{
	nights_fill(&n, 19, 0);
	expect(SERIES_LEARNING, 0);
	nights_fill(&n, 1, 0);
	expect(SERIES_STEADY, 0);
}

Test(walk, nothing_is_judged_while_it_learns)
{
	nights_fill(&n, 10, 0);
	nights_add(&n, 1);
	expect(SERIES_LEARNING, 0);
}

Test(walk, steady)
{
	nights_fill(&n, 300, 0.4);
	expect(SERIES_STEADY, 0);
}

Test(walk, a_step_is_a_suspect_until_measured_again)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.1);
	v = judge();
	cr_expect_eq(v.word, SERIES_SUSPECT);
	cr_expect(v.suspect && v.n_open == 0);
	expect_alert(&v, 0, ALERT_GATE, ALERT_SUSPECT, 29, 30, 30);
	verdict_clear(&v);
	nights_again(&n, 0.11);
	v = judge();
	cr_expect_eq(v.word, SERIES_REGRESSION);
	cr_expect(!v.suspect && v.n_open == 1);
	expect_alert(&v, 0, ALERT_GATE, ALERT_OPEN, 29, 30, 30);
	cr_expect_float_eq(v.alerts[0].level, 0.105, 1e-9);
	verdict_clear(&v);
}

Test(walk, a_second_run_that_does_not_confirm)
{
	static const double seconds[] = { 0, -0.1, 0.02 };

	for (size_t i = 0; i < 3; i++) {
		struct verdict v;

		nights_init(&n);
		nights_fill(&n, 30, 0);
		nights_add(&n, 0.1);
		nights_again(&n, seconds[i]);
		v = judge();
		cr_expect_eq(v.word, SERIES_STEADY);
		cr_expect_eq(v.n_open, 0);
		expect_alert(&v, 0, ALERT_GATE, ALERT_OUTLIER, 29, 30, 30);
		verdict_clear(&v);
	}
}

Test(walk, what_does_not_matter_is_no_suspect)
{
	for (size_t i = 0; i < 40; i++)
		nights_add(&n, i % 2 ? 0.0001 : 0);
	nights_add(&n, 0.02);
	expect(SERIES_STEADY, 0);
	n.s.effect.relative = 0.01;
	expect(SERIES_SUSPECT, 1);
	/* 2 %, but of a value of 100 this is less than 3 in its unit. */
	n.s.effect.absolute = 3;
	expect(SERIES_STEADY, 0);
}

Test(walk, words_go_by_goodness)
{
	static const struct {
		double y;
		enum metric_better better;
		enum metric_kind kind;
		enum series_word word;
	} cases[] = {
		{ 0.1, BETTER_LOWER, KIND_SAMPLE, SERIES_REGRESSION },
		{ -0.1, BETTER_LOWER, KIND_SAMPLE, SERIES_IMPROVEMENT },
		{ 0.1, BETTER_HIGHER, KIND_SAMPLE, SERIES_IMPROVEMENT },
		{ -0.1, BETTER_HIGHER, KIND_SAMPLE, SERIES_REGRESSION },
		{ 0.1, BETTER_NONE, KIND_SAMPLE, SERIES_CHANGED },
		{ 0.1, BETTER_LOWER, KIND_SHARE, SERIES_CHANGED },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		nights_init(&n);
		n.s.better = cases[i].better;
		n.s.kind = cases[i].kind;
		nights_fill(&n, 30, 0);
		nights_add(&n, cases[i].y);
		nights_again(&n, cases[i].y);
		expect(cases[i].word, 1);
	}
}

/* Never absorbed: not by the median of the nights that follow, nor by time. */
Test(walk, a_step_stays_open)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.1);
	nights_again(&n, 0.1);
	nights_fill(&n, 300, 0.1);
	v = judge();
	cr_expect_eq(v.word, SERIES_REGRESSION);
	cr_expect_eq(v.n_alerts, 1);
	cr_expect_eq(v.now.n, 20);
	cr_expect_float_eq(v.now.level, 0.1, 0.01);
	verdict_clear(&v);
}

Test(walk, a_second_step_on_top)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.1);
	nights_again(&n, 0.1);
	nights_fill(&n, 30, 0.1);
	nights_add(&n, 0.25);
	nights_again(&n, 0.25);
	v = judge();
	cr_expect_eq(v.n_open, 2);
	expect_alert(&v, 1, ALERT_GATE, ALERT_OPEN, 60, 61, 61);
	verdict_clear(&v);
	/* The first one's old level back closes both. */
	nights_fill(&n, 4, 0);
	v = judge();
	cr_expect_eq(v.n_open, 0, "%zu", v.n_open);
	cr_expect_eq(v.alerts[0].state, ALERT_RECOVERED);
	cr_expect_eq(v.alerts[1].state, ALERT_RECOVERED);
	verdict_clear(&v);
}

Test(walk, a_step_that_is_mended)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.1);
	nights_again(&n, 0.1);
	nights_fill(&n, 5, 0.1);
	/* The median of 4 is back with the third of them. */
	nights_fill(&n, 2, 0);
	v = judge();
	cr_expect_eq(v.n_open, 1);
	verdict_clear(&v);
	nights_fill(&n, 1, 0);
	v = judge();
	cr_expect_eq(v.word, SERIES_STEADY);
	cr_expect_eq(v.n_open, 0);
	cr_expect_eq(v.alerts[0].closed, 38);
	/* And what was learned before it is still known. */
	cr_expect_eq(v.now.n, 20);
	verdict_clear(&v);
}

Test(walk, nights_that_noise_kept_within_belong_to_the_range)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.035); /* within 4 sigma, and nearer to what comes */
	nights_add(&n, 0.05);
	nights_again(&n, 0.05);
	v = judge();
	expect_alert(&v, 0, ALERT_GATE, ALERT_OPEN, 29, 30, 31);
	verdict_clear(&v);
}

Test(walk, an_accepted_step)
{
	struct verdict v;

	nights_fill(&n, 30, 0);
	nights_add(&n, 0.1);
	nights_again(&n, 0.1);
	nights_fill(&n, 10, 0.1);
	v = judge_with(30, SIZE_MAX);
	cr_expect_eq(v.word, SERIES_LEARNING);
	cr_expect_eq(v.now.n, 11);
	cr_expect_eq(v.n_open, 0);
	verdict_clear(&v);
	nights_fill(&n, 20, 0.1);
	v = judge_with(30, SIZE_MAX);
	cr_expect_eq(v.word, SERIES_STEADY);
	cr_expect_eq(v.n_alerts, 0);
	verdict_clear(&v);
	/* Accepted later than it came: the alert is told, and closed. */
	v = judge_with(35, SIZE_MAX);
	expect_alert(&v, 0, ALERT_GATE, ALERT_ACCEPTED, 29, 30, 30);
	cr_expect_eq(v.n_open, 0);
	verdict_clear(&v);
}

Test(walk, a_shift_that_no_night_shows)
{
	struct verdict v;
	size_t found;

	nights_fill(&n, 40, 0);
	nights_fill(&n, 30, 0.032);
	v = judge();
	cr_expect_eq(v.word, SERIES_REGRESSION);
	cr_assert_eq(v.n_alerts, 1);
	cr_expect_eq(v.alerts[0].kind, ALERT_SHIFT);
	cr_expect(v.alerts[0].good < 40 && v.alerts[0].bad >= 40);
	found = v.alerts[0].found;
	cr_expect(found >= 43 && found < 50, "found on %zu", found);
	verdict_clear(&v);
	/* It is over when the old level was back for 10 nights. */
	nights_fill(&n, 10, 0);
	v = judge();
	cr_expect_eq(v.alerts[0].state, ALERT_RECOVERED);
	verdict_clear(&v);
}

Test(walk, a_shift_that_does_not_matter)
{
	struct verdict v;

	nights_fill(&n, 40, 0);
	nights_fill(&n, 12, 0.025);
	v = judge();
	cr_expect_eq(v.word, SERIES_SMALL);
	cr_expect_eq(v.n_alerts, 0);
	verdict_clear(&v);
}

static void fill_creep(size_t nights, double of_a_night)
{
	for (size_t i = 0; i < nights; i++) {
		nights_fill(&n, 1, 0);
		n.points[i].first =
			nights_reading(n.points[i].first.log + of_a_night * (double)i);
	}
}

Test(walk, a_creep)
{
	struct verdict v;

	/* In 60 nights by 0.9 %: nothing that two halves of them show. */
	fill_creep(300, 0.00015);
	v = judge();
	cr_expect_eq(v.word, SERIES_REGRESSION);
	cr_assert_eq(v.n_alerts, 1);
	expect_alert(&v, 0, ALERT_CREEP, ALERT_OPEN, 19, 19, v.alerts[0].found);
	cr_expect_gt(v.alerts[0].found, 180);
	verdict_clear(&v);
	/* A release on the way is measured from there. */
	v = judge_with(SIZE_MAX, 150);
	cr_expect_eq(v.n_alerts, 0);
	verdict_clear(&v);
}

Test(walk, an_exact_count_alerts_on_any_change)
{
	struct verdict v;

	n.s.kind = KIND_EXACT;
	n.s.ratio = false;
	for (size_t i = 0; i < 5; i++)
		nights_add(&n, 0);
	cr_expect_eq((v = judge()).word, SERIES_STEADY);
	verdict_clear(&v);
	nights_add(&n, 0.0001);
	v = judge();
	cr_expect_eq(v.word, SERIES_REGRESSION);
	expect_alert(&v, 0, ALERT_EXACT, ALERT_OPEN, 4, 5, 5);
	verdict_clear(&v);
	nights_add(&n, 0.0001);
	expect(SERIES_REGRESSION, 1);
	nights_add(&n, 0);
	v = judge();
	cr_expect_eq(v.word, SERIES_STEADY);
	expect_alert(&v, 0, ALERT_EXACT, ALERT_RECOVERED, 4, 5, 5);
	verdict_clear(&v);
}

/* One that does vary is judged as a sample, by its difference. */
Test(walk, a_count_that_varies)
{
	n.s.kind = KIND_EXACT;
	n.s.ratio = false;
	n.s.varies = true;
	n.s.effect.absolute = 5;
	nights_fill(&n, 30, 0);
	expect(SERIES_STEADY, 0);
	nights_add(&n, 0.1);
	expect(SERIES_SUSPECT, 1);
}

Test(walk, a_series_without_noise)
{
	n.s.ratio = true;
	for (size_t i = 0; i < 30; i++)
		nights_add(&n, 0.5);
	expect(SERIES_STEADY, 0);
	nights_add(&n, 0.56);
	nights_again(&n, 0.56);
	expect(SERIES_REGRESSION, 1);
}
