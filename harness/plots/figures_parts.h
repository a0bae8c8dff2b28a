/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make figures share. */
#ifndef PLOTS_FIGURES_PARTS_H
#define PLOTS_FIGURES_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "plots/report.h"
#include "verdicts/compare_pair.h"

extern const char *const figure_roles[]; /* "base", "cand", by enum arm */

/*
 * Appends. Takes all of them: caption and alt are freed with the figure, spec is
 * given its name and is then text.
 */
struct figure *figures_add(struct figures *f, enum figure_kind kind, char *name,
	const char *workload, char *alt, char *caption, json_t *spec);

/* Runs of the report with their labels: of one result, cand is NULL. */
struct run_pair *report_pairs(const struct report *r, size_t *ret_count);

/* The row of that metric; NULL for one result, and where there is none. */
const struct compare_row *report_row(
	const struct report *r, const char *workload, const char *metric);

/* Its samples count: it went well, or was interrupted. run may be NULL. */
bool run_has_numbers(const struct run *run);

/* A text of the page as plot.py may draw it. */
json_t *figure_text(const char *text);

/* "n = 6 boots", "n = 6 and 7 boots", by enum arm; 0: there is one arm. */
char *figure_boots(const size_t *n_boots);

/* [{"role": "base", "name": NAME}, ...], for those that there are. */
json_t *figure_arms(const struct report *r);

#endif
