// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown plan: how many boots, and how long, for an effect. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "boots/guest.h"
#include "boots/manifest.h"
#include "commands/commands.h"
#include "commands/terminal.h"
#include "verdicts/compare_format.h"
#include "verdicts/power.h"
#include "verdicts/record_find.h"
#include "verdicts/table.h"

enum { OPTION_DETECT = 256, OPTION_METRIC, OPTION_WORKLOAD };

static const struct argp_option options[] = {
	{ "detect", OPTION_DETECT, "EFFECT", 0,
		"The effect to be found: 3%, 0.05 (in the unit), or 3%,0.05", 0 },
	{ "metric", OPTION_METRIC, "GLOB", 0,
		"Plan for these metrics (those that decide: see compare-results)", 0 },
	{ "workload", OPTION_WORKLOAD, "GLOB", 0, "Plan for these workloads", 0 },
	{ 0 },
};

struct arguments {
	const char *path, *detect;
	struct effect_rule effect;
	struct compare_options compare;
};

/* What an earlier measurement tells. cand: NULL where it is one result. */
struct earlier {
	struct record *base, *cand;
	char *name;
	bool one_image; /* each boot measured both sides */
	bool whole;     /* boot_s is that of whole boots, else of measuring alone */
	double boot_s;  /* mean; 0: not known */
};

static void parse_detect(struct argp_state *state, struct arguments *a, const char *text)
{
	char *rule = mem_format("*=%s", text);
	const struct effect *e = &a->effect.effect;

	if (effect_parse(rule, &a->effect, NULL) < 0 ||
		(a->effect.has_relative && e->relative <= 0) ||
		(a->effect.has_absolute && e->absolute <= 0))
		argp_error(state,
			"--detect=%s: give an effect above 0: 3%%, 0.05 (in the unit), or "
			"3%%,0.05",
			text);
	a->detect = text;
	free(rule);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPTION_DETECT:
		parse_detect(state, a, arg);
		return 0;
	case OPTION_METRIC:
		a->compare.metric = arg;
		return 0;
	case OPTION_WORKLOAD:
		a->compare.workload = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->path)
			argp_error(state, "one result or experiment, not more");
		a->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->path || !a->detect)
			argp_error(state, "needed are --detect=3%% and an earlier result "
					  "or the folder of an experiment");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void take_durations(const struct manifest *m, struct earlier *e)
{
	double sum_s = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->plan.n_boots; i++) {
		const struct boot_entry *entry = &m->entries[i];

		if (!entry->result ||
			strcmp(entry->result, guest_result_name(GUEST_OK)) != 0)
			continue;
		sum_s += (double)entry->duration_ms / 1000;
		n++;
	}
	e->whole = true;
	e->one_image = m->one_image;
	e->boot_s = n ? sum_s / (double)n : 0;
}

/* Samples alone: neither booting nor setting up is in it. */
static double measuring_s(const struct record *r)
{
	double sum_ns = 0;
	size_t n_boots = 0;

	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];
		const struct metric *wall = run_find_metric(run, "wall_ns");
		struct compare_value v;

		if (!wall || !wall->values || compare_value_of(run, wall, &v) < 0)
			continue;
		for (size_t k = 0; k < run->n_samples; k++)
			sum_ns += record_value(run, wall, k);
		n_boots = v.n_boots > n_boots ? v.n_boots : n_boots;
		compare_value_clear(&v);
	}
	return n_boots && isfinite(sum_ns) ? sum_ns / 1e9 / (double)n_boots : 0;
}

static int load_experiment(const char *folder, struct earlier *e, struct err *err)
{
	char *base = mem_format("%s/base.json", folder);
	char *cand = mem_format("%s/cand.json", folder);
	int ret = record_load(base, &e->base, err);

	if (ret == 0)
		ret = record_load(cand, &e->cand, err);
	free(base);
	free(cand);
	return ret;
}

static int load(const char *path, struct earlier *e, struct err *err)
{
	struct manifest m;
	struct stat st;
	int ret = -ENOENT;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		ret = manifest_load(path, &m, err);
	if (ret == 0) {
		take_durations(&m, e);
		manifest_clear(&m);
		e->name = mem_text(path);
		return load_experiment(path, e, err);
	}
	if (ret != -ENOENT)
		return ret;
	ret = record_find(path, &e->name, err);
	if (ret == 0)
		ret = record_load(e->name, &e->base, err);
	if (ret == 0)
		e->boot_s = measuring_s(e->base);
	return ret;
}

/* "2 h 10 min", "35 s" */
static char *time_text(double seconds)
{
	const unsigned long long minutes = (unsigned long long)(seconds / 60 + 0.5);

	if (seconds < 120)
		return mem_format("%.0f s", ceil(seconds));
	if (minutes < 120)
		return mem_format("%llu min", minutes);
	return mem_format("%llu h %llu min", minutes / 60, minutes % 60);
}

/* NULL: not known. */
static char *time_needed(const struct earlier *e, size_t boots)
{
	if (e->boot_s <= 0 || boots == 0)
		return NULL;
	return time_text(e->boot_s * (double)boots * (e->one_image ? 1 : 2));
}

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text)
{
	table_set_cell(t, column, text, TABLE_PLAIN);
	free(text);
}

