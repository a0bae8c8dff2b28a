// SPDX-License-Identifier: GPL-2.0-or-later
#include "counting/join.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "counting/tally.h"

#define SOURCE "QEMU plugin"
/* A function that executed less of a boot's is left out of the metrics. */
#define PART_MIN_PERCENT 1

/*
 * A metric is the sum of the classes that its pattern names; one that names
 * none of an architecture's is not of it. Whether a full flush (CR3, all, by
 * ASID) in place of many single ones is better, no count tells. Those whose
 * classes another one sums up are not told apart by function.
 */
static const struct metric_kind_of {
	const char *name, *classes;
	enum metric_better better;
	bool by_function;
} kinds[] = {
	{ "tlbi", "tlbi_*", BETTER_LOWER, true },
	{ "tlbi_va", "tlbi_va_*", BETTER_NONE, false },
	{ "tlbi_asid", "tlbi_asid_*", BETTER_NONE, false },
	{ "tlbi_range", "tlbi_range_*", BETTER_NONE, false },
	{ "tlbi_all", "tlbi_all_*", BETTER_NONE, false },
	{ "tlbi_broadcast", "tlbi_*_[io]s", BETTER_LOWER, false },
	{ "tlbi_local", "tlbi_*_local", BETTER_NONE, false },
	{ "dsb", "dsb_*", BETTER_LOWER, false },
	{ "dsb_ish", "dsb_ish", BETTER_LOWER, true },
	{ "dsb_ishst", "dsb_ishst", BETTER_LOWER, true },
	{ "dsb_ishld", "dsb_ishld", BETTER_NONE, false },
	{ "dsb_nsh", "dsb_nsh*", BETTER_NONE, true },
	{ "dsb_osh", "dsb_osh*", BETTER_NONE, true },
	{ "dsb_sy", "dsb_[sl][ytd]", BETTER_NONE, true },
	{ "invlpg", "invlpg", BETTER_LOWER, true },
	{ "invpcid", "invpcid", BETTER_NONE, true },
	{ "cr3", "cr3", BETTER_NONE, true },
	{ "cr4", "cr4", BETTER_NONE, true },
	{ "tlbie", "tlbie", BETTER_LOWER, true },
	{ "tlbiel", "tlbiel", BETTER_NONE, true },
	{ "tlbsync", "tlbsync", BETTER_LOWER, true },
	{ "ptesync", "ptesync", BETTER_LOWER, true },
	{ "sfence_vma", "sfence_vma_*", BETTER_LOWER, true },
	{ "sfence_vma_va", "sfence_vma_va", BETTER_NONE, false },
	{ "sfence_vma_asid", "sfence_vma_asid", BETTER_NONE, false },
	{ "sfence_vma_all", "sfence_vma_all", BETTER_NONE, false },
	{ "sinval_vma", "sinval_vma", BETTER_LOWER, true },
};

/* The windows of a run's samples; NULL where one was not counted. */
static const struct count_window **find_windows(
	const struct counts *c, const struct run *run)
{
	const struct metric *id = run_find_metric(run, WINDOW_ID_METRIC);
	const struct count_window **windows = mem_zeroed(run->n_samples, sizeof(void *));

	for (size_t i = 0; i < run->n_samples; i++) {
		if (id && !id->unavailable && !id->values[i].is_real)
			windows[i] = counts_find(c, (uint64_t)id->values[i].integer);
		if (!windows[i]) {
			free(windows);
			return NULL;
		}
	}
	return windows;
}

/* Without values where windows is NULL; else all 0. */
static struct metric *add_sum(struct run *run, const char *name, enum metric_better better,
	const struct count_window **windows)
{
	char *full = mem_format("%s_per_%s", name, run->unit);
	char *unit = mem_format("instructions/%s", run->unit);
	struct metric *m = run_add_metric(run, full, unit, SOURCE, better, KIND_SAMPLE);

	free(full);
	free(unit);
	m->per_unit = true;
	if (!windows) {
		m->unavailable =
			mem_text("the plugin did not count the window of each sample");
		return m;
	}
	m->values = mem_zeroed(run->n_samples, sizeof(*m->values));
	return m;
}

static struct metric *add_metric(struct run *run, const char *name,
	enum metric_better better, const struct count_window **windows, unsigned int n_cpus)
{
	struct metric *m = add_sum(run, name, better, windows);

