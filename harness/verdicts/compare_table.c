// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/table.h"

static const char *const better[] = {
	[BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher", [BETTER_NONE] = ""
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

/* By goodness, never by sign. */
static enum table_color word_color(const struct compare_row *row)
{
	if (row->word == WORD_REGRESSION)
		return TABLE_RED;
	if (row->word == WORD_IMPROVEMENT)
		return TABLE_GREEN;
	if (row->missing || row->word == WORD_INVALID || row->word == WORD_FAILED)
		return TABLE_YELLOW;
	return row->has_difference && row->word != WORD_INCONCLUSIVE ? TABLE_PLAIN
								     : TABLE_DIM;
}

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text, enum table_color color)
{
	table_set_cell(t, column, text, color);
	free(text);
}

/* Takes the text. */
static char *with_footnote(
	char *verdict, const struct compare_row *row, struct footnotes *notes)
{
	char *marked;

	if (!row->note)
		return verdict;
	marked = mem_format("%s [%zu]", verdict, footnote(notes, row->note));
	free(verdict);
	return marked;
}

static void put_values(struct table *t, size_t column, const struct compare_row *row)
{
	if (row->base.known)
		set_cell(t, column, format_number(row->base.value, false), TABLE_PLAIN);
	if (row->cand.known)
		set_cell(t, column + 1, format_number(row->cand.value, false), TABLE_PLAIN);
}

/* The wide table has this column where a row has something for it. */
static const char finds[] = "finds";

static bool any_finds(const struct comparison *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown && c->rows[i].judgement.detectable > 0)
			return true;
	return false;
}

static void put_wide_row(struct table *t, const struct compare_row *row, bool with_finds,
	struct footnotes *notes)
{
	size_t column = 9;

	table_add_row(t);
	table_set_cell(t, 0, row->workload, TABLE_PLAIN);
	table_set_cell(t, 1, row->metric, TABLE_PLAIN);
	table_set_cell(t, 2, row->unit, TABLE_PLAIN);
	table_set_cell(t, 3, better[row->better], TABLE_PLAIN);
	put_values(t, 4, row);
	set_cell(t, 6, format_change(row), TABLE_PLAIN);
	set_cell(t, 7, format_p(row), TABLE_PLAIN);
	set_cell(t, 8, format_boots(row), TABLE_PLAIN);
	if (with_finds)
		set_cell(t, column++, format_detectable(row), TABLE_PLAIN);
	set_cell(
		t, column, with_footnote(format_verdict(row), row, notes), word_color(row));
}

static const struct column {
	const char *name;
	enum table_align align;
} wide[] = { { "workload", TABLE_WRAP }, { "metric", TABLE_LEFT }, { "unit", TABLE_LEFT },
	{ "better", TABLE_LEFT }, { "base", TABLE_RIGHT }, { "cand", TABLE_RIGHT },
	{ "ratio", TABLE_LEFT }, { "p", TABLE_RIGHT }, { "n", TABLE_RIGHT },
	{ finds, TABLE_RIGHT }, { "verdict", TABLE_LEFT } },
  narrow[] = { { "metric", TABLE_WRAP }, { "base", TABLE_RIGHT }, { "cand", TABLE_RIGHT },
	  { "ratio", TABLE_WRAP }, { "n", TABLE_RIGHT }, { "verdict", TABLE_LEFT } };

static char *interval_and_detectable(const struct compare_row *row)
{
	char *interval = format_interval(row), *least = format_detectable(row), *both;

	if (!interval || !least) {
		free(least);
		return interval;
	}
	both = mem_format("%s finds %s", interval, least);
	free(interval);
	free(least);
	return both;
}

/*
 * Two lines: unit and direction stand below the metric, the interval and what
 * would be found below the ratio, p or the boots needed below the verdict.
 */
static void put_narrow_row(
	struct table *t, const struct compare_row *row, struct footnotes *notes)
{
	char *p = format_p(row);

	table_add_row(t);
	set_cell(t, 0, mem_format("  %s", row->metric), TABLE_PLAIN);
	put_values(t, 1, row);
	set_cell(t, 3, format_effect(row), TABLE_PLAIN);
	set_cell(t, 4, format_boots(row), TABLE_PLAIN);
	set_cell(t, 5, with_footnote(format_word(row), row, notes), word_color(row));
	table_add_row(t);
	set_cell(t, 0,
		mem_format("  %s%s%s", row->unit, row->better == BETTER_NONE ? "" : ", ",
			better[row->better]),
		TABLE_DIM);
	set_cell(t, 3, interval_and_detectable(row), TABLE_PLAIN);
	if (row->word == WORD_INCONCLUSIVE && row->judgement.needed > 0)
		set_cell(t, 5, mem_format("  (needs %zu)", row->judgement.needed),
			TABLE_DIM);
	else if (p)
		set_cell(t, 5, mem_format("  p %s", p), TABLE_PLAIN);
	free(p);
}

static void put_rows(
	struct table *t, const struct comparison *c, bool is_wide, struct footnotes *notes)
{
	const bool with_finds = any_finds(c);
	const char *workload = "";

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (!row->shown)
			continue;
		if (is_wide) {
			put_wide_row(t, row, with_finds, notes);
			continue;
		}
		if (strcmp(workload, row->workload) != 0) {
			table_add_row(t);
			table_set_cell(t, 0, row->workload, TABLE_PLAIN);
			workload = row->workload;
		}
		put_narrow_row(t, row, notes);
	}
}

static int make_text(const struct comparison *c, size_t width, bool color, bool is_wide,
	struct footnotes *notes, char **ret)
{
	const struct column *columns = is_wide ? wide : narrow;
	size_t n =
		is_wide ? sizeof(wide) / sizeof(*wide) : sizeof(narrow) / sizeof(*narrow);
	struct table *t = table_new(width, color);
	int code;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (columns[i].name != finds || any_finds(c))
			table_add_column(t, columns[i].name, columns[i].align);
	put_rows(t, c, is_wide, notes);
	code = table_text(t, ret);
	table_free(t);
	return code;
}

static bool fits(const char *text, size_t width)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		if (strcspn(text, "\n") > width)
			return false;
	return true;
}

int compare_table(FILE *out, const struct comparison *c,
	const struct render_options *options, struct footnotes *notes)
{
	bool is_wide = true;
	char *text;
	int ret;

	if (options->width > 0) {
		ret = make_text(c, 0, false, true, notes, &text);
		if (ret < 0)
			return ret;
		is_wide = fits(text, options->width);
		free(text);
	}
	ret = make_text(c, options->width, options->color, is_wide, notes, &text);
	if (ret < 0)
		return ret;
	fputs(text, out);
	free(text);
	return 0;
}
