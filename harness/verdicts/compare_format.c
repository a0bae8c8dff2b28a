// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

static const struct {
	const char *word, *symbol;
} words[] = {
	[WORD_REGRESSION] = { "regression", "+ " },
	[WORD_IMPROVEMENT] = { "improvement", "- " },
	[WORD_LOWER] = { "lower", "* " },
	[WORD_HIGHER] = { "higher", "* " },
	[WORD_SMALL] = { "small", "= " },
	[WORD_EQUIVALENT] = { "equivalent", "= " },
	[WORD_SAME] = { "same", "= " },
	[WORD_INCONCLUSIVE] = { "inconclusive", "? " },
	[WORD_EMULATED] = { "emulated", "" },
	[WORD_NEW] = { "new", "" },
	[WORD_GONE] = { "gone", "" },
	[WORD_UNAVAILABLE] = { "unavailable", "x " },
	[WORD_NO_VALUE] = { "no value", "x " },
	[WORD_SKIPPED] = { "skipped", "x " },
	[WORD_INVALID] = { "invalid", "x " },
	[WORD_FAILED] = { "failed", "x " },
	[WORD_MISFIT] = { "refused", "x " },
};

const char *compare_word_text(enum compare_word word)
{
	return words[word].word;
}

const char *compare_pairing_text(enum pairing pairing)
{
	return pairing == PAIR_BOOT ? "boot" : pairing == PAIR_BLOCK ? "block" : "none";
}

/* Without an exponent, where that is short enough. */
static char *format_digits(double value, int digits, bool signs)
{
	double size = fabs(value);
	int decimals = 0;

	if (size >= 1e12 || (size > 0 && size < 1e-4))
		return mem_format(signs ? "%+.*e" : "%.*e", digits - 1, value);
	if (size > 0 && size < pow(10, digits - 1))
		decimals = digits - 1 - (int)floor(log10(size));
	return mem_format(signs && size > 0 ? "%+.*f" : "%.*f", decimals, value);
}

char *format_number(double value, bool signs)
{
	return format_digits(value, 4, signs);
}

char *format_effect(const struct compare_row *row)
{
	char *number, *text;

	if (row->has_ratio)
		return format_number(row->ratio, false);
	if (!row->has_difference)
		return NULL;
	number = format_number(row->difference, true);
	text = mem_format("diff %s", number);
	free(number);
	return text;
}

char *format_interval(const struct compare_row *row)
{
	const struct judgement *j = &row->judgement;
	bool ratio = row->has_ratio;
	char *low, *high, *text;

	if (!row->judged || !j->tested || j->scale == SCALE_EXACT)
		return NULL;
	if (ratio) {
		low = format_number(exp(j->logs.low), false);
		high = format_number(exp(j->logs.high), false);
	} else {
		low = format_digits(j->differences.low, 3, true);
		high = format_digits(j->differences.high, 3, true);
	}
	text = mem_format("[%s, %s]", low, high);
	free(low);
	free(high);
	return text;
}

char *format_change(const struct compare_row *row)
{
	char *effect = format_effect(row), *interval = format_interval(row), *text;

	if (!effect || !interval) {
		free(interval);
		return effect;
	}
	text = mem_format("%s %s", effect, interval);
	free(effect);
	free(interval);
	return text;
}

char *format_detectable(const struct compare_row *row)
{
	const struct judgement *j = &row->judgement;
	char *number, *text;

	if (!row->judged || j->detectable <= 0)
		return NULL;
	if (j->scale != SCALE_RATIO)
		return format_digits(j->detectable, 2, false);
	number = format_digits(100 * j->detectable, 2, false);
	text = mem_format("%s%%", number);
	free(number);
	return text;
}

char *format_p(const struct compare_row *row)
{
	if (!row->judgement.corrected)
		return NULL;
	if (row->judgement.p_adjusted < 0.0001)
		return mem_text("<.0001");
	return mem_format("%.4f", row->judgement.p_adjusted);
}

char *format_boots(const struct compare_row *row)
{
	size_t base = row->judged ? row->judgement.n_base : row->base.n_boots;
	size_t cand = row->judged ? row->judgement.n_cand : row->cand.n_boots;

	if (base == 0 && cand == 0)
		return NULL;
	if (base == cand)
		return mem_format("%zu", base);
	return mem_format("%zu/%zu", base, cand);
}

char *format_word(const struct compare_row *row)
{
	return mem_format("%s%s", words[row->word].symbol, words[row->word].word);
}

char *format_verdict(const struct compare_row *row)
{
	char *word = format_word(row), *text;

	if (row->word != WORD_INCONCLUSIVE || row->judgement.needed == 0)
		return word;
	text = mem_format("%s (needs %zu)", word, row->judgement.needed);
	free(word);
	return text;
}

/* What "needs" means in the rows shown; nothing where no row has it. */
static void put_needed(FILE *out, const struct comparison *c)
{
	bool needed = false, tested = false;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct judgement *j = &c->rows[i].judgement;

		needed |= c->rows[i].shown && j->needed > 0;
		tested |= c->rows[i].shown && j->needed > 0 && j->tested;
	}
	if (needed)
		fprintf(out, "needs: boots of each side, at least%s.\n",
			tested ? ", to find the smallest effect\n"
				 "that matters in 80 of 100 experiments"
			       : "");
}

static void put_detectable(FILE *out, const struct comparison *c)
{
	bool any = false;

	for (size_t i = 0; i < c->n_rows; i++)
		any |= c->rows[i].shown && c->rows[i].judgement.detectable > 0;
	if (any)
		fputs("finds: the smallest effect that these boots find in 80 of 100\n"
		      "experiments.\n",
			out);
}

static bool any_judged(const struct comparison *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown && c->rows[i].judged)
			return true;
	return false;
}

/* How the shown rows were paired, where all were alike. */
static void put_pairing(FILE *out, const struct comparison *c)
{
	size_t by[PAIR_BOOT + 1] = { 0 };

	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown && c->rows[i].judged)
			by[c->rows[i].judgement.pairing]++;
	fputs("n: boots", out);
	if (by[PAIR_BOOT] + by[PAIR_BLOCK] == 0)
		fputs(" of each side, not paired", out);
	else if (by[PAIR_NONE] == 0)
		fprintf(out, ", paired by %s",
			by[PAIR_BLOCK] == 0  ? "boot"
			: by[PAIR_BOOT] == 0 ? "block"
					     : "boot or block");
	fprintf(out, "; a verdict takes %zu.\n", c->rules.min_n);
}

char *format_method(const struct comparison *c)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	if (any_judged(c))
		put_pairing(out, c);
	put_detectable(out, c);
	put_needed(out, c);
	fclose(out);
	return text;
}

char *format_conclusion(const struct comparison *c)
{
	char *method = format_method(c);
	char *text = mem_format(
		"%sMetrics that decide: %zu worse, %zu better, %zu inconclusive.\n", method,
		c->n_regressions, c->n_improvements, c->n_inconclusive);

	free(method);
	return text;
}
