// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/table.h"

#include <errno.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

struct table {
	struct libscols_table *scols;
	struct libscols_line *row;
	bool failed;
};

struct table *table_new(size_t width, bool color)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->scols = scols_new_table();
	if (!t->scols) {
		free(t);
		return NULL;
	}
	/* Never by what stdout happens to be: the caller knows where this goes. */
	scols_table_set_termforce(
		t->scols, width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
	if (width)
		scols_table_set_termwidth(t->scols, width);
	scols_table_enable_colors(t->scols, color);
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	scols_unref_table(t->scols);
	free(t);
}

void table_add_column(struct table *t, const char *name, enum table_align align)
{
	int flags = align == TABLE_RIGHT  ? SCOLS_FL_RIGHT
		    : align == TABLE_WRAP ? SCOLS_FL_WRAP
					  : 0;

	if (!scols_table_new_column(t->scols, name, 0, flags))
		t->failed = true;
}

void table_add_row(struct table *t)
{
	t->row = scols_table_new_line(t->scols, NULL);
	if (!t->row)
		t->failed = true;
}

void table_set_cell(
	struct table *t, size_t column, const char *text, enum table_color color)
{
	static const char *const names[] = {
		[TABLE_PLAIN] = NULL,
		[TABLE_GREEN] = "green",
		[TABLE_RED] = "red",
		[TABLE_YELLOW] = "yellow",
		[TABLE_DIM] = "darkgray",
	};
	struct libscols_cell *cell;

	if (t->failed || !text)
		return;
	if (scols_line_set_data(t->row, column, text) < 0) {
		t->failed = true;
		return;
	}
	cell = scols_line_get_cell(t->row, column);
	if (names[color] && scols_cell_set_color(cell, names[color]) < 0)
		t->failed = true;
}

/* Without the blanks that fill up the last column, and ended as a line is. */
static char *tidy(const char *text)
{
	char *tidied = malloc(strlen(text) + 2), *to = tidied;

	if (!tidied)
		return NULL;
	for (; *text; text++) {
		if (*text == '\n')
			while (to > tidied && to[-1] == ' ')
				to--;
		*to++ = *text;
	}
	while (to > tidied && (to[-1] == ' ' || to[-1] == '\n'))
		to--;
	memcpy(to, "\n", 2);
	return tidied;
}

int table_text(struct table *t, char **ret)
{
	char *text = NULL, *tidied;

	if (t->failed || scols_print_table_to_string(t->scols, &text) < 0)
		return -ENOMEM;
	tidied = tidy(text);
	free(text);
	if (!tidied)
		return -ENOMEM;
	*ret = tidied;
	return 0;
}
