// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static bool any_not_above_zero(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] <= 0)
			return true;
	return false;
}

static double *logs_of(const double *x, size_t n)
{
	double *logs = mem_zeroed(n, sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	return logs;
}

/* Of base and cand as they are, or as logarithms. false: nothing to test. */
static bool test(const struct judgement *j, const double *base, const double *cand,
	double alpha, struct stats_test *ret, double *ret_cross_p)
{
	double *d;
	bool done;

	if (j->pairing == PAIR_NONE) {
		*ret_cross_p = stats_mann_whitney(base, j->n_base, cand, j->n_cand);
		done = stats_welch(base, j->n_base, cand, j->n_cand, alpha, ret);
	} else {
		d = mem_zeroed(j->n_base, sizeof(*d));
		for (size_t i = 0; i < j->n_base; i++)
			d[i] = cand[i] - base[i];
		*ret_cross_p = stats_sign_flip(d, j->n_base);
		done = stats_one_sample(d, j->n_base, alpha, ret);
		free(d);
	}
	return done && isfinite(ret->mean) && isfinite(ret->sd);
}

static void test_ratio(struct judgement *j, double alpha)
{
	double *base = logs_of(j->base, j->n_base), *cand = logs_of(j->cand, j->n_cand);

	j->tested &= test(j, base, cand, alpha, &j->logs, &j->cross_p);
	j->p = j->logs.p;
	free(base);
	free(cand);
}

void judge_measure(const struct compare_value *base, const struct compare_value *cand,
	enum metric_kind kind, struct effect effect, const struct judge_rules *rules,
	struct judgement *ret)
{
	struct judgement j = { .effect = effect, .cross_p = NAN, .scale = SCALE_RATIO };

	judge_match(base, cand, rules->pairing, &j);
	if (kind == KIND_SHARE || any_not_above_zero(j.base, j.n_base) ||
		any_not_above_zero(j.cand, j.n_cand))
		j.scale = SCALE_DIFFERENCE;
	if (kind == KIND_EXACT && !base->varies && !cand->varies && j.n_base > 1 &&
		j.n_cand > 1)
		j.scale = SCALE_EXACT;
	j.tested = test(&j, j.base, j.cand, rules->alpha, &j.differences, &j.cross_p);
	j.p = j.differences.p;
	if (j.scale == SCALE_RATIO)
		test_ratio(&j, rules->alpha);
	*ret = j;
}

void judgement_clear(struct judgement *j)
{
	free(j->base);
	free(j->cand);
	j->base = j->cand = NULL;
}

/* The relative threshold as a logarithm, the same for 3 % more and its inverse. */
static double log_threshold(const struct judgement *j)
{
	return log1p(j->effect.relative);
}

static bool matters(const struct judgement *j)
{
	double difference = fabs(j->differences.mean), change = INFINITY;

	if (j->scale == SCALE_RATIO)
		change = fabs(j->logs.mean);
	else if (j->scale == SCALE_EXACT && j->base[0] > 0 && j->cand[0] > 0)
		change = fabs(log(j->cand[0] / j->base[0]));
	return change >= log_threshold(j) && difference >= j->effect.absolute;
}

static bool within(const struct stats_test *t, double threshold)
{
	return t->low > -threshold && t->high < threshold;
}

static size_t fewer(size_t a, size_t b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a < b ? a : b;
}

size_t judge_needed(
	const struct judgement *j, size_t least, double alpha, bool *ret_relative)
{
	bool two = j->pairing == PAIR_NONE;
	size_t ratio = 0, difference = 0, n;

	*ret_relative = false;
	if (!j->tested)
		return least;
	if (j->scale == SCALE_RATIO && j->effect.relative > 0)
		ratio = j->logs.sd > 0 ? stats_needed(j->logs.sd, log_threshold(j), alpha,
						 two, least)
				       : least;
	if (j->effect.absolute > 0)
		difference = j->differences.sd > 0
				     ? stats_needed(j->differences.sd, j->effect.absolute,
					       alpha, two, least)
				     : least;
	n = fewer(ratio, difference);
	*ret_relative = n > 0 && n == ratio;
	return n;
}

static double detectable(const struct judgement *j, double alpha)
{
	const struct stats_test *t = j->scale == SCALE_RATIO ? &j->logs : &j->differences;
	double effect = t->sd > 0 ? stats_detectable(t->se, t->df, alpha) : 0;

	if (j->scale == SCALE_RATIO)
		effect = expm1(effect);
	return isfinite(effect) ? effect : 0;
}

static enum compare_word direction(
	const struct judgement *j, enum metric_better better, enum metric_kind kind)
{
	bool higher = j->scale == SCALE_RATIO ? j->logs.mean > 0 : j->differences.mean > 0;

	if (kind == KIND_SHARE || better == BETTER_NONE)
		return higher ? WORD_HIGHER : WORD_LOWER;
	return higher == (better == BETTER_HIGHER) ? WORD_IMPROVEMENT : WORD_REGRESSION;
}

enum compare_word judge_word(struct judgement *j, enum metric_better better,
	enum metric_kind kind, const struct judge_rules *rules, double alpha_left)
{
	size_t n = j->n_base < j->n_cand ? j->n_base : j->n_cand;
	bool zero = j->tested && j->differences.mean == 0 && j->differences.sd <= 0;
	bool relative;

	if (j->scale == SCALE_EXACT && j->tested)
		return zero         ? WORD_SAME
		       : matters(j) ? direction(j, better, kind)
				    : WORD_SMALL;
	if (n < rules->min_n || !j->tested) {
		j->needed = n < rules->min_n
				    ? judge_needed(j, rules->min_n, alpha_left, &relative)
				    : 0;
		return WORD_INCONCLUSIVE;
	}
	j->detectable = detectable(j, alpha_left);
	if (zero)
		return WORD_SAME;
	if (j->corrected && j->p_adjusted < rules->alpha)
		return matters(j) ? direction(j, better, kind) : WORD_SMALL;
	if ((j->scale == SCALE_RATIO && within(&j->logs, log_threshold(j))) ||
		within(&j->differences, j->effect.absolute))
		return WORD_EQUIVALENT;
	j->needed = judge_needed(j, n + 1, alpha_left, &relative);
	return WORD_INCONCLUSIVE;
}
