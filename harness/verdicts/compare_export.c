// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison for other programs. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	if (known)
		fprintf(out, "%.17g", value);
	fputc(',', out);
}

static void put_csv_row(FILE *out, const struct compare_row *row)
{
	put_csv(out, row->workload, ',');
	put_csv(out, row->metric, ',');
	put_csv(out, row->unit, ',');
	put_csv(out, record_better_words[row->better], ',');
	put_csv(out, record_kind_words[row->kind], ',');
	put_csv_number(out, row->base.known, row->base.value);
	put_csv_number(out, row->cand.known, row->cand.value);
	put_csv_number(out, row->has_ratio, row->ratio);
	put_csv_number(out, row->has_difference, row->difference);
	fprintf(out, "%zu,%zu,", row->base.n_boots, row->cand.n_boots);
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
	      "base_boots,cand_boots,word,note\n",
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

static json_t *row_json(const struct compare_row *row)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s?, s:b}",
		"workload", row->workload, "metric", row->metric, "unit", row->unit,
		"better", record_better_words[row->better], "kind",
		record_kind_words[row->kind], "base", side_json(&row->base), "cand",
		side_json(&row->cand), "ratio",
		row->has_ratio ? json_real(row->ratio) : json_null(), "difference",
		row->has_difference ? json_real(row->difference) : json_null(), "word",
		compare_word_text(row->word), "note", row->note, "missing", row->missing);
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

int compare_render_json(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	json_t *rows = json_array(), *notes = json_array(), *top;
	char *text;

	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			json_array_append_new(rows, row_json(&c->rows[i]));
	for (size_t i = 0; i < c->n_notes; i++)
		json_array_append_new(notes, record_text_json(c->notes[i]));
	top = json_pack("{s:o, s:o, s:b, s:o, s:o, s:o, s:I, s:I, s:o}", "base",
		record_text_json(options->base_name), "cand",
		record_text_json(options->cand_name), "comparable", c->comparable,
		"identity_differences", keys_json(c->identity, c->n_identity),
		"subject_differences", keys_json(c->subject, c->n_subject), "rows", rows,
		"hidden_rows", (json_int_t)(c->n_rows - c->n_shown), "missing_rows",
		(json_int_t)c->n_missing, "warnings", notes);
	text = top ? json_dumps(top, JSON_INDENT(1)) : NULL;
	json_decref(top);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}
