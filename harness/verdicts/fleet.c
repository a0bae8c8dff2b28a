// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Of "swap@1:size=4096,threads=1": the length of "swap", and what is behind the colon. */
static size_t name_length(const char *workload)
{
	return strcspn(workload, "@:");
}

static const char *params_of(const char *workload)
{
	const char *colon = strchr(workload, ':');

	return colon ? colon + 1 : "";
}

static bool same_workload(const char *a, const char *b)
{
	const size_t n = name_length(a);

	return n == name_length(b) && strncmp(a, b, n) == 0;
}

/* "threads=1,..." of the list for "threads=..."; NULL: the list has none. */
static const char *find_param(const char *list, const char *param)
{
	const size_t name = strcspn(param, "=,");

	while (*list) {
		if (strcspn(list, "=,") == name && strncmp(list, param, name) == 0)
			return list;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return NULL;
}

static bool same_param(const char *workload, const char *other, const char *param)
{
	const char *a = find_param(params_of(workload), param);
	const char *b = find_param(params_of(other), param);
	const size_t n = a ? strcspn(a, ",") : 0;

	if (!a || !b)
		return !a && !b;
	return n == strcspn(b, ",") && strncmp(a, b, n) == 0;
}

static bool differs_on(const struct machine *m, const char *workload, const char *param)
{
	for (size_t i = 0; i < m->n_series; i++) {
		const struct series *a = &m->series[i];

		if (!same_workload(a->workload, workload))
			continue;
		for (size_t k = i + 1; k < m->n_series; k++) {
			const struct series *b = &m->series[k];

			if (a->setup == b->setup && same_workload(b->workload, workload) &&
				!same_param(a->workload, b->workload, param))
				return true;
		}
	}
	return false;
}

static bool differs(const struct history *h, const char *workload, const char *param)
{
	for (size_t i = 0; i < h->n_machines; i++)
		if (differs_on(&h->machines[i], workload, param))
			return true;
	return false;
}

char *fleet_label(const struct history *h, const struct series *s)
{
	char *label = mem_format("%.*s", (int)name_length(s->workload), s->workload);
	const char *param = params_of(s->workload);
	char separator = ':';

	while (*param) {
		const int length = (int)strcspn(param, ",");

		if (differs(h, s->workload, param)) {
			char *longer =
				mem_format("%s%c%.*s", label, separator, length, param);

			free(label);
			label = longer;
			separator = ',';
		}
		param += length;
		param += *param == ',';
	}
	return label;
}

/* The row of that label and metric; a new one behind those of its workload. */
static struct fleet_row *find_row(struct fleet *f, char *label, const struct series *s)
{
	size_t at = f->n_rows;
	struct fleet_row *row;

	for (size_t i = 0; i < f->n_rows; i++) {
		if (strcmp(f->rows[i].label, label) != 0)
			continue;
		if (strcmp(f->rows[i].like->metric, s->metric) == 0) {
			free(label);
			return &f->rows[i];
		}
		at = i + 1;
	}
	f->rows = mem_resize(f->rows, f->n_rows + 1, sizeof(*f->rows));
	row = &f->rows[at];
	memmove(row + 1, row, (f->n_rows - at) * sizeof(*row));
	f->n_rows++;
	*row = (struct fleet_row){ .label = label,
		.like = s,
		.cells = mem_zeroed(f->history->n_machines, sizeof(*row->cells)) };
	return row;
}

/* Of two series that look alike, as after a change of the machine, the one that goes on. */
static void add_series(struct fleet *f, size_t machine, const struct verdict *v)
{
	struct fleet_row *row;

	if (v->series->n_points == 0 || (v->ended && v->n_open == 0))
		return;
	row = find_row(f, fleet_label(f->history, v->series), v->series);
	if (!row->cells[machine] || row->cells[machine]->ended)
		row->cells[machine] = v;
}

void fleet_make(const struct history *h, struct fleet *ret)
{
	*ret = (struct fleet){ .history = h };
	for (size_t i = 0; i < h->n_machines; i++) {
		const struct machine *m = &h->machines[i];

		if (m->n_nights > 0 && m->nights[m->n_nights - 1].day > ret->newest)
			ret->newest = m->nights[m->n_nights - 1].day;
		for (size_t k = 0; k < m->n_series; k++)
			add_series(ret, i, &h->verdicts[i][k]);
	}
}

void fleet_clear(struct fleet *f)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		free(f->rows[i].label);
		free(f->rows[i].cells);
	}
	free(f->rows);
	*f = (struct fleet){ 0 };
}

bool fleet_is_silent(const struct fleet *f, const struct machine *m)
{
	return m->n_nights == 0 || m->nights[m->n_nights - 1].day < f->newest;
}
