// SPDX-License-Identifier: GPL-2.0-or-later
/* Each sample of the metrics that decide, by boot, and the interval of the change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/figures_parts.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_verdict.h"

/* Of a count that happens less often than this for each unit there is no picture. */
#define RARE 0.05

/* One metric of one workload. */
struct view {
	const char *label;
	const struct run *runs[2];       /* either may be NULL */
	const struct metric *metrics[2]; /* likewise */
	const struct compare_row *row;   /* NULL for one result */
	struct compare_value values[2];
};

/* [[boot, value], ...]; on one boot, [[sample, value], ...]. */
static json_t *samples_json(const struct view *v, int arm, bool one_boot, size_t *ret_count)
{
	const struct run *run = v->runs[arm];
	json_t *list = json_array();

	*ret_count = 0;
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct place *p = &run->places[i];
		double value = record_value(run, v->metrics[arm], i);

		if (p->warmup || !isfinite(value))
			continue;
		++*ret_count;
		json_array_append_new(list,
			json_pack("[I, f]",
				one_boot ? (json_int_t)*ret_count : (json_int_t)p->boot,
				value));
	}
	return list;
}

static json_t *boots_json(const struct compare_value *value, bool one_boot)
{
	json_t *list = json_array();

	for (size_t i = 0; i < value->n_boots && !one_boot; i++)
		json_array_append_new(
			list, json_pack("[I, f]", (json_int_t)value->boots[i].boot,
				      value->boots[i].value));
	return list;
}

/*
 * Where the candidate lies, as seen from the base: the base's mean, times or plus
 * the interval of the change. null where there is none.
 */
static json_t *interval_json(const struct compare_row *row)
{
	const struct judgement *j = row ? &row->judgement : NULL;
	double from = 0, low, high, middle;

	if (!row || !row->judged || !j->tested || j->scale == SCALE_EXACT)
		return json_null();
	for (size_t i = 0; i < j->n_base; i++)
		from += (j->scale == SCALE_RATIO ? log(j->base[i]) : j->base[i]) /
			(double)j->n_base;
	low = from + (j->scale == SCALE_RATIO ? j->logs.low : j->differences.low);
	high = from + (j->scale == SCALE_RATIO ? j->logs.high : j->differences.high);
	middle = from + (j->scale == SCALE_RATIO ? j->logs.mean : j->differences.mean);
	if (j->scale == SCALE_RATIO) {
		low = exp(low);
		high = exp(high);
		middle = exp(middle);
	}
	if (!isfinite(low) || !isfinite(high) || !isfinite(middle))
		return json_null();
	return json_pack("{s:f, s:f, s:f}", "low", low, "high", high, "middle", middle);
}

/* "6 boots, 12 samples of each", "10 samples"; freed by the caller. */
static char *describe_n(const size_t *n_boots, const size_t *n_samples, bool one_boot)
{
	if (n_samples[0] == 0 || n_samples[1] == 0) {
		const int only = n_samples[0] == 0;

		return one_boot ? mem_format("n = %zu samples", n_samples[only])
				: mem_format("n = %zu boots, %zu samples", n_boots[only],
					  n_samples[only]);
	}
	if (n_boots[0] == n_boots[1] && n_samples[0] == n_samples[1])
		return mem_format("n = %zu boot%s, %zu samples of each", n_boots[0],
			n_boots[0] == 1 ? "" : "s", n_samples[0]);
	return mem_format("n = %zu and %zu boots, %zu and %zu samples", n_boots[0],
		n_boots[1], n_samples[0], n_samples[1]);
}

/* "batch / nobatch 0.0652 [0.0610, 0.0701]: - improvement" */
static char *describe_change(const struct report *r, const struct compare_row *row)
{
	char *change = format_change(row), *verdict = format_verdict(row), *text;

	if (!change)
		text = mem_text(verdict);
	else if (row->has_ratio)
		text = mem_format("%s / %s: %s. %s", r->names[ARM_CAND], r->names[ARM_BASE],
			change, verdict);
	else
		text = mem_format("%s. %s", change, verdict);
	free(change);
	free(verdict);
	return text;
}