/* "3%", or in the unit of the row. */
static char *amount(const struct power_row *r, double relative, double absolute)
{
	char *number = mem_format("%.3g", r->relative ? 100 * relative : absolute), *text;

	text = mem_format(
		"%s%s%s", number, r->relative ? "" : " ", r->relative ? "%" : r->row->unit);
	free(number);
	return text;
}

static void put_row(struct table *t, const struct power_row *r, const struct earlier *e)
{
	table_add_row(t);
	table_set_cell(t, 0, r->row->workload, TABLE_PLAIN);
	table_set_cell(t, 1, r->row->metric, TABLE_PLAIN);
	if (r->why) {
		table_set_cell(t, 7, r->why, TABLE_DIM);
		return;
	}
	set_cell(t, 2, mem_format("%zu", r->n_seen));
	set_cell(t, 3, amount(r, r->sd, r->sd));
	set_cell(t, 4, amount(r, r->effect.relative, r->effect.absolute));
	if (r->needed == 0)
		set_cell(t, 5, mem_format(">%d", STATS_NEEDED_MAX));
	else
		set_cell(t, 5, mem_format("%zu", r->needed));
	set_cell(t, 6, time_needed(e, r->needed));
	table_set_cell(t, 7, r->paired ? "paired" : "not paired", TABLE_DIM);
}

static int print_table(const struct power_plan *p, const struct earlier *e)
{
	static const struct {
		const char *name;
		enum table_align align;
	} columns[] = { { "workload", TABLE_WRAP }, { "metric", TABLE_LEFT },
		{ "boots seen", TABLE_RIGHT }, { "they vary by", TABLE_RIGHT },
		{ "to find", TABLE_RIGHT }, { "boots needed", TABLE_RIGHT },
		{ "time", TABLE_RIGHT }, { "", TABLE_WRAP } };
	struct table *t = table_new(terminal_width(), terminal_color());
	char *text;
	int ret;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_add_column(t, columns[i].name, columns[i].align);
	for (size_t i = 0; i < p->n_rows; i++)
		put_row(t, &p->rows[i], e);
	ret = table_text(t, &text);
	table_free(t);
	if (ret < 0)
		return ret;
	fputs(text, stdout);
	free(text);
	return 0;
}

static void print_sum(
	const struct power_plan *p, const struct earlier *e, const struct arguments *a)
{
	char *time = time_needed(e, p->needed);

	printf("boots needed: of each side, to find %s in 80 of 100 experiments, at alpha %.3g\n"
	       "(what the correction leaves the hardest of %zu metrics); a verdict takes 6.\n"
	       "A change matters if it passes a percentage and an amount in the unit: the "
	       "table\nnames the one that is larger there.\n",
		a->detect, p->alpha, p->n_family);
	if (p->needed == 0) {
		puts("No metric has an answer.");
		return;
	}
	printf("All of them: %zu boots of each side", p->needed);
	if (time)
		printf(", about %s (%.1f s for each%s)", time, e->boot_s,
			!e->whole      ? " to measure, boot and set-up not counted"
			: e->one_image ? ", which measures both sides"
				       : "");
	puts(".");
	free(time);
}

static int plan(const struct earlier *e, const struct arguments *a, struct err *err)
{
	const struct record *cand = e->cand ? e->cand : e->base;
	struct compare_options compare = a->compare;
	struct comparison *c;
	struct power_plan p;
	int ret;

	compare.effects = &a->effect;
	compare.n_effects = 1;
	ret = compare_records(e->base, cand, &compare, &c);
	if (ret < 0)
		return err_set(err, ret, "%s", strerror(-ret));
	power_plan_make(c, !e->cand, &p);
	if (p.n_rows == 0) {
		ret = err_set(err, -ENODATA, "%s: no value of such a metric", e->name);
	} else {
		printf("From %s:\n\n", e->name);
		ret = print_table(&p, e);
		if (ret < 0)
			err_set(err, ret, "%s", strerror(-ret));
		else
			print_sum(&p, e, a);
	}
	if (ret == 0 && p.needed == 0)
		ret = EXIT_NOTHING;
	power_plan_clear(&p);
	comparison_free(c);
	return ret;
}

int cmd_plan(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "--detect=EFFECT FILE|DIR",
		.doc = "How many boots, and how long, it takes to find an effect.\v"
		       "From how much boots differed in an earlier experiment (its folder), or "
		       "in a result of several boots. 80 of 100 experiments of that size find "
		       "the effect, if it is there.\n\n"
		       "Examples:\n"
		       "  shootdown plan --detect 3% results/runs/ab/nobatch-batch-x86_64\n"
		       "  shootdown plan --detect 0.05 --metric 'tlb_*' base.json\n\n"
		       "Exit codes: 0; 2 usage or input; 3 no metric has an answer, and the "
		       "table says why.",
	};
	struct arguments a = { 0 };
	struct earlier e = { 0 };
	struct err err;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ret = load(a.path, &e, &err);
	if (ret == 0)
		ret = plan(&e, &a, &err);
	if (ret < 0) {
		fprintf(stderr, "shootdown plan: %s\n", err.text);
		ret = ret == -ENODATA ? EXIT_NOTHING : EXIT_USAGE;
	}
	record_free(e.base);
	record_free(e.cand);
	free(e.name);
	free(a.effect.metric);
	return ret;
}
