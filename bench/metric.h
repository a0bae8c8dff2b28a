/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of the contract (bench.h): what a workload reads of its own in each sample. */
#ifndef BENCH_METRIC_H
#define BENCH_METRIC_H

#include <stdbool.h>

enum bench_better { BENCH_LOWER, BENCH_HIGHER, BENCH_NEITHER };

struct bench_metric {
	const char *name; /* NULL ends a table */
	/* Of a value. From "ns" on it is a duration, which of an emulator is not judged. */
	const char *unit;
	const char *source; /* where it is read */
	enum bench_better better;
	bool per_unit; /* a total, to be divided by the units done: name_per_UNIT */
	bool exact;    /* a count that does not vary: any difference is one */
};
#define BENCH_METRICS_MAX 8

#endif
