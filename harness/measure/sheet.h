/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the measuring process writes and the harness reads: the samples of one
 * workload in memory that both share, so that the ones taken survive whatever
 * happens to the process.
 */
#ifndef MEASURE_SHEET_H
#define MEASURE_SHEET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/cpulist.h"
#include "verdicts/record.h"

#define SHEET_METRICS_MAX 160
#define SHEET_NO_VALUE INT64_MIN /* this sample has no number for the metric */

struct sheet_metric {
	char name[64];
	char unit[32];
	char source[64];
	char unavailable[256]; /* the reason; "" if there are values */
	enum metric_better better;
	bool per_unit;
	bool exact;   /* KIND_EXACT, not KIND_SAMPLE */
	bool scaled;  /* has enabled_ns and running_ns */
	int by_cpu;   /* which of the by-CPU tables, or -1 */
	int share_of; /* KIND_SHARE: values are parts of this metric's; or -1 */
};

struct sheet_value {
	int64_t value;
	uint64_t enabled_ns, running_ns;
};

#define SHEET_BY_CPU_MAX 4

struct sheet {
	/* Written by the measuring process; the harness reads the first two at any time. */
	_Atomic unsigned int n_done; /* samples that are whole, warm-up included */
	_Atomic uint64_t started_ns; /* CLOCK_MONOTONIC of the last step forward */
	enum run_status status;      /* RUN_INCOMPLETE until it has ended by itself */
	char reason[256], fix[256];
	size_t n_metrics;
	struct sheet_metric metrics[SHEET_METRICS_MAX];

	/* Written by the harness. */
	atomic_bool stop;                 /* end after the running sample */
	unsigned int n_warmup, n_samples; /* wanted */
	size_t n_cpus;
	size_t bytes;

	/* Behind this: n_slots samples. */
	unsigned char slots[] __attribute__((aligned(64)));
};

struct sheet_slot {
	uint64_t work; /* units done */
	bool warmup;
	struct sheet_value values[SHEET_METRICS_MAX];
	int64_t by_cpu[]; /* SHEET_BY_CPU_MAX tables of n_cpus */
};

/* NULL: no memory. */
struct sheet *sheet_new(unsigned int n_warmup, unsigned int n_samples, size_t n_cpus);
void sheet_free(struct sheet *sheet); /* accepts NULL */

struct sheet_slot *sheet_slot(struct sheet *sheet, size_t i);

/* Appends a metric; the last argument of its name, unit: the workload's unit. */
struct sheet_metric *sheet_add(
	struct sheet *sheet, const char *name, const char *unit, const char *source);

/* Whether the metric ran in at least one sample so far, and was 0 in each. */
bool sheet_stayed_zero(struct sheet *sheet, size_t metric);

/*
 * Turns what was measured into a run of the record. cpus: of the by-CPU columns;
 * nodes: of each of them, or NULL.
 */
void sheet_to_run(
	struct sheet *sheet, const struct cpulist *cpus, const int *nodes, struct run *run);

#endif
