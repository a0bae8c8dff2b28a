/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record: one result file in memory. What each key of the file means
 * stands in results/README.md; this is its C form, and everything else speaks
 * to result files through it.
 *
 * A metric keeps raw numbers only. Its value for sample i is
 *
 *	values[i] * (enabled[i] / running[i], where given) / (work[i], if per_unit)
 *
 * and record_value() is the one place that computes it.
 */
#ifndef VERDICTS_RECORD_H
#define VERDICTS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define RECORD_SCHEMA "shootdown-result-1"

/* A name with a text or an integer. Owns its strings. */
struct field {
	char *name;
	char *text; /* NULL: number counts */
	int64_t number;
};

struct fields {
	struct field *items; /* in the order of the file */
	size_t count;
};

enum run_status {
	RUN_OK,
	RUN_SKIPPED,    /* this machine cannot; has reason and fix, no samples */
	RUN_INVALID,    /* the proof of work failed; has a reason */
	RUN_FAILED,     /* setup or run failed, or the process died; has a reason */
	RUN_INCOMPLETE, /* interrupted; the samples so far are kept */
};

enum metric_better { BETTER_LOWER, BETTER_HIGHER, BETTER_NONE };
enum metric_kind { KIND_SAMPLE, KIND_EXACT, KIND_SHARE };

/* A number that stays an integer if it was one. */
struct number {
	bool is_real;
	union {
		int64_t integer;
		double real;
	};
};

/* The same values divided among CPUs; values[sample * n_cpus + cpu]. */
struct by_cpu {
	int *cpus;  /* the kernel's CPU numbers */
	int *nodes; /* of each of cpus; NULL: not known */
	size_t n_cpus;
	int64_t *values;
};

struct metric {
	char *name;
	char *unit;   /* of record_value(), as "ns/page" */
	char *source; /* where it was read: "clock_gettime", "/proc/interrupts TLB" */
	enum metric_better better;
	enum metric_kind kind;
	bool per_unit;         /* divided by the run's work */
	bool emulated;         /* a duration of an emulator: recorded, never judged */
	char *unavailable;     /* the reason; then there are no values */
	struct number *values; /* one for each sample of the run */
	uint64_t *enabled_ns;  /* perf: time enabled and running; or both NULL */
	uint64_t *running_ns;
	struct by_cpu *by_cpu; /* or NULL */
};

/* Where a sample stands in the experiment; block and boot are 0 natively. */
struct place {
	unsigned int block, boot, process, iteration;
	bool warmup; /* kept, and left out of every statistic */
};

struct run {
	char *workload;
	unsigned int revision;
	char *unit; /* "page" */
	enum run_status status;
	char *reason, *fix; /* or NULL */
	struct fields params;
	size_t n_samples;
	struct place *places;
	uint64_t *work; /* units done in each sample */
	struct metric *metrics;
	size_t n_metrics;
};

struct record {
	bool complete; /* false: interrupted before the last workload */
	struct fields identity, subject, state;
	struct run *runs;
	size_t n_runs;
};

void fields_set_text(struct fields *f, const char *name, const char *text);
void fields_set_number(struct fields *f, const char *name, int64_t number);
const struct field *fields_find(const struct fields *f, const char *name); /* or NULL */
void fields_clear(struct fields *f);

struct record *record_new(void);
void record_free(struct record *r); /* accepts NULL */

/* Appends; the returned object belongs to the record until the next append. */
struct run *record_add_run(
	struct record *r, const char *workload, unsigned int revision, const char *unit);
struct metric *run_add_metric(struct run *run, const char *name, const char *unit,
	const char *source, enum metric_better better, enum metric_kind kind);
struct metric *run_find_metric(const struct run *run, const char *name); /* or NULL */

/*
 * See above. sample < run->n_samples, and the metric has values. NAN where
 * there is nothing to divide by: the counter never ran, or no unit was done.
 */
double record_value(const struct run *run, const struct metric *m, size_t sample);

/*
 * Reads a result file, which may come from anywhere and hold anything.
 * 0, or -errno and one line that names the file and what is wrong where:
 * -ENOENT and the like from the system, -EBADMSG for what is no whole JSON
 * text (with line and column), -EPROTO for JSON that is no result (another
 * schema, a missing key, a wrong type, a number out of range, sample columns
 * of different lengths, a duplicate key).
 */
int record_load(const char *path, struct record **ret, struct err *err);
int record_parse(const char *name, const char *text, size_t bytes, struct record **ret,
	struct err *err);

/* Writes the file whole, through a temporary name. */
int record_save(const struct record *r, const char *path, struct err *err);

#endif
