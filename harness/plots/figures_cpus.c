// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs the interrupts went to. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/figures_parts.h"

/* More cells in a row than this are too narrow to be told apart. */
#define CELLS_MAX 64

/* Of the interrupts that a sample brought: only what is about flushes. */
static const char *const globs[] = { "tlb_shootdowns_per_*", "call_ipis_per_*" };

/* Rows that happen less often than this on every CPU together are left out. */
#define RARE 0.05

/* The values of one CPU by the rule of the whole metric; NAN: there are none. */
static double value_of_cpu(const struct run *run, const struct metric *m, size_t cpu)
{
	struct number *numbers = mem_zeroed(run->n_samples, sizeof(*numbers));
	struct metric one = *m;
	struct compare_value value = { 0 };
	double ret;

	for (size_t i = 0; i < run->n_samples; i++)
		numbers[i].integer = m->by_cpu->values[i * m->by_cpu->n_cpus + cpu];
	one.values = numbers;
	compare_value_of(run, &one, &value);
	ret = value.known ? value.value : NAN;
	compare_value_clear(&value);
	free(numbers);
	return ret;
}

struct heat {
	const char *metric, *unit;
	const struct by_cpu *cpus; /* of the first row; the others have the same */
	size_t width;              /* CPUs in each cell */
	json_t *rows;
	size_t n_boots[2];
};

/* Cells of neighbours are their mean. */
static json_t *make_cells(const struct heat *h, const struct run *run,
	const struct metric *m, double *ret_sum)
{
	const size_t n_cpus = m->by_cpu->n_cpus;
	json_t *list = json_array();

	*ret_sum = 0;
	for (size_t first = 0; first < n_cpus; first += h->width) {
		const size_t end = first + h->width < n_cpus ? first + h->width : n_cpus;
		double sum = 0;

		for (size_t i = first; i < end; i++) {
			const double value = value_of_cpu(run, m, i);

			sum += isfinite(value) ? value : 0;
		}
		*ret_sum += sum;
		json_array_append_new(list, json_real(sum / (double)(end - first)));
	}
	return list;
}

static bool same_cpus(const struct by_cpu *a, const struct by_cpu *b)
{
	return a->n_cpus == b->n_cpus &&
	       memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(*a->cpus)) == 0;
}

/* The metric, where it can be a row of this picture. */
static const struct metric *usable(struct heat *h, const struct run *run)
{
	const struct metric *m =
		run_has_numbers(run) ? run_find_metric(run, h->metric) : NULL;

	if (!m || m->unavailable || !m->by_cpu || m->by_cpu->n_cpus == 0)
		return NULL;
	if (!h->cpus) {
		h->cpus = m->by_cpu;
		h->unit = m->unit;
		h->width = (m->by_cpu->n_cpus + CELLS_MAX - 1) / CELLS_MAX;
	}
	return same_cpus(h->cpus, m->by_cpu) ? m : NULL;
}

static size_t count_boots(const struct run *run, const struct metric *m)
{
	struct compare_value value;
	size_t n;

	if (compare_value_of(run, m, &value) < 0)
		return 0;
	n = value.n_boots;
	compare_value_clear(&value);
	return n;
}

/* A row for each arm, unless both say that nothing happened. */
static void add_pair(const struct report *r, struct heat *h, const struct run_pair *pair)
{
	const struct run *runs[2] = { pair->base, pair->cand };
	json_t *cells[2] = { NULL, NULL };
	double sums[2] = { 0, 0 };

	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		const struct metric *m = usable(h, runs[arm]);
		size_t n;

		if (!m)
			continue;
		cells[arm] = make_cells(h, runs[arm], m, &sums[arm]);
		n = count_boots(runs[arm], m);
		h->n_boots[arm] = n > h->n_boots[arm] ? n : h->n_boots[arm];
	}
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		char *label;

		if (!cells[arm] || fmax(sums[0], sums[1]) < RARE) {
			json_decref(cells[arm]);
			continue;
		}
		label = r->arms[ARM_CAND] ? mem_format("%s  %s", pair->label, r->names[arm])
					  : mem_text(pair->label);
		json_array_append_new(
			h->rows, json_pack("{s:o, s:s, s:o}", "label", figure_text(label),
					 "role", figure_roles[arm], "values", cells[arm]));
		free(label);
	}
}

static json_t *cpu_names(const struct heat *h)
{
	json_t *names = json_array();

	for (size_t i = 0; i < h->cpus->n_cpus; i += h->width) {
		char *name = mem_format("%d", h->cpus->cpus[i]);

		json_array_append_new(names, json_string(name));
		free(name);
	}
	return names;
}

