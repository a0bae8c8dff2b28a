// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/run_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/terminal.h"
#include "measure/spec.h"
#include "verdicts/compare.h"
#include "verdicts/table.h"

enum {
	COLUMN_WORKLOAD,
	COLUMN_N,
	COLUMN_UNIT,
	COLUMN_NS,
	COLUMN_RANGE,
	COLUMN_SYSTEM,
	COLUMN_SHOOTDOWNS,
	COLUMN_STATUS,
};

static const struct {
	const char *name;
	enum table_align align;
} columns[] = {
	[COLUMN_WORKLOAD] = { "workload", TABLE_LEFT },
	[COLUMN_N] = { "samples", TABLE_RIGHT },
	[COLUMN_UNIT] = { "per", TABLE_LEFT },
	[COLUMN_NS] = { "ns", TABLE_RIGHT },
	[COLUMN_RANGE] = { "min..max", TABLE_RIGHT },
	[COLUMN_SYSTEM] = { "system ns", TABLE_RIGHT },
	[COLUMN_SHOOTDOWNS] = { "TLB shootdowns", TABLE_RIGHT },
	[COLUMN_STATUS] = { "status", TABLE_LEFT },
};

static const struct {
	const char *text;
	enum table_color color;
} statuses[] = {
	[RUN_OK] = { "ok", TABLE_GREEN },
	[RUN_SKIPPED] = { "skipped", TABLE_YELLOW },
	[RUN_INVALID] = { "invalid", TABLE_RED },
	[RUN_FAILED] = { "failed", TABLE_RED },
	[RUN_INCOMPLETE] = { "incomplete", TABLE_YELLOW },
};

/* As param_is(run, "pass", "timed"). */
static bool param_is(const struct run *run, const char *param, const char *text)
{
	const struct field *f = fields_find(&run->params, param);

	return f && f->text && strcmp(f->text, text) == 0;
}

static const struct workload *find_workload(const char *name)
{
	for (size_t i = 0; workloads[i]; i++)
		if (strcmp(workloads[i]->name, name) == 0)
			return workloads[i];
	return NULL;
}

/* "swap:threads=1", as it was typed: parameters with their defaults are left out. */
static char *label_of(const struct run *run)
{
	const struct workload *w = find_workload(run->workload);
	char *label = mem_text(run->workload);
	char separator = ':';

	for (const struct param *p = w ? w->params : NULL; p && p->name; p++) {
		const struct field *f = fields_find(&run->params, p->name);
		char *value, *longer;

		if (!f)
			continue;
		value = f->text ? mem_text(f->text) : param_format(p, (uint64_t)f->number);
		if (strcmp(value, p->preset) != 0) {
			longer = mem_format("%s%c%s=%s", label, separator, p->name, value);
			free(label);
			label = longer;
			separator = ',';
		}
		free(value);
	}
	return label;
}

/* Three significant digits, and no exponent for what people count in. */
static char *number_text(double value)
{
	return value >= 100 ? mem_format("%.0f", value) : mem_format("%.3g", value);
}

static const struct metric *find_per_unit(const struct run *run, const char *name)
{
	char *full = mem_format("%s_per_%s", name, run->unit);
	const struct metric *m = run_find_metric(run, full);

	free(full);
	return m;
}

static void set_value(
	struct table *table, size_t column, const struct run *run, const char *name)
{
	const struct metric *m = find_per_unit(run, name);
	struct compare_value v;
	char *text;

	if (!m || m->unavailable) {
		table_set_cell(table, column, m ? "unavailable" : "", TABLE_DIM);
		return;
	}
	if (compare_value_of(run, m, &v) < 0)
		return;
	if (v.known) {
		text = number_text(v.value);
		table_set_cell(table, column, text, TABLE_PLAIN);
		free(text);
	}
	compare_value_clear(&v);
}

static void set_range(struct table *table, const struct run *run)
{
	const struct metric *m = find_per_unit(run, "ns");
	double min = 0, max = 0;
	size_t count = 0;
	char *low, *high, *text;

	for (size_t i = 0; m && !m->unavailable && i < run->n_samples; i++) {
		const double value = record_value(run, m, i);

		if (run->places[i].warmup)
			continue;
		min = count == 0 || value < min ? value : min;
		max = count == 0 || value > max ? value : max;
		count++;
	}
	if (count == 0)
		return;
	low = number_text(min);
	high = number_text(max);
	text = mem_format("%s..%s", low, high);
	table_set_cell(table, COLUMN_RANGE, text, TABLE_DIM);
	free(low);
	free(high);
	free(text);
}

