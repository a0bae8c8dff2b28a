/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two sides of an experiment, for tests: a value for each boot. */
#ifndef SAMPLE_ARMS_H
#define SAMPLE_ARMS_H

#include <stdbool.h>

#include "base/mem.h"
#include "verdicts/compare.h"

/* A run of n_boots boots with n samples each: numbers from first_boot on, blocks
 * from 1 on. */
static inline struct run *arm_run(struct record *r, const char *workload, size_t n_boots,
	size_t n, unsigned int first_boot)
{
	struct run *run = record_add_run(r, workload, 1, "page");

	run->n_samples = n_boots * n;
	run->places = mem_zeroed(run->n_samples, sizeof(*run->places));
	run->work = mem_zeroed(run->n_samples, sizeof(*run->work));
	for (size_t i = 0; i < run->n_samples; i++) {
		run->places[i] = (struct place){ .boot = first_boot + (unsigned int)(i / n),
			.block = (unsigned int)(i / n) + 1,
			.iteration = (unsigned int)(i % n) };
		run->work[i] = 1;
	}
	return run;
}

/* Real values, one for each sample; lower is better. */
static inline struct metric *arm_metric(struct run *run, const char *name, const char *unit,
	enum metric_kind kind, const double *values)
{
	struct metric *m = run_add_metric(run, name, unit, "test", BETTER_LOWER, kind);

	m->values = mem_zeroed(run->n_samples, sizeof(*m->values));
	for (size_t i = 0; i < run->n_samples; i++)
		m->values[i] = (struct number){ .is_real = true, .real = values[i] };
	return m;
}

#endif
