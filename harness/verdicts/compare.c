// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_pair.h"
#include "verdicts/compare_verdict.h"

bool compare_is_primary(const char *metric)
{
	static const char *const globs[] = { "ns_per_*", "*_ns_per_*", "*_ns_p[59]*",
		"tlb_shootdowns_per_*", "ipis_per_*", "*_ipis_per_*", "tlbi_per_*",
		"dsb_ish_per_*", "tlbie_per_*", "invlpg_per_*", "cr3_per_*",
		"sfence_vma_per_*", "kernel_insns_per_*" };

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++)
		if ((*globs[i] == '*' || *globs[i] == *metric) &&
			fnmatch(globs[i], metric, 0) == 0)
			return true;
	return false;
}

static void add_key(struct compare_key **keys, size_t *n, const char *key,
	const struct field *base, const struct field *cand)
{
	struct compare_key *k;

	*keys = mem_resize(*keys, *n + 1, sizeof(**keys));
	k = &(*keys)[(*n)++];
	*k = (struct compare_key){
		.key = mem_text(key),
		.base = base ? field_format(base) : mem_text("not recorded"),
		.cand = cand ? field_format(cand) : mem_text("not recorded"),
	};
}

static void diff_fields(const struct fields *base, const struct fields *cand,
	struct compare_key **keys, size_t *n)
{
	for (size_t i = 0; i < base->count; i++) {
		const struct field *b = &base->items[i], *c = fields_find(cand, b->name);

		if (!c || !field_equal(b, c))
			add_key(keys, n, b->name, b, c);
	}
	for (size_t i = 0; i < cand->count; i++)
		if (!fields_find(base, cand->items[i].name))
			add_key(keys, n, cand->items[i].name, NULL, &cand->items[i]);
}

/* Takes the text. */
static void add_note(struct comparison *c, char *text)
{
	c->notes = mem_resize(c->notes, c->n_notes + 1, sizeof(*c->notes));
	c->notes[c->n_notes++] = text;
}

static struct compare_row *add_row(struct comparison *c, const struct run_pair *pair,
	const char *metric, const char *unit)
{
	struct compare_row *row;

	c->rows = mem_resize(c->rows, c->n_rows + 1, sizeof(*c->rows));
	row = &c->rows[c->n_rows++];
	*row = (struct compare_row){
		.workload = mem_text(pair->label),
		.metric = mem_text(metric),
		.unit = mem_text(unit),
		.base_run = pair->base,
		.cand_run = pair->cand,
		.better = BETTER_NONE,
	};
	return row;
}

static bool has_samples(const struct run *run)
{
	return run && (run->status == RUN_OK || run->status == RUN_INCOMPLETE);
}

static enum compare_word status_word(const struct run *run)
{
	switch (run->status) {
	case RUN_SKIPPED:
		return WORD_SKIPPED;
	case RUN_INVALID:
		return WORD_INVALID;
	default:
		return WORD_FAILED;
	}
}

static char *explain(const char *side, const struct run *run)
{
	return mem_format("%s: %s%s%s", side, run->reason ? run->reason : "no reason given",
		run->fix ? "; fix: " : "", run->fix ? run->fix : "");
}

/* One row for a pair of which a side is not there, or gave no numbers. */
static void compare_whole(struct comparison *c, const struct run_pair *pair)
{
	struct compare_row *row = add_row(c, pair, "-", "");
	const struct run *odd;

	row->missing = has_samples(pair->base) && !has_samples(pair->cand);
	if (!pair->base || !pair->cand) {
		row->word = pair->base ? WORD_GONE : WORD_NEW;
		return;
	}
	odd = has_samples(pair->cand) ? pair->base : pair->cand;
	row->word = status_word(odd);
	row->note = explain(odd == pair->cand ? "cand" : "base", odd);
}

/* The change as the test saw it; one of numbers beyond a double is none. */
static void measure(struct comparison *c, struct compare_row *row,
	const struct compare_options *options)
{
	struct judgement *j = &row->judgement;

	judge_measure(&row->base, &row->cand, row->kind,
		effect_of(options->effects, options->n_effects, row->metric, row->unit,
			row->kind),
		&c->rules, j);
	row->judged = true;
	row->difference = stats_mean(j->cand, j->n_cand) - stats_mean(j->base, j->n_base);
	row->has_difference = isfinite(row->difference);
	/* With a zero there is no ratio, and one of shares or signs says nothing. */
	if (j->scale == SCALE_DIFFERENCE || j->base[0] <= 0 || j->cand[0] <= 0)
		return;
	row->ratio = j->tested && j->scale == SCALE_RATIO
			     ? exp(j->logs.mean)
			     : row->cand.value / row->base.value;
	row->has_ratio = isnormal(row->ratio);
}

