// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

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

static void aggregate(const struct counted *sorted, size_t n, struct compare_value *v)
{
	double sum_of_boots = 0;
	size_t i = 0;

	while (i < n) {
		unsigned int boot = sorted[i].boot;
		double sum = 0;
		size_t processes = 0;

		while (i < n && sorted[i].boot == boot) {
			size_t first = i;

			while (i < n && same_process(&sorted[i], &sorted[first]))
				i++;
			sum += median(&sorted[first], i - first);
			processes++;
		}
		sum_of_boots += sum / (double)processes;
		v->n_processes += processes;
		v->n_boots++;
	}
	v->n_samples = n;
	v->value = n ? sum_of_boots / (double)v->n_boots : 0;
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
