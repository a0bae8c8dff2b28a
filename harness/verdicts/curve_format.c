// SPDX-License-Identifier: GPL-2.0-or-later
/* What a curve says: as a sentence, and as JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/curve.h"
#include "verdicts/record_json.h"

/* The fewest boots of a point. */
static size_t fewest_boots(const struct curve *c)
{
	size_t n = SIZE_MAX;

	for (size_t i = 0; i < c->n_points; i++) {
		const struct compare_row *row = c->points[i].row;

		if (c->points[i].known && row->judgement.n_base < n)
			n = row->judgement.n_base;
		if (c->points[i].known && row->judgement.n_cand < n)
			n = row->judgement.n_cand;
	}
	return n == SIZE_MAX ? 0 : n;
}

char *curve_sentence(const struct curve *c, const char *base_name, const char *cand_name)
{
	const size_t n = fewest_boots(c), wanted = c->comparison->rules.min_n;
	char *where, *doubt, *text;

	if (c->crossover == CROSSOVER_NONE)
		return NULL;
	if (c->crossover == CROSSOVER_EVERYWHERE)
		where = mem_format("%s is better than %s at every value of %s tried",
			cand_name, base_name, c->param);
	else if (c->crossover == CROSSOVER_FROM)
		where = mem_format("%s is better than %s from %s=%s on", cand_name,
			base_name, c->param, c->points[c->from].label);
	else
		where = mem_format(
			"there is no value of %s from which on %s is better than %s",
			c->param, cand_name, base_name);
	doubt = n < wanted ? mem_format(" A point has %zu boot%s, and a verdict takes %zu.",
				     n, n == 1 ? "" : "s", wanted)
			   : mem_text("");
	text = mem_format("In %s, %s.%s", c->metric, where, doubt);
	free(doubt);
	free(where);
	return text;
}

static void add_dot(struct curve_dots *d, double value)
{
	if (!isfinite(value))
		return;
	d->min = d->count == 0 || value < d->min ? value : d->min;
	d->max = d->count == 0 || value > d->max ? value : d->max;
	d->values = mem_resize(d->values, d->count + 1, sizeof(*d->values));
	d->values[d->count++] = value;
}

struct curve_dots curve_dots_of(
	const struct curve *c, const struct curve_point *p, bool cand)
{
	struct curve_dots d = { 0 };
	const struct compare_value *v;
	const struct metric *m;
	const struct run *run;

	if (!p->row)
		return d;
	v = cand ? &p->row->cand : &p->row->base;
	run = cand ? p->row->cand_run : p->row->base_run;
	d.boots = v->n_boots > 1;
	for (size_t i = 0; d.boots && i < v->n_boots; i++)
		add_dot(&d, v->boots[i].value);
	m = run && !d.boots && v->known ? run_find_metric(run, c->metric) : NULL;
	for (size_t i = 0; m && i < run->n_samples; i++)
		if (!run->places[i].warmup)
			add_dot(&d, record_value(run, m, i));
	return d;
}

/* JSON has no infinity: null. */
static json_t *real_json(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *side_json(const struct curve *c, const struct curve_point *p, bool cand)
{
	const struct compare_value *v = cand ? &p->row->cand : &p->row->base;
	struct curve_dots d = curve_dots_of(c, p, cand);
	json_t *dots = json_array(), *side;

	for (size_t i = 0; i < d.count; i++)
		json_array_append_new(dots, json_real(d.values[i]));
	side = json_pack("{s:o, s:I, s:I, s:s, s:o}", "value",
		real_json(v->known, v->value), "boots", (json_int_t)v->n_boots, "samples",
		(json_int_t)v->n_samples, "dots_are", d.boots ? "boots" : "samples", "dots",
		dots);
	free(d.values);
	return side;
}

/* The interval of the ratio; there is none of one boot, or where a value is 0. */
static bool has_interval(const struct compare_row *row)
{
	return row->judged && row->has_ratio && row->judgement.tested &&
	       row->judgement.scale == SCALE_RATIO;
}

static json_t *point_json(const struct curve *c, const struct curve_point *p)
{
	const struct compare_row *row = p->row;
	const bool both = row && c->two_sided;

	return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:s?, s:o}",
		"label", record_text_json(p->label), "x", real_json(p->numeric, p->x),
		"known", p->known, "better", p->better, "base",
		row ? side_json(c, p, false) : json_null(), "cand",
		both ? side_json(c, p, true) : json_null(), "ratio",
		real_json(both && row->has_ratio, both ? row->ratio : 0), "ratio_low",
		real_json(
			both && has_interval(row), both ? exp(row->judgement.logs.low) : 0),
		"ratio_high",
		real_json(both && has_interval(row),
			both ? exp(row->judgement.logs.high) : 0),
		"word", both ? compare_word_text(row->word) : NULL, "note",
		row && row->note ? record_text_json(row->note) : json_null());
}

static json_t *crossover_json(const struct curve *c, const struct curve_names *names)
{
	static const char *const words[] = { [CROSSOVER_NONE] = "none",
		[CROSSOVER_EVERYWHERE] = "everywhere",
		[CROSSOVER_FROM] = "from",
		[CROSSOVER_NOWHERE] = "nowhere" };
	const bool from = c->crossover == CROSSOVER_FROM;
	char *text = curve_sentence(c, names->base, names->cand);
	json_t *json = json_pack("{s:s, s:s?, s:o, s:s?}", "kind", words[c->crossover],
		"label", from ? c->points[c->from].label : NULL, "x",
		real_json(from, from ? c->points[c->from].x : 0), "text", text);

	free(text);
	return json;
}

int curve_json(const struct curve *c, const struct curve_names *names, char **ret)
{
	json_t *points = json_array(), *top;
	char *text;

	for (size_t i = 0; i < c->n_points; i++)
		json_array_append_new(points, point_json(c, &c->points[i]));
	top = json_pack(
		"{s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:b, s:b, s:s, s:s?, s:o, s:o}",
		"schema", CURVE_SCHEMA, "what", record_text_json(names->what), "machine",
		record_text_json(names->machine), "param", c->param, "metric", c->metric,
		"unit", c->unit, "better", record_better_words[c->better], "emulated",
		c->emulated, "ordered", c->ordered, "base", names->base, "cand",
		names->cand, "crossover", crossover_json(c, names), "points", points);
	text = top ? json_dumps(top, JSON_INDENT(1)) : NULL;
	json_decref(top);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}