static char *explain_unavailable(const char *base, const char *cand)
{
	if (base && cand && strcmp(base, cand) == 0)
		return mem_format("both: %s", cand);
	return mem_format("%s: %s", cand ? "cand" : "base", cand ? cand : base);
}

static void refuse(struct compare_row *row, char *why)
{
	row->word = WORD_MISFIT;
	row->note = why;
	row->missing = row->base.known;
	row->base.known = row->cand.known = false;
}

/* false: there is nothing to judge, and the word says why. */
static bool compare_both(
	struct compare_row *row, const struct metric *base, const struct metric *cand)
{
	if (strcmp(base->unit, cand->unit) != 0) {
		refuse(row,
			mem_format("units differ: %s against %s", base->unit, cand->unit));
	} else if (base->better != cand->better) {
		refuse(row, mem_text("base and cand disagree on which direction is "
				     "better"));
	} else if (base->unavailable || cand->unavailable) {
		row->word = WORD_UNAVAILABLE;
		row->note = explain_unavailable(base->unavailable, cand->unavailable);
	} else if (!row->base.known || !row->cand.known) {
		row->word = WORD_NO_VALUE;
		row->note = mem_format(
			"%s: no sample counts", row->cand.known ? "base" : "cand");
	} else if (effect_is_duration(base->unit) &&
		   (row->base.negative || row->cand.negative)) {
		refuse(row, mem_format("%s: a duration below 0; its clock jumped",
				    row->base.negative ? "base" : "cand"));
	} else if (base->emulated || cand->emulated) {
		row->word = WORD_EMULATED;
		row->note = mem_text("an emulator's time is not time: recorded, never "
				     "judged");
	} else {
		return true;
	}
	return false;
}

/* One row; either metric may be NULL. */
static int compare_metric(struct comparison *c, const struct run_pair *pair,
	const struct metric *base, const struct metric *cand,
	const struct compare_options *options)
{
	const struct metric *any = base ? base : cand;
	/* cppcheck-suppress nullPointerRedundantCheck ; one of the two is there */
	struct compare_row *row = add_row(c, pair, any->name, any->unit);
	int ret = 0;

	/* cppcheck-suppress nullPointerRedundantCheck */
	row->better = any->better;
	/* cppcheck-suppress nullPointerRedundantCheck */
	row->kind = any->kind;
	if (base)
		ret = compare_value_of(pair->base, base, &row->base);
	if (cand && ret == 0)
		ret = compare_value_of(pair->cand, cand, &row->cand);
	if (ret < 0)
		return ret;
	if (!base || !cand)
		row->word = base ? WORD_GONE : WORD_NEW;
	else if (compare_both(row, base, cand))
		measure(c, row, options);
	row->missing |= row->base.known && !row->cand.known;
	c->n_paired += row->base.known && row->cand.known;
	return 0;
}

static int compare_pair(struct comparison *c, const struct run_pair *pair,
	const struct compare_options *options)
{
	int ret = 0;

	if (!has_samples(pair->base) || !has_samples(pair->cand)) {
		compare_whole(c, pair);
		return 0;
	}
	if (pair->base->status == RUN_INCOMPLETE || pair->cand->status == RUN_INCOMPLETE)
		add_note(c,
			mem_format("%s was interrupted: %zu samples against %zu",
				pair->label, pair->base->n_samples, pair->cand->n_samples));
	for (size_t i = 0; ret == 0 && i < pair->base->n_metrics; i++) {
		const struct metric *m = &pair->base->metrics[i];

		ret = compare_metric(
			c, pair, m, run_find_metric(pair->cand, m->name), options);
	}
	for (size_t i = 0; ret == 0 && i < pair->cand->n_metrics; i++) {
		const struct metric *m = &pair->cand->metrics[i];

		if (!run_find_metric(pair->base, m->name))
			ret = compare_metric(c, pair, NULL, m, options);
	}
	return ret;
}

static bool is_selected(const struct run *run, const struct compare_options *options)
{
	return !options->workload || fnmatch(options->workload, run->workload, 0) == 0;
}