static void add_row(struct table *table, const struct run *run)
{
	char *label = label_of(run), *count;
	size_t n = 0;

	for (size_t i = 0; i < run->n_samples; i++)
		n += !run->places[i].warmup;
	count = mem_format("%zu", n);
	table_add_row(table);
	table_set_cell(table, COLUMN_WORKLOAD, label, TABLE_PLAIN);
	table_set_cell(table, COLUMN_N, n ? count : "", TABLE_PLAIN);
	table_set_cell(table, COLUMN_UNIT, run->unit, TABLE_PLAIN);
	table_set_cell(table, COLUMN_STATUS, statuses[run->status].text,
		statuses[run->status].color);
	if (n > 0) {
		set_value(table, COLUMN_NS, run, "ns");
		set_range(table, run);
		set_value(table, COLUMN_SYSTEM, run, "system_ns");
		set_value(table, COLUMN_SHOOTDOWNS, run, "tlb_shootdowns");
	}
	free(count);
	free(label);
}

struct part {
	const char *name; /* of a group of functions */
	double share;
};

static int largest_first(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

#define PARTS_MAX 16
static const char group_prefix[] = "group_share:";

/* Of a profiled run; returns how many. */
static size_t find_parts(const struct run *run, struct part parts[PARTS_MAX])
{
	const size_t length = strlen(group_prefix);
	size_t n = 0;

	for (size_t i = 0; i < run->n_metrics && n < PARTS_MAX; i++) {
		const struct metric *m = &run->metrics[i];

		if (strncmp(m->name, group_prefix, length) == 0 && !m->unavailable &&
			run->n_samples > 0)
			parts[n++] =
				(struct part){ m->name + length, record_value(run, m, 0) };
	}
	qsort(parts, n, sizeof(*parts), largest_first);
	return n;
}

/* Where the time went; shares below one in a hundred are left out. */
static void print_profile(const struct run *run)
{
	struct part parts[PARTS_MAX];
	const size_t n = find_parts(run, parts);
	const struct metric *hits = run_find_metric(run, "profile_hits");
	char *label;

	if (n == 0 || !hits || hits->unavailable)
		return;
	label = label_of(run);
	printf("%s: %s time by kernel functions (%.0f hits):", label,
		param_is(run, "scope", "machine") ? "the machine's" : "its",
		record_value(run, hits, 0));
	for (size_t i = 0; i < n && parts[i].share >= 0.01; i++)
		printf("%s %s %.0f %%", i ? "," : "", parts[i].name, parts[i].share * 100);
	printf("\n");
	free(label);
}

/* What the table could only hint at. */
static void print_notes(const struct record *record)
{
	size_t n_unavailable = 0;

	for (size_t i = 0; i < record->n_runs; i++) {
		const struct run *run = &record->runs[i];
		size_t n = 0;
		char *label;

		for (size_t m = 0; m < run->n_metrics; m++)
			n += run->metrics[m].unavailable != NULL;
		n_unavailable = n > n_unavailable ? n : n_unavailable;
		if (!run->reason)
			continue;
		label = label_of(run);
		printf("%s%s%s%s: %s%s%s\n", label,
			param_is(run, "pass", "traced")     ? " (traced)"
			: param_is(run, "pass", "profiled") ? " (profiled)"
							    : "",
			run->status == RUN_OK ? "" : " is ",
			run->status == RUN_OK ? "" : statuses[run->status].text,
			run->reason, run->fix && run->fix[0] ? "; fix: " : "",
			run->fix ? run->fix : "");
		free(label);
	}
	if (n_unavailable)
		printf("%zu metrics are unavailable on this machine; the result says why, and "
		       "'shootdown doctor' what to do.\n",
			n_unavailable);
}

void run_table_print(const struct record *record)
{
	struct table *table = table_new(terminal_width(), terminal_color());
	char *text;

	if (!table)
		return;
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_add_column(table, columns[i].name, columns[i].align);
	for (size_t i = 0; i < record->n_runs; i++)
		if (param_is(&record->runs[i], "pass", "timed") ||
			record->runs[i].status != RUN_OK)
			add_row(table, &record->runs[i]);
	if (table_text(table, &text) == 0) {
		fputs(text, stdout);
		free(text);
	}
	table_free(table);
	for (size_t i = 0; i < record->n_runs; i++)
		print_profile(&record->runs[i]);
	print_notes(record);
}
