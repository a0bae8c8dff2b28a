// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/claims_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_pair.h"

/* What is left of a thing that is as good as gone. */
#define GONE 0.05
/* So much of the published change, on the scale of ratios, still is that change. */
#define MOST 0.5

/* Where to look: the claim's own metric, or a count that stands for it. */
struct place_to_look {
	char how[16], workload[64], metric[128];
};

const char *claim_subject(const struct claim *c, const char *key, const char *detail)
{
	char *name = detail ? mem_format("%s:%s", key, detail) : mem_text(key);
	const struct field *f = fields_find(&c->from->subject, name);

	free(name);
	return f ? f->text : NULL;
}

static void add(struct finding **list, size_t *n, char *here, char *verdict)
{
	*list = mem_resize(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = (struct finding){ here, verdict };
}

static char *values_text(const struct compare_row *row)
{
	char *base = format_number(row->base.value, false);
	char *cand = format_number(row->cand.value, false);
	char *ratio = row->base.value > 0 && row->cand.value > 0
			      ? format_number(row->cand.value / row->base.value, false)
			      : NULL;
	char *text = mem_format("%s %s %s -> %s%s%s (%zu and %zu boots)", row->workload,
		row->metric, base, cand, ratio ? ", ratio " : "", ratio ? ratio : "",
		row->base.n_boots, row->cand.n_boots);

	free(base);
	free(cand);
	free(ratio);
	return text;
}

/* What was published as gone: is it here? */
static char *judge_gone(const struct compare_row *row)
{
	if (row->base.value <= 0)
		return mem_text("cannot be judged here: nothing of it in the base either");
	if (row->cand.value < GONE * row->base.value)
		return mem_text("agrees: it is gone");
	return mem_text("differs: it is still there");
}

static char *judge_ratio(const struct claim *c, const struct compare_row *row)
{
	const double published = log(c->cand / c->base);
	const double here = log(row->cand.value / row->base.value);

	if (row->word == WORD_EMULATED)
		return mem_text("cannot be judged here: an emulator's time is not time");
	if (row->word == WORD_INCONCLUSIVE)
		return mem_text(
			"cannot be judged here: inconclusive, more boots are needed");
	if (here * published <= 0)
		return mem_text("differs: no such change here");
	if (fabs(here) < MOST * fabs(published))
		return mem_text("differs: the same direction, and less than half of it");
	return mem_text("agrees: the same direction, and at least half of it");
}

static char *judge_row(const struct claim *c, const struct compare_row *row)
{
	if (c->metric->unavailable)
		return mem_text("cannot be judged: published without a figure");
	if (isnan(c->base) || isnan(c->cand))
		return mem_text("cannot be judged: one side was published only");
	if (c->cand == 0)
		return judge_gone(row);
	if (row->base.value <= 0 || row->cand.value <= 0)
		return mem_text("cannot be judged here: one side is 0, and has no ratio");
	return judge_ratio(c, row);
}

/* Why the figure itself is not judged, where only a count stands beside it. */
static char *judge_beside(
	const struct claim *c, const struct comparison *comparison, const char *workload)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (strcmp(row->metric, c->metric->name) != 0 || !row->cand_run ||
			strcmp(row->cand_run->workload, workload) != 0)
			continue;
		if (row->word == WORD_EMULATED)
			return mem_text("cannot be judged here: an emulator's time is not "
					"time; the count is what there is");
		return mem_format("cannot be judged here: %s",
			row->note ? row->note : compare_word_text(row->word));
	}
	return mem_text(
		"cannot be judged here: no such metric; the count is what there is");
}

static bool is_row(const struct compare_row *row, const char *workload, const char *metric)
{
	return strcmp(row->metric, metric) == 0 && row->base.known && row->cand.known &&
	       strcmp(row->base_run->workload, workload) == 0;
}

/* Rows of the claim's own metric that are more than an emulator's time. */
static void judge_itself(const struct claim *c, const struct comparison *comparison,
	struct finding **list, size_t *n)
{
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (is_row(row, c->run->workload, c->metric->name) && row->judged)
			add(list, n, values_text(row), judge_row(c, row));
	}
}

static void judge_evidence(const struct claim *c, const struct comparison *comparison,
	struct finding **list, size_t *n)
{
	const char *text = claim_subject(c, "here", c->metric->name);
	struct place_to_look at;

	if (!text || sscanf(text, "%15s %63s %127s", at.how, at.workload, at.metric) != 3)
		return;
	for (size_t i = 0; i < comparison->n_rows; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (is_row(row, at.workload, at.metric))
			add(list, n, values_text(row),
				strcmp(at.how, "judged") == 0
					? judge_row(c, row)
					: judge_beside(c, comparison, at.workload));
	}
}

/* A switch was asked for: there is one where one kernel ran both ways. */
static void judge_switch(const struct claim *c, const struct claims_measured *m,
	struct finding **list, size_t *n)
{
	const char *name = c->metric->name;
	const struct field *off = fields_find(&m->base->subject, name);
	const struct field *on = fields_find(&m->cand->subject, name);
	const struct field *a = fields_find(&m->base->subject, "kernel_release");
	const struct field *b = fields_find(&m->cand->subject, "kernel_release");

	if (!off || !on || !a || !b || field_equal(off, on) || !field_equal(a, b))
		return;
	add(list, n,
		mem_format("%s %lld and %lld in one kernel", name, (long long)off->number,
			(long long)on->number),
		mem_text("agrees: there is one"));
}

static bool same_arch(const struct record *a, const struct record *b)
{
	const struct field *x = fields_find(&a->identity, "arch");
	const struct field *y = fields_find(&b->identity, "arch");

	return x && y && field_equal(x, y);
}

static bool is_about(const struct claim *c, const struct claims_measured *m)
{
	const char *arms = claim_subject(c, "arms", NULL);

	return arms && strcmp(arms, m->arms) == 0 && same_arch(c->from, m->cand);
}

int claim_judge(const struct claim *c, const struct claims_measured *m,
	struct finding **ret, size_t *ret_n)
{
	static const struct compare_options all = { .show = SHOW_ALL };
	struct comparison *comparison;
	struct finding *list = NULL;
	size_t n = 0;
	int code = 0;

	judge_switch(c, m, &list, &n);
	if (n == 0 && is_about(c, m)) {
		code = compare_records(m->base, m->cand, &all, &comparison);
		if (code < 0)
			return code;
		judge_itself(c, comparison, &list, &n);
		if (n == 0)
			judge_evidence(c, comparison, &list, &n);
		comparison_free(comparison);
	}
	*ret = list;
	*ret_n = n;
	return 0;
}
