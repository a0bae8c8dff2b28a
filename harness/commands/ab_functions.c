// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: which functions executed what was counted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/ab_parts.h"
#include "commands/terminal.h"
#include "verdicts/compare_format.h"
#include "verdicts/table.h"

/* Only where functions took turns, and only those that do much of it. */
#define CHANGE_MIN 0.05 /* instructions per unit of work */
#define SHARE_MIN 0.1   /* of the arm's, on either side */

/* "dsb_ish:try_to_unmap_flush_per_page" of "dsb_ish_per_page". */
static bool is_part_of(const struct compare_row *part, const struct compare_row *whole)
{
	const size_t kind = strcspn(part->metric, ":");

	return part->metric[kind] && strcmp(part->workload, whole->workload) == 0 &&
	       strncmp(part->metric, whole->metric, kind) == 0 &&
	       strncmp(whole->metric + kind, "_per_", 5) == 0 && part->base.known &&
	       part->cand.known;
}

static bool has_change(const struct comparison *c, const struct compare_row *whole)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *part = &c->rows[i];

		if (is_part_of(part, whole) &&
			fabs(part->cand.value - part->base.value) >= CHANGE_MIN)
			return true;
	}
	return false;
}

static void add_row(
	struct table *t, const struct compare_row *part, const struct compare_row *whole)
{
	const int kind = (int)strcspn(part->metric, ":");
	char *function = mem_text(part->metric + kind + 1);
	char *instruction = mem_format("%.*s", kind, part->metric);
	char *base = format_number(part->base.value, false);
	char *cand = format_number(part->cand.value, false);

	function[strlen(function) - strlen(whole->metric + kind)] = '\0';
	table_add_row(t);
	table_set_cell(t, 0, part->workload, TABLE_PLAIN);
	table_set_cell(t, 1, instruction, TABLE_PLAIN);
	table_set_cell(t, 2, function, TABLE_PLAIN);
	table_set_cell(t, 3, base, TABLE_PLAIN);
	table_set_cell(t, 4, cand, TABLE_PLAIN);
	free(cand);
	free(base);
	free(instruction);
	free(function);
}

static size_t add_whole(
	struct table *t, const struct comparison *c, const struct compare_row *whole)
{
	size_t n = 0;

	if (!compare_is_primary(whole->metric) || !has_change(c, whole))
		return 0;
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *part = &c->rows[i];

		if (!is_part_of(part, whole) ||
			(part->base.value < SHARE_MIN * whole->base.value &&
				part->cand.value < SHARE_MIN * whole->cand.value))
			continue;
		add_row(t, part, whole);
		n++;
	}
	return n;
}

void ab_print_functions(const struct ab_arguments *a, const struct comparison *c)
{
	struct table *t = table_new(terminal_width(), terminal_color());
	size_t n = 0;
	char *text;

	table_add_column(t, "workload", TABLE_LEFT);
	table_add_column(t, "instruction", TABLE_LEFT);
	table_add_column(t, "executed in", TABLE_WRAP);
	table_add_column(t, a->names[ARM_BASE], TABLE_RIGHT);
	table_add_column(t, a->names[ARM_CAND], TABLE_RIGHT);
	for (size_t i = 0; i < c->n_rows; i++)
		n += add_whole(t, c, &c->rows[i]);
	if (n && table_text(t, &text) == 0) {
		printf("\nWhere other functions do it, for each unit of work:\n%s\n", text);
		free(text);
	}
	table_free(t);
}
