// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison for other programs. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdicts/compare_format.h"
#include "verdicts/compare_render.h"
#include "verdicts/record_json.h"

/* Quoted where RFC 4180 asks for it. */
static void put_csv(FILE *out, const char *text, char end)
{
	if (!text)
		text = "";
	if (!strpbrk(text, ",\"\r\n")) {
		fprintf(out, "%s%c", text, end);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fprintf(out, "\"%c", end);
}

static void put_csv_number(FILE *out, bool known, double value)
{
	if (known && isfinite(value))
		fprintf(out, "%.17g", value);
	fputc(',', out);
}

static bool has_interval(const struct compare_row *row)
{
	return row->judged && row->judgement.tested && row->judgement.scale != SCALE_EXACT;
}

static void put_csv_row(FILE *out, const struct compare_row *row)
{
	const struct judgement *j = &row->judgement;
	bool interval = has_interval(row), ratio = j->scale == SCALE_RATIO;

	put_csv(out, row->workload, ',');
	put_csv(out, row->metric, ',');
	put_csv(out, row->unit, ',');
	put_csv(out, record_better_words[row->better], ',');
	put_csv(out, record_kind_words[row->kind], ',');
	put_csv_number(out, row->base.known, row->base.value);
	put_csv_number(out, row->cand.known, row->cand.value);
	put_csv_number(out, row->has_ratio, row->ratio);
	put_csv_number(out, row->has_difference, row->difference);
	put_csv_number(out, interval, ratio ? exp(j->logs.low) : j->differences.low);
	put_csv_number(out, interval, ratio ? exp(j->logs.high) : j->differences.high);
	put_csv_number(out, interval, j->p);
	put_csv_number(out, j->corrected, j->p_adjusted);
	put_csv(out, row->judged ? compare_pairing_text(j->pairing) : "", ',');
	if (row->judged)
		fprintf(out, "%zu,%zu,", j->n_base, j->n_cand);
	else
		fprintf(out, "%zu,%zu,", row->base.n_boots, row->cand.n_boots);
	put_csv_number(out, j->needed > 0, (double)j->needed);
	put_csv_number(out, j->detectable > 0, j->detectable);
	put_csv(out, row->declared ? "1" : "0", ',');
	put_csv(out, compare_word_text(row->word), ',');
	put_csv(out, row->note, '\n');
}

int compare_render_csv(const struct comparison *c, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	fputs("workload,metric,unit,better,kind,base,cand,ratio,difference,"
	      "low,high,p,p_adjusted,pairing,base_boots,cand_boots,needed,detectable,decides,word,note\n",
		out);
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			put_csv_row(out, &c->rows[i]);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}

static json_t *side_json(const struct compare_value *v)
{
	return json_pack("{s:o, s:I, s:I, s:I}", "value",
		v->known ? json_real(v->value) : json_null(), "boots",
		(json_int_t)v->n_boots, "processes", (json_int_t)v->n_processes, "samples",
		(json_int_t)v->n_samples);
}

/* JSON has no infinity: null. */
static json_t *real_json(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

/* What led to the word; null for a row that was not judged. */
static json_t *judgement_json(const struct compare_row *row)
{
	static const char *const scales[] = { [SCALE_RATIO] = "ratio",
		[SCALE_DIFFERENCE] = "difference",
		[SCALE_EXACT] = "exact" };
	const struct judgement *j = &row->judgement;
	bool interval = has_interval(row), ratio = j->scale == SCALE_RATIO;
	json_t *base = json_array(), *cand = json_array();

	if (!row->judged) {
		json_decref(base);
		json_decref(cand);
		return json_null();
	}
	for (size_t i = 0; i < j->n_base; i++)
		json_array_append_new(base, json_real(j->base[i]));
	for (size_t i = 0; i < j->n_cand; i++)
		json_array_append_new(cand, json_real(j->cand[i]));
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f, s:f, s:I, s:o}",
		"pairing", compare_pairing_text(j->pairing), "scale", scales[j->scale],
		"base_boots", base, "cand_boots", cand, "low",
		real_json(interval, ratio ? exp(j->logs.low) : j->differences.low), "high",
		real_json(interval, ratio ? exp(j->logs.high) : j->differences.high), "p",
		real_json(interval, j->p), "cross_p",
		real_json(interval && !isnan(j->cross_p), j->cross_p), "p_adjusted",
		real_json(j->corrected, j->p_adjusted), "family", (json_int_t)j->family,
		"relative_effect", j->effect.relative, "absolute_effect",
		j->effect.absolute, "needed", (json_int_t)j->needed, "detectable",
		real_json(j->detectable > 0, j->detectable));
}