static bool has_nodes(const struct by_cpu *cpus)
{
	for (size_t i = 1; cpus->nodes && i < cpus->n_cpus; i++)
		if (cpus->nodes[i] != cpus->nodes[0])
			return true;
	return false;
}

/* " 0 has CPU 0-3, 8-11": those of the node of the first one, as neighbours. */
static void print_node(FILE *out, const struct by_cpu *cpus, size_t first)
{
	const int node = cpus->nodes[first];

	fprintf(out, " %d has CPU", node);
	for (size_t i = first, end; i < cpus->n_cpus; i = end) {
		end = i + 1;
		if (cpus->nodes[i] != node)
			continue;
		while (end < cpus->n_cpus && cpus->nodes[end] == node &&
			cpus->cpus[end] == cpus->cpus[end - 1] + 1)
			end++;
		fprintf(out, "%s %d", i > first ? "," : "", cpus->cpus[i]);
		if (end > i + 1)
			fprintf(out, "-%d", cpus->cpus[end - 1]);
	}
}

static bool is_first_of_node(const struct by_cpu *cpus, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (cpus->nodes[k] == cpus->nodes[i])
			return false;
	return true;
}

/* " Memory nodes: 0 has CPU 0-3, 8-11; 1 has CPU 4-7." Freed by the caller. */
static char *nodes_text(const struct by_cpu *cpus)
{
	char *text = NULL;
	size_t bytes;
	FILE *out;

	if (!has_nodes(cpus))
		return mem_text("");
	out = open_memstream(&text, &bytes);
	if (!out)
		abort();
	fputs(" Memory nodes:", out);
	for (size_t i = 0; i < cpus->n_cpus; i++) {
		if (!is_first_of_node(cpus, i))
			continue;
		fputs(i > 0 ? ";" : "", out);
		print_node(out, cpus, i);
	}
	fputc('.', out);
	fclose(out);
	return text;
}

/* Of each cell: that of its first CPU. */
static json_t *cell_nodes(const struct heat *h)
{
	json_t *nodes = json_array();

	for (size_t i = 0; has_nodes(h->cpus) && i < h->cpus->n_cpus; i += h->width)
		json_array_append_new(nodes, json_integer(h->cpus->nodes[i]));
	return nodes;
}

static void add_heat(struct heat *h, struct figures *f)
{
	char *slug = figure_slug(h->metric), *n, *title, *subtitle, *cells;
	char *nodes = nodes_text(h->cpus);

	n = figure_boots(h->n_boots);
	cells = h->width == 1 ? mem_text("")
			      : mem_format(", each cell the mean of %zu CPUs", h->width);
	title = mem_format("%s by CPU", h->metric);
	subtitle = mem_format("%s on each CPU, %s%s", h->unit, n, cells);
	figures_add(f, FIGURE_CPUS, mem_format("cpus-%s", slug), NULL,
		mem_format("%s: %s", title, subtitle),
		mem_format(
			"%s. The stronger the colour, the more. Workloads with less than "
			"%g on all CPUs together are left out.%s",
			subtitle, RARE, nodes),
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:O}", "kind", "heat", "title",
			figure_text(title), "subtitle", figure_text(subtitle), "cpus",
			cpu_names(h), "nodes", cell_nodes(h), "rows", h->rows));
	free(slug);
	free(n);
	free(title);
	free(subtitle);
	free(cells);
	free(nodes);
}

/* Metrics of that pattern may differ in their unit: a picture for each. */
static void add_metric(const struct report *r, const struct run_pair *pairs, size_t n_pairs,
	const char *metric, struct figures *f)
{
	struct heat h = { .metric = metric, .rows = json_array() };

	for (size_t i = 0; i < n_pairs; i++)
		add_pair(r, &h, &pairs[i]);
	if (h.cpus && json_array_size(h.rows) > 0)
		add_heat(&h, f);
	json_decref(h.rows);
}

static bool is_first(const struct record *record, size_t run, const char *metric)
{
	for (size_t i = 0; i < run; i++)
		if (run_find_metric(&record->runs[i], metric))
			return false;
	return true;
}

void figures_add_cpus(const struct report *r, struct figures *f)
{
	const struct record *base = r->arms[ARM_BASE];
	size_t n_pairs;
	struct run_pair *pairs = report_pairs(r, &n_pairs);

	for (size_t i = 0; i < base->n_runs; i++) {
		const struct run *run = &base->runs[i];

		for (size_t k = 0; k < run->n_metrics; k++) {
			const char *name = run->metrics[k].name;

			for (size_t g = 0; g < sizeof(globs) / sizeof(*globs); g++)
				if (fnmatch(globs[g], name, 0) == 0 &&
					is_first(base, i, name))
					add_metric(r, pairs, n_pairs, name, f);
		}
	}
	run_pairs_free(pairs, n_pairs);
}
