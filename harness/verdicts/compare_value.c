// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct counted {
	unsigned int boot, block, process;
	double value;
};

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int by_place_then_value(const void *left, const void *right)
{
	const struct counted *a = left, *b = right;

	if (a->boot != b->boot)
		return ORDER(a->boot, b->boot);
	if (a->block != b->block)
		return ORDER(a->block, b->block);
	if (a->process != b->process)
		return ORDER(a->process, b->process);
	return ORDER(a->value, b->value);
}

static bool same_process(const struct counted *a, const struct counted *b)
{
	return a->boot == b->boot && a->block == b->block && a->process == b->process;
}

/* Of count sorted values, at least one. */
static double median(const struct counted *sorted, size_t count)
{
	double low = sorted[(count - 1) / 2].value, high = sorted[count / 2].value;

	return low + (high - low) / 2;
}

/* One boot, from sorted[0] on; returns how many of count are its samples. */
static size_t take_boot(const struct counted *sorted, size_t count, struct compare_value *v)
{
	struct boot_value *boot;
	size_t i = 0, processes = 0;
	double sum = 0;

	v->boots = mem_resize(v->boots, v->n_boots + 1, sizeof(*v->boots));
	boot = &v->boots[v->n_boots++];
	*boot = (struct boot_value){ .boot = sorted[0].boot, .block = sorted[0].block };
	while (i < count && sorted[i].boot == boot->boot) {
		size_t first = i;

		while (i < count && same_process(&sorted[i], &sorted[first]))
			i++;
		sum += median(&sorted[first], i - first);
		processes++;
		boot->many_blocks |= sorted[first].block != boot->block;
	}
	boot->value = sum / (double)processes;
	v->n_processes += processes;
	return i;
}

static void aggregate(const struct counted *sorted, size_t n, struct compare_value *v)
{
	double sum = 0;

	for (size_t i = 0; i < n; i += take_boot(sorted + i, n - i, v))
		;
	for (size_t i = 0; i < n; i++) {
		v->varies |= sorted[i].value != sorted[0].value;
		v->negative |= sorted[i].value < 0;
	}
	for (size_t i = 0; i < v->n_boots; i++)
		sum += v->boots[i].value;
	v->n_samples = n;
	v->value = n ? sum / (double)v->n_boots : 0;
	v->known = n && isfinite(v->value);
}

int compare_value_of(
	const struct run *run, const struct metric *m, struct compare_value *ret)
{
	struct compare_value v = { .known = false };
	struct counted *counted;
	size_t n = 0;

	if (m->unavailable || !m->values) {
		*ret = v;
		return 0;
	}
	counted = calloc(run->n_samples + 1, sizeof(*counted));
	if (!counted)
		return -ENOMEM;
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct place *p = &run->places[i];
		double value = record_value(run, m, i);

		if (!p->warmup && isfinite(value))
			counted[n++] =
				(struct counted){ p->boot, p->block, p->process, value };
	}
	qsort(counted, n, sizeof(*counted), by_place_then_value);
	aggregate(counted, n, &v);
	free(counted);
	*ret = v;
	return 0;
}

void compare_value_clear(struct compare_value *v)
{
	free(v->boots);
	v->boots = NULL;
}
