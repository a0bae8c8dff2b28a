// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/sweep_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/terminal.h"
#include "verdicts/compare_format.h"
#include "verdicts/table.h"

enum { PAIR_POINT, PAIR_BASE, PAIR_CAND, PAIR_CHANGE, PAIR_N, PAIR_WORD };
enum { ONE_POINT, ONE_VALUE, ONE_RANGE, ONE_N, ONE_STATUS };

/* Takes the text, which may be NULL. */
static void set(struct table *t, size_t column, char *text, enum table_color color)
{
	table_set_cell(t, column, text, color);
	free(text);
}

static char *value_text(const struct compare_value *v)
{
	return v->known ? format_number(v->value, false) : NULL;
}

static enum table_color color_of(enum compare_word word)
{
	switch (word) {
	case WORD_IMPROVEMENT:
		return TABLE_GREEN;
	case WORD_REGRESSION:
	case WORD_FAILED:
	case WORD_INVALID:
		return TABLE_RED;
	case WORD_INCONCLUSIVE:
	case WORD_SKIPPED:
		return TABLE_YELLOW;
	default:
		return TABLE_PLAIN;
	}
}

static void add_pair(struct table *t, const struct curve_point *p)
{
	const struct compare_row *row = p->row;

	table_set_cell(t, PAIR_POINT, p->label, TABLE_PLAIN);
	if (!row) {
		table_set_cell(t, PAIR_WORD, "no such metric", TABLE_DIM);
		return;
	}
	set(t, PAIR_BASE, value_text(&row->base), TABLE_PLAIN);
	set(t, PAIR_CAND, value_text(&row->cand), TABLE_PLAIN);
	set(t, PAIR_CHANGE, row->judged ? format_change(row) : NULL, TABLE_PLAIN);
	set(t, PAIR_N, format_boots(row), TABLE_PLAIN);
	set(t, PAIR_WORD, format_verdict(row), color_of(row->word));
}

static char *range_text(const struct curve_dots *d)
{
	char *low, *high, *text;

	if (d->count < 2)
		return NULL;
	low = format_number(d->min, false);
	high = format_number(d->max, false);
	text = mem_format("%s..%s", low, high);
	free(low);
	free(high);
	return text;
}

static void add_one(struct table *t, const struct curve *c, const struct curve_point *p)
{
	struct curve_dots d = curve_dots_of(c, p, false);

	table_set_cell(t, ONE_POINT, p->label, TABLE_PLAIN);
	if (p->known) {
		set(t, ONE_VALUE, value_text(&p->row->base), TABLE_PLAIN);
		set(t, ONE_RANGE, range_text(&d), TABLE_DIM);
		set(t, ONE_N, mem_format("%zu", d.count), TABLE_PLAIN);
		table_set_cell(t, ONE_STATUS, "ok", TABLE_GREEN);
	} else {
		table_set_cell(t, ONE_STATUS,
			p->row ? compare_word_text(p->row->word) : "no such metric",
			p->row ? color_of(p->row->word) : TABLE_DIM);
	}
	free(d.values);
}

static void add_columns(
	struct table *t, const struct curve *c, const struct curve_names *names)
{
	table_add_column(t, c->param, TABLE_RIGHT);
	if (c->two_sided) {
		table_add_column(t, names->base, TABLE_RIGHT);
		table_add_column(t, names->cand, TABLE_RIGHT);
		table_add_column(t, "ratio [95 %]", TABLE_LEFT);
		table_add_column(t, "n", TABLE_RIGHT);
		table_add_column(t, "verdict", TABLE_LEFT);
	} else {
		table_add_column(t, c->unit, TABLE_RIGHT);
		table_add_column(t, "min..max", TABLE_RIGHT);
		table_add_column(t, "samples", TABLE_RIGHT);
		table_add_column(t, "status", TABLE_LEFT);
	}
}

static void print_notes(const struct curve *c)
{
	const char *last = NULL;

	for (size_t i = 0; i < c->n_points; i++) {
		const struct curve_point *p = &c->points[i];
		const char *note = p->row ? p->row->note : NULL;

		if (note && (!last || strcmp(last, note) != 0))
			printf("%s=%s: %s\n", c->param, p->label, note);
		last = note ? note : last;
	}
}

static void print_crossover(const struct curve *c, const struct curve_names *names)
{
	char *sentence = curve_sentence(c, names->base, names->cand);

	if (sentence)
		printf("%s\n", sentence);
	else if (c->emulated)
		printf("An emulator's time is not time: there is no crossover in it.\n");
	free(sentence);
}

void sweep_table_print(const struct curve *c, const struct curve_names *names)
{
	struct table *t = table_new(terminal_width(), terminal_color());
	char *text;

	if (!t)
		return;
	printf("%s of %s, in %s\n%s\n\n", c->metric, names->what, c->unit, names->machine);
	add_columns(t, c, names);
	for (size_t i = 0; i < c->n_points; i++) {
		table_add_row(t);
		if (c->two_sided)
			add_pair(t, &c->points[i]);
		else
			add_one(t, c, &c->points[i]);
	}
	if (table_text(t, &text) == 0) {
		fputs(text, stdout);
		free(text);
	}
	table_free(t);
	print_notes(c);
	print_crossover(c, names);
}
