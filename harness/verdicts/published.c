// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/published.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_pair.h"
#include "verdicts/table.h"

/* The parameter that tells the two sides of one publication apart. */
#define ARM "arm"

int published_load(const char *path, struct record **ret, struct err *err)
{
	struct record *r;
	int code = record_load(path, &r, err);

	if (code < 0)
		return code;
	if (!fields_find(&r->subject, "published")) {
		record_free(r);
		return err_set(err, -EINVAL,
			"%s: a result, but not of published figures: its subject has no "
			"\"published\"",
			path);
	}
	*ret = r;
	return 0;
}

/* Takes the text. */
static void put_line(FILE *out, char *text)
{
	for (const char *at = text; *at; at++)
		fputc(iscntrl((unsigned char)*at) ? '?' : *at, out);
	fputc('\n', out);
	free(text);
}

static bool is_arm(const struct run *run, const char *arm)
{
	const struct field *f = fields_find(&run->params, ARM);

	return f && f->text && strcmp(f->text, arm) == 0;
}

/* The same workload with the same parameters, but for the arm. */
static const struct run *other_arm(const struct record *r, const struct run *base)
{
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];
		size_t same = 0;

		if (!is_arm(run, "cand") || strcmp(run->workload, base->workload) != 0 ||
			run->params.count != base->params.count)
			continue;
		for (size_t k = 0; k < run->params.count; k++) {
			const struct field *f = &run->params.items[k];
			const struct field *b = fields_find(&base->params, f->name);

			same += strcmp(f->name, ARM) == 0 || (b && field_equal(f, b));
		}
		if (same == run->params.count)
			return run;
	}
	return NULL;
}

/* What one side of a publication says of a metric; NAN where it says nothing. */
static int value_of(const struct run *run, const char *metric, double *ret)
{
	const struct metric *m = run ? run_find_metric(run, metric) : NULL;
	struct compare_value v = { 0 };
	const int code = m ? compare_value_of(run, m, &v) : 0;

	if (code == 0)
		*ret = v.known ? v.value : NAN;
	compare_value_clear(&v);
	return code;
}

bool published_is_base(const struct run *run)
{
	return is_arm(run, "base");
}

int published_values(const struct record *r, const struct run *run, const char *metric,
	double *ret_base, double *ret_cand)
{
	double base, cand;
	int code = value_of(run, metric, &base);

	if (code == 0)
		code = value_of(other_arm(r, run), metric, &cand);
	if (code == 0) {
		*ret_base = base;
		*ret_cand = cand;
	}
	return code;
}

static char *size_text(const struct field *f)
{
	if (!f->text && f->number > 0 && f->number % (1 << 20) == 0)
		return mem_format("%lldM", (long long)(f->number >> 20));
	return field_format(f);
}

/* "size=1M (here 16M)": the parameters of the publication that are others here. */
static char *params_differ(const struct run *theirs, const struct run *here)
{
	char *list = NULL, *longer;

	for (size_t i = 0; i < theirs->params.count; i++) {
		const struct field *t = &theirs->params.items[i];
		const struct field *h = fields_find(&here->params, t->name);
		char *a, *b;

		if (strcmp(t->name, ARM) == 0 || !h || field_equal(t, h))
			continue;
		a = size_text(t);
		b = size_text(h);
		longer = mem_format("%s%s%s=%s (here %s)", list ? list : "",
			list ? ", " : "", t->name, a, b);
		free(a);
		free(b);
		free(list);
		list = longer;
	}
	return list;
}

/* A figure: the columns of the publication, before those of the machine here. */
struct figure {
	const struct run *run;
	const struct metric *metric;
	char *base, *cand, *ratio; /* as text, or NULL */
};

static int figure_make(const struct record *r, const struct run *run,
	const struct metric *metric, struct figure *ret)
{
	struct figure f = { .run = run, .metric = metric };
	double base, cand;
	const int code = published_values(r, run, metric->name, &base, &cand);

	if (code == 0) {
		char *difference;

		f.base = isnan(base) ? NULL : format_number(base, false);
		f.cand = isnan(cand) ? NULL : format_number(cand, false);
		if (base > 0 && cand > 0) {
			f.ratio = format_number(cand / base, false);
		} else if (!isnan(base) && !isnan(cand)) {
			difference = format_number(cand - base, true);
			f.ratio = mem_format("diff %s", difference);
			free(difference);
		}
		*ret = f;
	}
	return code;
}

enum { WORKLOAD, METRIC, BASE, CAND, RATIO, HERE, N, VERDICT, NOTE };

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text)
{
	table_set_cell(t, column, text, TABLE_PLAIN);
	free(text);
}

