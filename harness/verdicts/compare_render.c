// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_render.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/table.h"

const char *compare_word_text(enum compare_word word)
{
	static const char *const words[] = {
		[WORD_SAME] = "same",
		[WORD_LOWER] = "lower",
		[WORD_HIGHER] = "higher",
		[WORD_EMULATED] = "emulated",
		[WORD_NEW] = "new",
		[WORD_GONE] = "gone",
		[WORD_UNAVAILABLE] = "unavailable",
		[WORD_NO_VALUE] = "no value",
		[WORD_SKIPPED] = "skipped",
		[WORD_INVALID] = "invalid",
		[WORD_FAILED] = "failed",
		[WORD_MISFIT] = "refused",
	};

	return words[word];
}

static enum table_color word_color(const struct compare_row *row)
{
	if (row->missing || row->word == WORD_INVALID || row->word == WORD_FAILED)
		return TABLE_YELLOW;
	return row->has_difference ? TABLE_PLAIN : TABLE_DIM;
}

/* Words of a result file may hold anything; these must not steer a terminal. */
static void put_safe(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
}

/* Four significant digits without an exponent, where that is short enough. */
static char *format_number(double value, const char *sign)
{
	double size = fabs(value);
	int decimals = 0;

	if (size >= 1e12 || (size > 0 && size < 1e-4))
		return mem_format(*sign ? "%+.3e" : "%.3e", value);
	if (size > 0 && size < 1000)
		decimals = 3 - (int)floor(log10(size));
	return mem_format(*sign ? "%+.*f" : "%.*f", decimals, value);
}

static char *format_change(const struct compare_row *row)
{
	char *number, *text;

	if (row->has_ratio)
		return format_number(row->ratio, "");
	if (!row->has_difference)
		return NULL;
	number = format_number(row->difference, row->difference != 0 ? "+" : "");
	text = mem_format("diff %s", number);
	free(number);
	return text;
}

static char *format_boots(const struct compare_row *row)
{
	size_t base = row->base.n_boots, cand = row->cand.n_boots;

	if (base == 0 && cand == 0)
		return NULL;
	if (base == cand)
		return mem_format("%zu", base);
	return mem_format("%zu/%zu", base, cand);
}

/* The footnotes in the order of their first use, each once. */
struct footnotes {
	const char **texts;
	size_t count;
};

/* 1 and up. */
static size_t footnote(struct footnotes *notes, const char *text)
{
	for (size_t i = 0; i < notes->count; i++)
		if (strcmp(notes->texts[i], text) == 0)
			return i + 1;
	notes->texts = mem_resize(notes->texts, notes->count + 1, sizeof(*notes->texts));
	notes->texts[notes->count++] = text;
	return notes->count;
}

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text, enum table_color color)
{
	table_set_cell(t, column, text, color);
	free(text);
}