static json_t *row_json(const struct compare_row *row)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s?, "
			 "s:b, s:b}",
		"workload", row->workload, "metric", row->metric, "unit", row->unit,
		"better", record_better_words[row->better], "kind",
		record_kind_words[row->kind], "base", side_json(&row->base), "cand",
		side_json(&row->cand), "ratio", real_json(row->has_ratio, row->ratio),
		"difference", real_json(row->has_difference, row->difference), "judgement",
		judgement_json(row), "word", compare_word_text(row->word), "note",
		row->note, "decides", row->declared, "missing", row->missing);
}

static json_t *keys_json(const struct compare_key *keys, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s}", "key", keys[i].key, "base",
				      keys[i].base, "cand", keys[i].cand));
	return list;
}

static json_t *part_json(const struct attribution_part *part)
{
	json_t *object = json_pack("{s:o, s:f, s:f, s:f}", "group",
		record_text_json(part->name), "base", part->base, "cand", part->cand,
		"difference", part->difference);

	if (object && part->has_interval)
		json_object_set_new(
			object, "interval", json_pack("[f, f]", part->low, part->high));
	return object;
}

static json_t *attribution_json(const struct attribution *a)
{
	json_t *parts = json_array();

	for (size_t i = 0; i < a->n_parts; i++)
		json_array_append_new(parts, part_json(&a->parts[i]));
	return json_pack("{s:o, s:o, s:b, s:f, s:f, s:s, s:s, s:o, s:o}", "workload",
		record_text_json(a->workload), "unit", record_text_json(a->unit),
		"emulated", a->emulated, "base_hits", a->hits_base, "cand_hits",
		a->hits_cand, "intervals_of", a->by_boots ? "boots" : "sampling",
		"explained_by", attribution_word_text(a->word), "whole",
		part_json(&a->whole), "parts", parts);
}

int compare_render_json(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	json_t *rows = json_array(), *notes = json_array(), *attributions = json_array();
	json_t *top;
	char *text;

	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			json_array_append_new(rows, row_json(&c->rows[i]));
	for (size_t i = 0; i < c->n_notes; i++)
		json_array_append_new(notes, record_text_json(c->notes[i]));
	for (size_t i = 0; i < c->n_attributions; i++)
		json_array_append_new(attributions, attribution_json(&c->attributions[i]));
	top = json_pack(
		"{s:o, s:o, s:b, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o}",
		"base", record_text_json(options->base_name), "cand",
		record_text_json(options->cand_name), "comparable", c->comparable,
		"identity_differences", keys_json(c->identity, c->n_identity),
		"subject_differences", keys_json(c->subject, c->n_subject), "rows", rows,
		"hidden_rows", (json_int_t)(c->n_rows - c->n_shown), "missing_rows",
		(json_int_t)c->n_missing, "regressions", (json_int_t)c->n_regressions,
		"improvements", (json_int_t)c->n_improvements, "inconclusive",
		(json_int_t)c->n_inconclusive, "alpha", c->rules.alpha, "warnings", notes,
		"attribution", attributions);
	text = top ? json_dumps(top, JSON_INDENT(1)) : NULL;
	json_decref(top);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}
