/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table as text: columns, rows, cells. Draws with libsmartcols. */
#ifndef VERDICTS_TABLE_H
#define VERDICTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
	TABLE_WRAP, /* left, and the first to give way where the width is short */
};

enum table_color { TABLE_PLAIN, TABLE_GREEN, TABLE_RED, TABLE_YELLOW, TABLE_DIM };

struct table;

/*
 * width: columns of the terminal, 0 for as wide as the text is. color: whether
 * the colours of cells are drawn at all. Control characters in cells are drawn
 * as \x1b and the like. NULL where there is no memory.
 */
struct table *table_new(size_t width, bool color);
void table_free(struct table *t); /* accepts NULL */

/*
 * Columns first, then rows. A cell belongs to the newest row; text is copied,
 * and NULL is an empty cell. Failures are kept until table_text().
 */
void table_add_column(struct table *t, const char *name, enum table_align align);
void table_add_row(struct table *t);
void table_set_cell(
	struct table *t, size_t column, const char *text, enum table_color color);

/* 0 or -ENOMEM. *ret ends with a newline and is freed by the caller. */
int table_text(struct table *t, char **ret);

#endif
