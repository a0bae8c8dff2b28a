/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract of a workload. A workload is one file that knows this page and
 * its neighbours (common.h), and nothing of the harness: it owns a loop over one
 * kernel path, the state that the loop needs, and the proof that the loop did
 * what its name says. The harness owns iteration, warm-up, clock and counters.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric.h"
#include "param.h"

#define BENCH_PHASES_MAX 4

/* What the machine must have; the harness makes it or skips the workload. */
enum bench_need {
	NEED_SWAP = 1 << 0,   /* active swap with room for footprint() and more_swap() */
	NEED_CGROUP = 1 << 1, /* b->cgroup */
	NEED_COLD = 1 << 2,   /* the caches of files are dropped before each run() */
};

struct bench;

struct workload {
	const char *name;
	const char *summary;   /* one line: what one operation does */
	const char *path;      /* the kernel path that it exercises */
	const char *unit;      /* what is counted, in the singular: "page", "op" */
	unsigned int revision; /* raised when the timed code changes */
	unsigned int needs;    /* enum bench_need */
	/* Those that depend on the parameters; or NULL. */
	unsigned int (*more_needs)(const struct bench *b);
	const struct param *params;
	/* Parts of an operation that are timed apart, ended by NULL; or NULL. */
	const char *const *phases;
	/* At most BENCH_METRICS_MAX, ended by one without a name; or NULL. */
	const struct bench_metric *metrics;

	/* Bytes of memory that setup will use. NULL: too few to matter. */
	uint64_t (*footprint)(const struct bench *b);
	/* Bytes that will have to go to swap besides. NULL: none. */
	uint64_t (*more_swap)(const struct bench *b);
	/* Bytes of files that setup will make on a disk. NULL: none. */
	uint64_t (*disk)(const struct bench *b);
	/* Called once in the measuring process, pinned to b->cpu. Sets b->units_per_op. */
	int (*setup)(struct bench *b);
	/* Timed. Performs exactly n operations; adds to b->phase_ns. */
	int (*run)(struct bench *b, uint64_t n);
	/*
	 * Called after each run(b, n), outside the clock: proves that the n
	 * operations took effect, and brings the state back to that before run.
	 * On failure the sample is invalid; -EAGAIN: not by a fault of the kernel,
	 * and taking it again may help. NULL: nothing to prove.
	 */
	int (*verify)(struct bench *b, uint64_t n);
	/* Called once if setup was, also after its failure. May be NULL. */
	void (*teardown)(struct bench *b);
};

/* One workload being run. The harness fills it; a workload writes where said. */
struct bench {
	const struct workload *workload;
	const uint64_t *values;   /* one for each of workload->params */
	const char *const *texts; /* likewise; NULL but for PARAM_FILES */
	uint64_t seed;            /* of the page patterns */
	size_t page_bytes;        /* the system's page size */
	int cpu;                  /* the measuring thread's */
	const int *other_cpus;    /* allowed and online, without cpu */
	size_t n_other_cpus;
	const int *nodes; /* with memory, and allowed; the nearest to cpu first */
	size_t n_nodes;
	const char *cgroup; /* folder of an empty memory cgroup of its own, or NULL */

	/*
	 * How far the event counter of /proc/vmstat grew over the last run():
	 * 0, or -ENODATA where this kernel does not count it.
	 */
	int (*vmstat_delta)(const struct bench *b, const char *name, uint64_t *ret_delta);
	/* Says that a step which takes minutes goes on, and does not hang. */
	void (*alive)(const struct bench *b);
	const void *harness; /* for these two only */

	uint64_t units_per_op;               /* written by setup */
	uint64_t phase_ns[BENCH_PHASES_MAX]; /* added to by run */
	/* One for each of workload->metrics; 0 before run, written by run or verify. */
	int64_t metric[BENCH_METRICS_MAX];
	/* Not "" when a sample is taken: why the run has none. Written likewise, or by setup. */
	char no_metric[BENCH_METRICS_MAX][128];
	void *state;      /* the workload's own */
	char reason[256]; /* written through bench_fail, bench_skip */
	char fix[256];
};

/* All workloads, sorted by name, ended by NULL. */
extern const struct workload *const workloads[];

#endif