static void add_view(const struct report *r, const struct view *v, struct figures *f)
{
	const struct metric *any = v->metrics[v->metrics[ARM_BASE] ? ARM_BASE : ARM_CAND];
	const bool one_boot = v->values[0].n_boots <= 1 && v->values[1].n_boots <= 1;
	size_t n_samples[2] = { 0, 0 },
	       n_boots[2] = { v->values[0].n_boots, v->values[1].n_boots };
	char *slug = figure_slug(any->name), *n, *x_label, *subtitle, *change;
	json_t *arms = json_array(), *spec;

	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
		if (v->values[arm].known)
			json_array_append_new(arms,
				json_pack("{s:s, s:o, s:o, s:o, s:f}", "role",
					figure_roles[arm], "name",
					figure_text(r->arms[ARM_CAND] ? r->names[arm]
								      : "median"),
					"samples",
					samples_json(v, arm, one_boot, &n_samples[arm]),
					"boots", boots_json(&v->values[arm], one_boot),
					"level", v->values[arm].value));
	n = describe_n(n_boots, n_samples, one_boot);
	x_label = mem_format("%s; %s", one_boot ? "sample" : "boot", n);
	subtitle = mem_format("%s, %s", any->name, any->unit);
	change = v->row ? describe_change(r, v->row) : mem_text("");
	spec = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", "dots", "title",
		figure_text(v->label), "subtitle", figure_text(subtitle), "x_label",
		figure_text(x_label), "arms", arms, "interval", interval_json(v->row));
	figures_add(f, FIGURE_SAMPLES, mem_format("samples-%02zu-%s", f->count + 1, slug),
		v->label,
		mem_format(
			"%s: %s in %s, %s. %s", v->label, any->name, any->unit, n, change),
		mem_format("%s%s%s.", change, *change ? "; " : "", n), spec);
	free(slug);
	free(n);
	free(x_label);
	free(subtitle);
	free(change);
}

/* Something happened, and it may be judged. */
static bool worth_showing(const struct view *v, const struct metric *any)
{
	double most = 0;

	if (!compare_is_declared(any->name) || any->emulated || any->kind == KIND_SHARE)
		return false;
	if (v->row && (v->row->word == WORD_EMULATED || v->row->word == WORD_MISFIT))
		return false;
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
		if (v->values[arm].known)
			most = fmax(most, fabs(v->values[arm].value));
	return effect_is_duration(any->unit) ? most > 0 : most >= RARE;
}

static void add_metric(const struct report *r, const struct run_pair *pair,
	const char *name, struct figures *f)
{
	struct view v = { .label = pair->label, .runs = { pair->base, pair->cand } };
	const struct metric *any = NULL;

	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		if (run_has_numbers(v.runs[arm]))
			v.metrics[arm] = run_find_metric(v.runs[arm], name);
		if (v.metrics[arm])
			compare_value_of(v.runs[arm], v.metrics[arm], &v.values[arm]);
		if (v.values[arm].known)
			any = v.metrics[arm];
	}
	v.row = report_row(r, pair->label, name);
	if (any && worth_showing(&v, any))
		add_view(r, &v, f);
	compare_value_clear(&v.values[ARM_BASE]);
	compare_value_clear(&v.values[ARM_CAND]);
}

void figures_add_samples(const struct report *r, struct figures *f)
{
	size_t n_pairs;
	struct run_pair *pairs = report_pairs(r, &n_pairs);

	for (size_t i = 0; i < n_pairs; i++) {
		const struct run *base = pairs[i].base, *cand = pairs[i].cand;

		for (size_t k = 0; base && k < base->n_metrics; k++)
			add_metric(r, &pairs[i], base->metrics[k].name, f);
		for (size_t k = 0; cand && k < cand->n_metrics; k++)
			if (!base || !run_find_metric(base, cand->metrics[k].name))
				add_metric(r, &pairs[i], cand->metrics[k].name, f);
	}
	run_pairs_free(pairs, n_pairs);
}
