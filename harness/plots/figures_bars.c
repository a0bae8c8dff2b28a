// SPDX-License-Identifier: GPL-2.0-or-later
/* What adds up to a whole, before and after: instructions, and time, by function. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/figures_parts.h"

#define TOP 8

/* Metrics that are the bars of one picture. */
struct bars {
	enum figure_kind kind;
	const char *file; /* begins the name of its files */
	/* The text beside the bar, freed by the caller; NULL: it is none of these. */
	char *(*name)(const struct metric *m);
	double scale;     /* from a value to what is shown */
	double least;     /* shown; what is less on both sides is left out */
	const char *what; /* of the subtitle, before the unit */
	const char *unit; /* NULL: the metric's */
};

/* "invlpg_per_page" of "invlpg:FUNCTION_per_page"; of what the table shows. */
static char *name_instruction(const struct metric *m)
{
	const char *colon = strchr(m->name, ':'), *per = NULL;
	char *whole, *name = NULL;

	if (!colon || strncmp(m->unit, "instructions/", 13) != 0)
		return NULL;
	for (const char *at = colon; (at = strstr(at, "_per_")); at++)
		per = at;
	if (!per)
		return NULL;
	whole = mem_format("%.*s%s", (int)(colon - m->name), m->name, per);
	if (compare_is_primary(whole))
		name = mem_format("%.*s in %.*s", (int)(colon - m->name), m->name,
			(int)(per - colon - 1), colon + 1);
	free(whole);
	return name;
}

static char *name_after(const struct metric *m, const char *prefix)
{
	const size_t length = strlen(prefix);

	return strncmp(m->name, prefix, length) == 0 ? mem_text(m->name + length) : NULL;
}

static char *name_group(const struct metric *m)
{
	return name_after(m, "group_share:");
}

static char *name_share(const struct metric *m)
{
	return name_after(m, "share:");
}

static const struct bars kinds[] = {
	{ FIGURE_FUNCTIONS, "functions", name_instruction, 1, 0.01,
		"counted instructions by function", NULL },
	{ FIGURE_SHARES, "groups", name_group, 100, 0.5,
		"hits of the profile by group of functions", "%" },
	{ FIGURE_SHARES, "symbols", name_share, 100, 0.5, "hits of the profile by function",
		"%" },
};

struct item {
	char *name;
	double values[2];
};

struct items {
	struct item *list;
	size_t count;
	const char *unit;
	size_t n_boots[2];
};

static double most(const struct item *item)
{
	return item->values[0] > item->values[1] ? item->values[0] : item->values[1];
}

static int most_first(const void *a, const void *b)
{
	const double x = most(a), y = most(b);

	return (x < y) - (x > y);
}

/* The item of that name, which is taken. */
static struct item *find_item(struct items *items, char *name)
{
	for (size_t i = 0; i < items->count; i++) {
		if (strcmp(items->list[i].name, name) != 0)
			continue;
		free(name);
		return &items->list[i];
	}
	items->list = mem_resize(items->list, items->count + 1, sizeof(*items->list));
	items->list[items->count] = (struct item){ .name = name };
	return &items->list[items->count++];
}

static void add_run(
	const struct bars *kind, const struct run *run, int arm, struct items *items)
{
	for (size_t i = 0; run_has_numbers(run) && i < run->n_metrics; i++) {
		const struct metric *m = &run->metrics[i];
		char *name = kind->name(m);
		struct compare_value value;

		if (!name || compare_value_of(run, m, &value) < 0) {
			free(name);
			continue;
		}
		find_item(items, name)->values[arm] =
			value.known ? kind->scale * value.value : 0;
		items->unit = kind->unit ? kind->unit : m->unit;
		if (value.n_boots > items->n_boots[arm])
			items->n_boots[arm] = value.n_boots;
		compare_value_clear(&value);
	}
}

static json_t *items_json(const struct report *r, const struct items *items, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct item *item = &items->list[i];
		json_t *one = json_pack("{s:o}", "name", figure_text(item->name));

		for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
			if (r->arms[arm])
				json_object_set_new(one, figure_roles[arm],
					json_real(item->values[arm]));
		json_array_append_new(list, one);
	}
	return list;
}

static void add_figure(const struct report *r, const struct bars *kind, const char *label,
	const struct items *items, struct figures *f)
{
	size_t n = 0;
	char *slug = figure_slug(label), *boots, *subtitle;

	while (n < items->count && n < TOP && most(&items->list[n]) >= kind->least)
		n++;
	boots = figure_boots(items->n_boots);
	subtitle = mem_format("%s, %s, %s", kind->what, items->unit, boots);
	if (n > 0)
		figures_add(f, kind->kind,
			mem_format("%s-%02zu-%s", kind->file, f->count + 1, slug), label,
			mem_format("%s: %s", label, subtitle),
			mem_format("%s; %s; the %zu largest of %zu.", items->unit, boots, n,
				items->count),
			json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", "bars", "title",
				figure_text(label), "subtitle", figure_text(subtitle),
				"arms", figure_arms(r), "items", items_json(r, items, n)));
	free(slug);
	free(boots);
	free(subtitle);
}

static void add_pair(const struct report *r, const struct bars *kind,
	const struct run_pair *pair, struct figures *f)
{
	struct items items = { 0 };

	add_run(kind, pair->base, ARM_BASE, &items);
	add_run(kind, pair->cand, ARM_CAND, &items);
	if (items.count) {
		qsort(items.list, items.count, sizeof(*items.list), most_first);
		add_figure(r, kind, pair->label, &items, f);
	}
	for (size_t i = 0; i < items.count; i++)
		free(items.list[i].name);
	free(items.list);
}

void figures_add_bars(const struct report *r, struct figures *f)
{
	size_t n_pairs;
	struct run_pair *pairs = report_pairs(r, &n_pairs);

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t i = 0; i < n_pairs; i++)
			add_pair(r, &kinds[k], &pairs[i], f);
	run_pairs_free(pairs, n_pairs);
}