static void put_row(struct table *t, const struct compare_row *row, struct footnotes *notes)
{
	static const char *const better[] = {
		[BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher", [BETTER_NONE] = ""
	};

	table_add_row(t);
	table_set_cell(t, 0, row->workload, TABLE_PLAIN);
	table_set_cell(t, 1, row->metric, TABLE_PLAIN);
	table_set_cell(t, 2, row->unit, TABLE_PLAIN);
	table_set_cell(t, 3, better[row->better], TABLE_PLAIN);
	if (row->base.known)
		set_cell(t, 4, format_number(row->base.value, ""), TABLE_PLAIN);
	if (row->cand.known)
		set_cell(t, 5, format_number(row->cand.value, ""), TABLE_PLAIN);
	set_cell(t, 6, format_change(row), TABLE_PLAIN);
	set_cell(t, 7, format_boots(row), TABLE_PLAIN);
	if (row->note)
		set_cell(t, 8,
			mem_format("%s [%zu]", compare_word_text(row->word),
				footnote(notes, row->note)),
			word_color(row));
	else
		table_set_cell(t, 8, compare_word_text(row->word), word_color(row));
}

static int put_table(FILE *out, const struct comparison *c,
	const struct render_options *options, struct footnotes *notes)
{
	static const struct {
		const char *name;
		enum table_align align;
	} columns[] = { { "workload", TABLE_WRAP }, { "metric", TABLE_WRAP },
		{ "unit", TABLE_WRAP }, { "better", TABLE_LEFT }, { "base", TABLE_RIGHT },
		{ "cand", TABLE_RIGHT }, { "ratio", TABLE_RIGHT }, { "n", TABLE_RIGHT },
		{ "word", TABLE_LEFT } };
	struct table *t = table_new(options->width, options->color);
	char *text = NULL;
	int ret;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_add_column(t, columns[i].name, columns[i].align);
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			put_row(t, &c->rows[i], notes);
	ret = table_text(t, &text);
	if (ret == 0)
		fputs(text, out);
	free(text);
	table_free(t);
	return ret;
}

static void put_keys(
	FILE *out, const char *what, const struct compare_key *keys, size_t n, bool allowed)
{
	for (size_t i = 0; i < n; i++) {
		if (keys[i].allowed != allowed)
			continue;
		fputs(what, out);
		put_safe(out, keys[i].key);
		fputs(": ", out);
		put_safe(out, keys[i].base);
		fputs(" -> ", out);
		put_safe(out, keys[i].cand);
		fputc('\n', out);
	}
}

static void put_refusal(FILE *out, const struct comparison *c)
{
	bool first = true;

	fputs("These results are not comparable: they differ in what must be the same.\n",
		out);
	put_keys(out, "  ", c->identity, c->n_identity, false);
	fputs("To compare all the same: --allow-mismatch ", out);
	for (size_t i = 0; i < c->n_identity; i++) {
		if (c->identity[i].allowed)
			continue;
		if (!first)
			fputc(',', out);
		put_safe(out, c->identity[i].key);
		first = false;
	}
	fputc('\n', out);
}

static bool has_single_boot(const struct comparison *c)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (row->shown && row->has_difference &&
			(row->base.n_boots < 2 || row->cand.n_boots < 2))
			return true;
	}
	return false;
}

static void put_footer(FILE *out, const struct comparison *c, const struct footnotes *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		fprintf(out, "[%zu] ", i + 1);
		put_safe(out, notes->texts[i]);
		fputc('\n', out);
	}
	for (size_t i = 0; i < c->n_notes; i++) {
		fputs("warning: ", out);
		put_safe(out, c->notes[i]);
		fputc('\n', out);
	}
	fprintf(out, "%zu of %zu rows shown.", c->n_shown, c->n_rows);
	if (c->n_shown < c->n_rows)
		fputs(" --show all shows the rest.", out);
	fputc('\n', out);
	if (c->n_missing > 0)
		fprintf(out, "Values of base that cand lacks: %zu.\n", c->n_missing);
	fputs("This version gives no statistical verdict: lower and higher say what was\n"
	      "measured, not whether it is more than chance.",
		out);
	if (has_single_boot(c))
		fputs(" n counts boots; one boot cannot\n"
		      "show how much they vary.",
			out);
	fputc('\n', out);
}

static int put_comparison(
	FILE *out, const struct comparison *c, const struct render_options *options)
{
	struct footnotes notes = { 0 };
	int ret = 0;

	fputs("base: ", out);
	put_safe(out, options->base_name);
	fputs("\ncand: ", out);
	put_safe(out, options->cand_name);
	fputc('\n', out);
	put_keys(out, "subject ", c->subject, c->n_subject, false);
	put_keys(out, "mismatch allowed: ", c->identity, c->n_identity, true);
	if (!c->comparable) {
		put_refusal(out, c);
		return 0;
	}
	fputc('\n', out);
	if (c->n_shown > 0)
		ret = put_table(out, c, options, &notes);
	put_footer(out, c, &notes);
	free(notes.texts);
	return ret;
}

int compare_render_text(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int code;

	if (!out)
		return -ENOMEM;
	code = put_comparison(out, c, options);
	if (fclose(out) != 0)
		code = -ENOMEM;
	if (code < 0)
		free(text);
	else
		*ret = text;
	return code;
}