/* Marks what is asked for among the rows from first on; counts what is missing. */
static void select_rows(struct comparison *c, size_t first, const struct run_pair *pair,
	const struct compare_options *options)
{
	if (!is_selected(pair->base ? pair->base : pair->cand, options))
		return;
	for (size_t i = first; i < c->n_rows; i++) {
		struct compare_row *row = &c->rows[i];
		bool whole = strcmp(row->metric, "-") == 0;
		bool primary = whole || compare_is_primary(row->metric);
		bool named = !options->metric || whole ||
			     fnmatch(options->metric, row->metric, 0) == 0;

		row->selected = named && (primary || options->metric ||
						 options->show != SHOW_PRIMARY);
		row->declared = options->metric ? named : compare_is_declared(row->metric);
		c->n_missing += row->missing && named && (primary || options->metric);
	}
}

static int attribute(struct comparison *c, const struct run_pair *pair,
	const struct record *base, const struct record *cand)
{
	const struct attribution_side sides[2] = {
		{ pair->base, attribution_find_profile(base, pair->base) },
		{ pair->cand, attribution_find_profile(cand, pair->cand) },
	};
	struct attribution a;
	int ret;

	if (!sides[0].profiled || !sides[1].profiled)
		return 0;
	ret = attribution_make(&sides[0], &sides[1], pair->label, &c->rules, &a);
	if (ret < 0)
		return ret == -ENODATA ? 0 : ret;
	c->attributions = mem_resize(
		c->attributions, c->n_attributions + 1, sizeof(*c->attributions));
	c->attributions[c->n_attributions++] = a;
	return 0;
}

static int compare_runs(struct comparison *c, const struct record *base,
	const struct record *cand, const struct compare_options *options)
{
	size_t n_pairs;
	struct run_pair *pairs = run_pairs_make(base, cand, &n_pairs);
	int ret = 0;

	if (!base->complete)
		add_note(c, mem_text("base was interrupted before its last workload"));
	if (!cand->complete)
		add_note(c, mem_text("cand was interrupted before its last workload"));
	if (records_same_samples(base, cand))
		add_note(c, mem_text("base and cand hold the very same samples: one result "
				     "given twice, or a copy of it"));
	for (size_t i = 0; ret == 0 && i < n_pairs; i++) {
		size_t first = c->n_rows;

		ret = compare_pair(c, &pairs[i], options);
		if (ret == 0)
			select_rows(c, first, &pairs[i], options);
		if (ret == 0 && has_samples(pairs[i].base) && has_samples(pairs[i].cand) &&
			is_selected(pairs[i].base, options))
			ret = attribute(c, &pairs[i], base, cand);
	}
	run_pairs_free(pairs, n_pairs);
	if (ret == 0)
		compare_judge(c, options);
	return ret;
}

int compare_records(const struct record *base, const struct record *cand,
	const struct compare_options *options, struct comparison **ret)
{
	struct comparison *c = mem_zeroed(1, sizeof(*c));
	int code = 0;
	char *why;

	diff_fields(&base->identity, &cand->identity, &c->identity, &c->n_identity);
	diff_fields(&base->subject, &cand->subject, &c->subject, &c->n_subject);
	c->comparable = true;
	c->rules = (struct judge_rules){
		.pairing = options->pairing,
		.alpha = options->alpha > 0 ? options->alpha : 0.05,
		.min_n = options->min_n > 0 ? options->min_n : 6,
	};
	for (size_t i = 0; i < c->n_identity; i++) {
		c->identity[i].allowed =
			name_is_listed(options->allow_mismatch, c->identity[i].key);
		c->comparable &= c->identity[i].allowed;
		why = compare_flush_warning(&c->identity[i]);
		if (why)
			add_note(c, why);
	}
	if (c->comparable)
		code = compare_runs(c, base, cand, options);
	if (code < 0)
		comparison_free(c);
	else
		*ret = c;
	return code;
}

static void free_keys(struct compare_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(keys[i].key);
		free(keys[i].base);
		free(keys[i].cand);
	}
	free(keys);
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	free_keys(c->identity, c->n_identity);
	free_keys(c->subject, c->n_subject);
	for (size_t i = 0; i < c->n_rows; i++) {
		free(c->rows[i].workload);
		free(c->rows[i].metric);
		free(c->rows[i].unit);
		free(c->rows[i].note);
		compare_value_clear(&c->rows[i].base);
		compare_value_clear(&c->rows[i].cand);
		judgement_clear(&c->rows[i].judgement);
	}
	free(c->rows);
	for (size_t i = 0; i < c->n_attributions; i++)
		attribution_clear(&c->attributions[i]);
	free(c->attributions);
	for (size_t i = 0; i < c->n_notes; i++)
		free(c->notes[i]);
	free(c->notes);
	free(c);
}