/* here and run: NULL where this machine measured nothing like it. */
static void put_figure(struct table *t, const struct figure *f,
	const struct compare_row *here, const struct run *run)
{
	char *note = NULL;

	table_add_row(t);
	table_set_cell(t, WORKLOAD, here ? here->workload : f->run->workload, TABLE_PLAIN);
	table_set_cell(t, METRIC, f->metric->name, TABLE_PLAIN);
	table_set_cell(t, BASE, f->base, TABLE_PLAIN);
	table_set_cell(t, CAND, f->cand, TABLE_PLAIN);
	table_set_cell(t, RATIO, f->ratio, TABLE_PLAIN);
	if (here) {
		set_cell(t, HERE, format_change(here));
		set_cell(t, N, format_boots(here));
		set_cell(t, VERDICT, format_word(here));
		note = params_differ(f->run, run);
	} else {
		table_set_cell(t, VERDICT, "not measured here", TABLE_PLAIN);
	}
	if (f->metric->unavailable) {
		char *both = mem_format("%s%s%s", f->metric->unavailable, note ? "; " : "",
			note ? note : "");

		free(note);
		note = both;
	}
	set_cell(t, NOTE, note);
}

/* The rows of the comparison that are of this workload and metric. */
static void put_rows(struct table *t, const struct figure *f, const struct comparison *c,
	const struct run_pair *pairs, size_t n_pairs)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];
		const struct run *run = NULL;

		if (strcmp(row->metric, f->metric->name) != 0)
			continue;
		for (size_t k = 0; k < n_pairs && !run; k++)
			if (strcmp(pairs[k].label, row->workload) == 0)
				run = pairs[k].base ? pairs[k].base : pairs[k].cand;
		if (!run || strcmp(run->workload, f->run->workload) != 0)
			continue;
		put_figure(t, f, row, run);
		n++;
	}
	if (n == 0)
		put_figure(t, f, NULL, NULL);
}

/* The figures of one side's run, which is the base. */
static int put_run(struct table *t, const struct comparison *c, const struct published *p,
	const struct run *run, const struct run_pair *pairs, size_t n_pairs)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < run->n_metrics; i++) {
		struct figure f = { 0 };

		code = figure_make(p->figures, run, &run->metrics[i], &f);
		if (code == 0)
			put_rows(t, &f, c, pairs, n_pairs);
		free(f.base);
		free(f.cand);
		free(f.ratio);
	}
	return code;
}

static int put_figures(struct table *t, const struct comparison *c,
	const struct published *p, const struct run_pair *pairs, size_t n_pairs)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < p->figures->n_runs; i++)
		if (published_is_base(&p->figures->runs[i]))
			code = put_run(t, c, p, &p->figures->runs[i], pairs, n_pairs);
	return code;
}

static int figures_text(
	const struct comparison *c, const struct published *p, size_t width, char **ret)
{
	static const struct {
		const char *name;
		enum table_align align;
	} columns[] = {
		[WORKLOAD] = { "workload", TABLE_WRAP },
		[METRIC] = { "metric", TABLE_LEFT },
		[BASE] = { "their base", TABLE_RIGHT },
		[CAND] = { "their cand", TABLE_RIGHT },
		[RATIO] = { "their ratio", TABLE_RIGHT },
		[HERE] = { "ratio here", TABLE_LEFT },
		[N] = { "n", TABLE_RIGHT },
		[VERDICT] = { "verdict here", TABLE_LEFT },
		[NOTE] = { "note", TABLE_WRAP },
	};
	struct table *t = table_new(width, false);
	struct run_pair *pairs;
	size_t n_pairs;
	int code;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_add_column(t, columns[i].name, columns[i].align);
	pairs = run_pairs_make(p->base, p->cand, &n_pairs);
	code = put_figures(t, c, p, pairs, n_pairs);
	run_pairs_free(pairs, n_pairs);
	if (code == 0)
		code = table_text(t, ret);
	table_free(t);
	return code;
}

/* What the publication says of its machine, and the same keys of this one. */
static void put_machines(FILE *out, const struct published *p)
{
	const struct fields *theirs = &p->figures->identity;

	fputs("What is known of their machine, and this one:\n", out);
	for (size_t i = 0; i < theirs->count; i++) {
		const struct field *t = &theirs->items[i];
		const struct field *h = fields_find(&p->base->identity, t->name);
		char *a = field_format(t), *b = h ? field_format(h) : NULL;

		put_line(out, mem_format("  %s: %s; here: %s%s", t->name, a,
				      b ? b : "not recorded",
				      h && field_equal(t, h) ? " (the same)" : ""));
		free(a);
		free(b);
	}
}

int published_text(
	const struct comparison *c, const struct published *p, size_t width, char **ret)
{
	const struct field *source = fields_find(&p->figures->subject, "published");
	char *text = NULL, *table, *value = field_format(source);
	size_t bytes;
	FILE *out;
	int code = figures_text(c, p, width, &table);

	if (code < 0) {
		free(value);
		return code;
	}
	out = open_memstream(&text, &bytes);
	if (!out)
		abort();
	put_line(out, mem_format("Published: %s", value));
	free(value);
	put_machines(out, p);
	fprintf(out, "\n%s", table);
	free(table);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}
