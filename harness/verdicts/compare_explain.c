// SPDX-License-Identifier: GPL-2.0-or-later
/* How a row came to its word, number by number. */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "verdicts/compare_format.h"
#include "verdicts/compare_render.h"

static void put_boots(FILE *out, const char *side, const double *x, size_t n)
{
	fprintf(out, "  %s, each boot (median in a process, mean over these):\n   ", side);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %.10g", x[i]);
	fprintf(out, "\n    mean %.10g\n", stats_mean(x, n));
}

static void put_pairs(FILE *out, const struct judgement *j, bool logs)
{
	fprintf(out, "  %s, each pair:\n   ", logs ? "ln cand - ln base" : "cand - base");
	for (size_t i = 0; i < j->n_base; i++)
		fprintf(out, " %.10g",
			logs ? log(j->cand[i]) - log(j->base[i]) : j->cand[i] - j->base[i]);
	fputc('\n', out);
}

static void put_test(FILE *out, const char *what, const struct stats_test *t, double alpha)
{
	fprintf(out,
		"  %s: mean %.10g, sd %.10g, se %.10g\n"
		"    t = mean / se = %.10g, df %.6g, p %.6g\n"
		"    %g %% interval %.10g .. %.10g\n",
		what, t->mean, t->sd, t->se, t->t, t->df, t->p, 100 * (1 - alpha), t->low,
		t->high);
}

static void put_tests(FILE *out, const struct judgement *j, double alpha)
{
	bool ratio = j->scale == SCALE_RATIO, paired = j->pairing != PAIR_NONE;

	if (paired && ratio)
		put_pairs(out, j, true);
	if (paired)
		put_pairs(out, j, false);
	if (ratio) {
		put_test(out, paired ? "logarithms, Student" : "logarithms, Welch",
			&j->logs, alpha);
		fprintf(out, "    ratio exp(mean) = %.10g [%.10g, %.10g]\n",
			exp(j->logs.mean), exp(j->logs.low), exp(j->logs.high));
	}
	put_test(out, paired ? "differences, Student" : "differences, Welch",
		&j->differences, alpha);
	if (!isnan(j->cross_p))
		fprintf(out, "  cross-check, %s: p %.6g\n",
			paired ? "sign-flip" : "Mann-Whitney", j->cross_p);
}

static void put_detectable(FILE *out, const struct compare_row *row)
{
	const struct judgement *j = &row->judgement;

	fputs("  smallest effect that these boots find in 80 of 100 experiments: ", out);
	if (j->scale == SCALE_RATIO)
		fprintf(out, "%.10g %%\n", 100 * j->detectable);
	else
		fprintf(out, "%.10g %s\n", j->detectable, row->unit);
}

static void put_judgement(
	FILE *out, const struct compare_row *row, const struct judge_rules *rules)
{
	static const char *const scales[] = {
		[SCALE_RATIO] = "by the ratio: all values are above 0",
		[SCALE_DIFFERENCE] = "by the difference: a share, or a value not above 0",
		[SCALE_EXACT] = "exactly: the count does not vary within a side",
	};
	const struct judgement *j = &row->judgement;

	put_boots(out, "base", j->base, j->n_base);
	put_boots(out, "cand", j->cand, j->n_cand);
	fprintf(out, "  paired by: %s; boots without a partner: %zu\n",
		compare_pairing_text(j->pairing), j->n_left_over);
	fprintf(out, "  judged %s\n", scales[j->scale]);
	if (j->tested && j->scale != SCALE_EXACT)
		put_tests(out, j, rules->alpha);
	if (j->corrected)
		fprintf(out, "  p adjusted among %zu rows: %.6g; alpha %g\n", j->family,
			j->p_adjusted, rules->alpha);
	if (j->scale == SCALE_RATIO)
		fprintf(out, "  smallest effect that matters: %g %% (ln %.6g) and %g %s\n",
			100 * j->effect.relative, log1p(j->effect.relative),
			j->effect.absolute, row->unit);
	else
		fprintf(out, "  smallest effect that matters: %g %s\n", j->effect.absolute,
			row->unit);
	fprintf(out, "  least boots of each side for a verdict: %zu\n", rules->min_n);
	if (j->detectable > 0)
		put_detectable(out, row);
}

static void put_row(
	FILE *out, const struct compare_row *row, const struct judge_rules *rules)
{
	char *verdict = format_verdict(row);

	fprintf(out, "%s %s\n", row->workload, row->metric);
	if (row->judged)
		put_judgement(out, row, rules);
	if (row->note)
		fprintf(out, "  note: %s\n", row->note);
	fprintf(out, "  verdict: %s%s\n\n", verdict,
		row->declared ? "" : ", does not decide the exit code");
	free(verdict);
}

int compare_explain(const struct comparison *c, const char *metric, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].selected && fnmatch(metric, c->rows[i].metric, 0) == 0)
			put_row(out, &c->rows[i], &c->rules);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}
