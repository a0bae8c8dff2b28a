// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_verdict.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool compare_is_declared(const char *metric)
{
	static const char *const globs[] = { "ns_per_*", "tlb_shootdowns_per_*",
		"call_ipis_per_*", "tlbi_per_*", "dsb_ish_per_*", "tlbie_per_*",
		"sfence_vma_per_*", "kernel_insns_per_*" };

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++)
		if ((*globs[i] == '*' || *globs[i] == *metric) &&
			fnmatch(globs[i], metric, 0) == 0)
			return true;
	return false;
}

static bool in_family(const struct compare_row *row, bool declared)
{
	return row->judged && row->judgement.tested &&
	       row->judgement.scale != SCALE_EXACT &&
	       (declared ? row->declared : row->selected && !row->declared);
}

/* Returns what of alpha the hardest of the family has to pass. */
static double correct(struct comparison *c, bool declared, enum correction how)
{
	double *p = mem_zeroed(c->n_rows, sizeof(*p));
	size_t n = 0, at = 0;

	for (size_t i = 0; i < c->n_rows; i++)
		if (in_family(&c->rows[i], declared))
			p[n++] = c->rows[i].judgement.p;
	if (how == CORRECT_HOLM)
		stats_holm(p, n);
	else if (how == CORRECT_BH)
		stats_benjamini_hochberg(p, n);
	for (size_t i = 0; i < c->n_rows; i++) {
		struct judgement *j = &c->rows[i].judgement;

		if (!in_family(&c->rows[i], declared))
			continue;
		j->corrected = true;
		j->p_adjusted = p[at++];
		j->family = n;
	}
	free(p);
	return how == CORRECT_HOLM && n > 0 ? c->rules.alpha / (double)n : c->rules.alpha;
}

/* Takes the text. */
static void note(struct compare_row *row, char *text)
{
	char *both;

	if (!row->note) {
		row->note = text;
		return;
	}
	both = mem_format("%s; %s", row->note, text);
	free(row->note);
	free(text);
	row->note = both;
}

static void note_doubts(struct compare_row *row, const struct judge_rules *rules)
{
	const struct judgement *j = &row->judgement;
	size_t n = j->n_base < j->n_cand ? j->n_base : j->n_cand;

	if (j->n_left_over > 0)
		note(row, mem_format("boots without a partner on the other side, in no "
				     "pair: %zu",
				  j->n_left_over));
	if (row->kind == KIND_EXACT && j->scale != SCALE_EXACT && n > 1)
		note(row, mem_text("this count should not vary and does: judged as a "
				   "sample"));
	if (j->tested && j->scale != SCALE_EXACT && n >= rules->min_n &&
		!isnan(j->cross_p) && (j->p < rules->alpha) != (j->cross_p < rules->alpha))
		note(row,
			mem_format(
				"the cross-check disagrees: p %.3g by t, %.3g by %s, both "
				"unadjusted",
				j->p, j->cross_p,
				j->pairing == PAIR_NONE ? "Mann-Whitney" : "sign-flip"));
}

static void judge_row(
	struct compare_row *row, const struct judge_rules *rules, double alpha_left)
{
	if (!row->judged)
		return;
	row->word = judge_word(&row->judgement, row->better, row->kind, rules, alpha_left);
	note_doubts(row, rules);
}

/* Whether there is something to look at: only sameness that was shown is none. */
/*
 * No counter on either side, or one of an emulator's many durations: of these
 * the declared one is enough to say that they are not judged.
 */
static bool says_nothing(const struct compare_row *row)
{
	if (row->word == WORD_EMULATED)
		return !row->declared;
	return row->word == WORD_UNAVAILABLE && !row->base.known && !row->cand.known;
}

static bool changed(const struct compare_row *row)
{
	switch (row->word) {
	case WORD_SAME:
	case WORD_EQUIVALENT:
		return false;
	case WORD_INCONCLUSIVE:
		return !row->has_difference || row->difference != 0;
	default:
		return strcmp(row->metric, "-") == 0 || row->base.known ||
		       row->cand.known || row->word == WORD_MISFIT;
	}
}

void compare_judge(struct comparison *c, const struct compare_options *options)
{
	double declared = correct(c, true, options->correction);
	double others = correct(
		c, false, options->correction == CORRECT_NONE ? CORRECT_NONE : CORRECT_BH);

	for (size_t i = 0; i < c->n_rows; i++) {
		struct compare_row *row = &c->rows[i];

		judge_row(row, &c->rules, row->declared ? declared : others);
		row->shown = row->selected &&
			     (options->show != SHOW_CHANGED || changed(row)) &&
			     (options->show != SHOW_PRIMARY || options->metric ||
				     !says_nothing(row));
		c->n_shown += row->shown;
		c->n_regressions += row->declared && row->word == WORD_REGRESSION;
		c->n_improvements += row->declared && row->word == WORD_IMPROVEMENT;
		c->n_inconclusive += row->declared && row->word == WORD_INCONCLUSIVE;
	}
}

int compare_exit_code(const struct comparison *c, unsigned int fail_on)
{
	if (!c->comparable || c->n_paired == 0)
		return 3;
	if ((fail_on & FAIL_MISSING) && c->n_missing > 0)
		return 3;
	if ((fail_on & FAIL_REGRESSION) && c->n_regressions > 0)
		return 1;
	if ((fail_on & FAIL_INCONCLUSIVE) && c->n_inconclusive > 0)
		return 4;
	return 0;
}
