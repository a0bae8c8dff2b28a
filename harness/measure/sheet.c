// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

static size_t slot_bytes(size_t n_cpus)
{
	return sizeof(struct sheet_slot) + SHEET_BY_CPU_MAX * n_cpus * sizeof(int64_t);
}

struct sheet *sheet_new(unsigned int n_warmup, unsigned int n_samples, size_t n_cpus)
{
	const size_t bytes =
		sizeof(struct sheet) + ((size_t)n_warmup + n_samples) * slot_bytes(n_cpus);
	struct sheet *sheet = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (sheet == MAP_FAILED)
		return NULL;
	sheet->status = RUN_INCOMPLETE;
	sheet->n_warmup = n_warmup;
	sheet->n_samples = n_samples;
	sheet->n_cpus = n_cpus;
	sheet->bytes = bytes;
	return sheet;
}

void sheet_free(struct sheet *sheet)
{
	if (sheet)
		munmap(sheet, sheet->bytes);
}

struct sheet_slot *sheet_slot(struct sheet *sheet, size_t i)
{
	return (struct sheet_slot *)(sheet->slots + i * slot_bytes(sheet->n_cpus));
}

struct sheet_metric *sheet_add(
	struct sheet *sheet, const char *name, const char *unit, const char *source)
{
	struct sheet_metric *m;

	if (sheet->n_metrics == SHEET_METRICS_MAX)
		abort(); /* the tables of metrics are ours, and shorter */
	m = &sheet->metrics[sheet->n_metrics++];
	snprintf(m->name, sizeof(m->name), "%s", name);
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
	snprintf(m->source, sizeof(m->source), "%s", source);
	m->better = BETTER_NONE;
	m->per_unit = true;
	m->by_cpu = -1;
	m->share_of = -1;
	return m;
}

static void copy_by_cpu(struct sheet *sheet, const struct cpulist *cpus, const int *nodes,
	int table, size_t n_samples, struct metric *to)
{
	struct by_cpu *by = mem_zeroed(1, sizeof(*by));

	by->n_cpus = cpus->count;
	by->cpus = mem_zeroed(cpus->count, sizeof(*by->cpus));
	memcpy(by->cpus, cpus->ids, cpus->count * sizeof(*by->cpus));
	if (nodes) {
		by->nodes = mem_zeroed(cpus->count, sizeof(*by->nodes));
		memcpy(by->nodes, nodes, cpus->count * sizeof(*by->nodes));
	}
	by->values = mem_zeroed(n_samples * cpus->count, sizeof(*by->values));
	for (size_t i = 0; i < n_samples; i++)
		memcpy(&by->values[i * cpus->count],
			&sheet_slot(sheet, i)->by_cpu[(size_t)table * sheet->n_cpus],
			cpus->count * sizeof(*by->values));
	to->by_cpu = by;
}

static struct number share(const struct sheet_value *part, const struct sheet_value *whole)
{
	return (struct number){
		.is_real = true,
		.real = whole->value ? (double)part->value / (double)whole->value : 0,
	};
}

static void copy_values(
	struct sheet *sheet, size_t index, size_t n_samples, struct metric *to)
{
	const bool scaled = sheet->metrics[index].scaled;
	const int share_of = sheet->metrics[index].share_of;

	to->values = mem_zeroed(n_samples, sizeof(*to->values));
	if (scaled) {
		to->enabled_ns = mem_zeroed(n_samples, sizeof(*to->enabled_ns));
		to->running_ns = mem_zeroed(n_samples, sizeof(*to->running_ns));
	}
	for (size_t i = 0; i < n_samples; i++) {
		const struct sheet_slot *slot = sheet_slot(sheet, i);
		const struct sheet_value *v = &slot->values[index];

		if (share_of >= 0)
			to->values[i] = share(v, &slot->values[share_of]);
		else
			to->values[i].integer = v->value;
		if (scaled) {
			to->enabled_ns[i] = v->enabled_ns;
			to->running_ns[i] = v->running_ns;
		}
	}
}

/* A metric that had no number in one sample has none at all: a hole is not a 0. */
static bool has_hole(struct sheet *sheet, size_t index, size_t n_samples)
{
	for (size_t i = 0; i < n_samples; i++)
		if (sheet_slot(sheet, i)->values[index].value == SHEET_NO_VALUE)
			return true;
	return false;
}

bool sheet_stayed_zero(struct sheet *sheet, size_t metric)
{
	bool ran = false;

	for (size_t i = 0; i < sheet->n_done; i++) {
		const struct sheet_value *v = &sheet_slot(sheet, i)->values[metric];

		if (v->value != 0)
			return false;
		ran |= v->running_ns > 0;
	}
	return ran;
}

static void copy_metric(struct sheet *sheet, const struct cpulist *cpus, const int *nodes,
	size_t index, struct run *run)
{
	const struct sheet_metric *m = &sheet->metrics[index];
	struct metric *to = run_add_metric(run, m->name, m->unit, m->source, m->better,
		m->exact           ? KIND_EXACT
		: m->share_of >= 0 ? KIND_SHARE
				   : KIND_SAMPLE);

	to->per_unit = m->per_unit;
	if (m->unavailable[0])
		to->unavailable = mem_text(m->unavailable);
	else if (has_hole(sheet, index, run->n_samples))
		to->unavailable =
			mem_text("a sample has no number: the counter went "
				 "backwards, a CPU went offline, or the event "
				 "never ran on the PMU (others may hold it, as the NMI "
				 "watchdog: sysctl kernel.nmi_watchdog=0)");
	if (to->unavailable)
		return;
	copy_values(sheet, index, run->n_samples, to);
	if (m->by_cpu >= 0)
		copy_by_cpu(sheet, cpus, nodes, m->by_cpu, run->n_samples, to);
}

void sheet_to_run(
	struct sheet *sheet, const struct cpulist *cpus, const int *nodes, struct run *run)
{
	const bool measured = sheet->status == RUN_OK || sheet->status == RUN_INCOMPLETE;

	run->status = sheet->status;
	if (sheet->reason[0])
		run->reason = mem_text(sheet->reason);
	if (sheet->fix[0])
		run->fix = mem_text(sheet->fix);
	if (!measured || sheet->n_done == 0)
		return;
	run->n_samples = sheet->n_done;
	run->places = mem_zeroed(run->n_samples, sizeof(*run->places));
	run->work = mem_zeroed(run->n_samples, sizeof(*run->work));
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct sheet_slot *slot = sheet_slot(sheet, i);

		run->places[i] = (struct place){
			.iteration = (unsigned int)i,
			.warmup = slot->warmup,
		};
		run->work[i] = slot->work;
	}
	for (size_t i = 0; i < sheet->n_metrics; i++)
		copy_metric(sheet, cpus, nodes, i, run);
}