	if (!windows)
		return m;
	m->by_cpu = mem_zeroed(1, sizeof(*m->by_cpu));
	m->by_cpu->n_cpus = n_cpus;
	m->by_cpu->cpus = mem_zeroed(n_cpus, sizeof(*m->by_cpu->cpus));
	m->by_cpu->values = mem_zeroed(run->n_samples * n_cpus, sizeof(*m->by_cpu->values));
	/* Guests are given their CPUs in QEMU's order. */
	for (unsigned int cpu = 0; cpu < n_cpus; cpu++)
		m->by_cpu->cpus[cpu] = (int)cpu;
	return m;
}

static void add_counts(struct metric *m, size_t sample, const uint64_t *by_cpu)
{
	const size_t n_cpus = m->by_cpu->n_cpus;

	for (size_t cpu = 0; cpu < n_cpus; cpu++) {
		m->by_cpu->values[sample * n_cpus + cpu] += (int64_t)by_cpu[cpu];
		m->values[sample].integer += (int64_t)by_cpu[cpu];
	}
}

static void join_kind(const struct counts *c, const struct count_window **windows,
	const struct metric_kind_of *kind, struct run *run)
{
	struct metric *m = NULL;

	for (size_t class = 0; class < c->n_classes; class ++) {
		if (fnmatch(kind->classes, c->classes[class], 0) != 0)
			continue;
		if (!m)
			m = add_metric(run, kind->name, kind->better, windows, c->n_vcpus);
		for (size_t i = 0; windows && i < run->n_samples; i++)
			add_counts(m, i, &windows[i]->classes[class * c->n_vcpus]);
	}
}

static bool is_of(const struct counts *c, const struct metric_kind_of *kind,
	const struct count_place *p)
{
	return fnmatch(kind->classes, c->classes[p->class], 0) == 0;
}

/*
 * Of all windows, so that base and candidate of one boot have the same
 * functions: one that a side never calls has 0 there.
 */
static struct tally find_functions(
	const struct counts *c, const struct metric_kind_of *kind, uint64_t *ret_all)
{
	struct tally t = { 0 };

	*ret_all = 0;
	for (size_t w = 0; w < c->n_windows; w++) {
		for (size_t i = 0; i < c->windows[w].n_places; i++) {
			const struct count_place *p = &c->windows[w].places[i];

			if (!is_of(c, kind, p))
				continue;
			tally_add(&t, p->function, p->count);
			*ret_all += p->count;
		}
	}
	tally_sort(&t);
	return t;
}

static void add_part(const struct counts *c, const struct count_window **windows,
	const struct metric_kind_of *kind, const char *function, struct run *run)
{
	char *name = mem_format("%s:%s", kind->name,
		strcmp(function, "-") == 0 ? "outside_kernel" : function);
	struct metric *m = add_sum(run, name, BETTER_NONE, windows);

	free(name);
	for (size_t i = 0; i < run->n_samples; i++) {
		for (size_t k = 0; k < windows[i]->n_places; k++) {
			const struct count_place *p = &windows[i]->places[k];

			if (is_of(c, kind, p) && strcmp(p->function, function) == 0)
				m->values[i].integer += (int64_t)p->count;
		}
	}
}

static void join_functions(const struct counts *c, const struct count_window **windows,
	const struct metric_kind_of *kind, struct run *run)
{
	uint64_t all;
	struct tally t = find_functions(c, kind, &all);

	for (size_t i = 0; i < t.count; i++)
		if (t.items[i].count >= (all * PART_MIN_PERCENT + 99) / 100)
			add_part(c, windows, kind, t.items[i].function, run);
	free(t.items);
}

static void join_run(const struct counts *c, struct run *run)
{
	const struct count_window **windows = find_windows(c, run);
	struct metric *m =
		add_metric(run, "kernel_insns", BETTER_LOWER, windows, c->n_vcpus);

	for (size_t i = 0; windows && i < run->n_samples; i++)
		add_counts(m, i, windows[i]->kernel_insns);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		join_kind(c, windows, &kinds[i], run);
	for (size_t i = 0; windows && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].by_function)
			join_functions(c, windows, &kinds[i], run);
	free(windows);
}

void counts_join(const struct counts *counts, struct record *record)
{
	for (size_t i = 0; i < record->n_runs; i++)
		if (record->runs[i].n_samples &&
			run_find_metric(&record->runs[i], WINDOW_ID_METRIC))
			join_run(counts, &record->runs[i]);
}
