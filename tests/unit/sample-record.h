/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records for tests: made by hand, small enough to compute with on paper. */
#ifndef SAMPLE_RECORD_H
#define SAMPLE_RECORD_H

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "verdicts/record.h"

/* n samples, each of 100 units, in one process of one boot. */
static inline struct run *sample_run(struct record *r, const char *workload, size_t n)
{
	struct run *run = record_add_run(r, workload, 1, "page");

	run->n_samples = n;
	run->places = mem_zeroed(n, sizeof(*run->places));
	run->work = mem_zeroed(n, sizeof(*run->work));
	for (size_t i = 0; i < n; i++) {
		run->places[i].iteration = (unsigned int)i;
		run->work[i] = 100;
	}
	return run;
}

/* An integer metric, divided by the work; as many values as the run has samples. */
static inline struct metric *sample_metric(struct run *run, const char *name, ...)
{
	struct metric *m = run_add_metric(
		run, name, "ns/page", "clock_gettime", BETTER_LOWER, KIND_SAMPLE);
	va_list values;

	m->per_unit = true;
	m->values = mem_zeroed(run->n_samples, sizeof(*m->values));
	va_start(values, name);
	for (size_t i = 0; i < run->n_samples; i++)
		m->values[i].integer = va_arg(values, int);
	va_end(values);
	return m;
}

#endif
