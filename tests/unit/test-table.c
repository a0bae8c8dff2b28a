// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "verdicts/table.h"

static char *draw(size_t width, bool color)
{
	struct table *t = table_new(width, color);
	char *text;

	table_add_column(t, "name", TABLE_WRAP);
	table_add_column(t, "value", TABLE_RIGHT);
	table_add_column(t, "word", TABLE_LEFT);
	table_add_row(t);
	table_set_cell(t, 0, "a rather long name that takes its place", TABLE_PLAIN);
	table_set_cell(t, 1, "7", TABLE_RED);
	table_add_row(t);
	table_set_cell(t, 0, "b\x1b[2J", TABLE_PLAIN);
	table_set_cell(t, 1, "123456", TABLE_PLAIN);
	table_set_cell(t, 2, "x", TABLE_PLAIN);
	cr_assert_eq(table_text(t, &text), 0);
	table_free(t);
	return text;
}

Test(table, aligns_and_ends_lines)
{
	char *text = draw(0, false);

	cr_expect_str_eq(text, "name                                     value word\n"
			       "a rather long name that takes its place      7\n"
			       "b\\x1b[2J                                123456 x\n");
	free(text);
}

Test(table, fits_the_terminal)
{
	char *text = draw(30, false);

	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		cr_expect_leq(strcspn(line, "\n"), 30, "%s", text);
	free(text);
}

Test(table, colours_where_asked)
{
	char *text = draw(0, true);

	cr_expect_not_null(strstr(text, "\x1b[31m"));
	free(text);
}

Test(table, empty)
{
	struct table *t = table_new(0, false);
	char *text;

	table_add_column(t, "name", TABLE_LEFT);
	cr_assert_eq(table_text(t, &text), 0);
	cr_expect_str_eq(text, "\n");
	free(text);
	table_free(t);
}
