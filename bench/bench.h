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

enum param_type {
	PARAM_COUNT,   /* whole number */
	PARAM_BYTES,   /* bytes with an optional K, M or G (powers of 1024); whole pages */
	PARAM_CHOICE,  /* one of choices; its value is the index */
	PARAM_CPU,     /* number of an online CPU, or "auto" */
	PARAM_THREADS, /* 0 to the number of other CPUs, which "max" stands for */
	PARAM_NODE,    /* number of a memory node, or "auto": BENCH_NODE_AUTO */
};
#define BENCH_NODE_AUTO UINT64_MAX
#define BENCH_NODES_MAX 1024 /* nodes are numbered below this */

struct param {
	const char *name; /* NULL ends a table */
	enum param_type type;
	const char *preset;         /* the default, as a user would type it */
	const char *unit;           /* shown to people; NULL where there is none */
	uint64_t min, max;          /* both allowed; for COUNT and BYTES */
	const char *const *choices; /* for CHOICE, ended by NULL */
	const char *help;
};

#define BENCH_PHASES_MAX 4

/* What the machine must have; the harness makes it or skips the workload. */
enum bench_need {
	NEED_SWAP = 1 << 0,   /* active swap with room for footprint() */
	NEED_CGROUP = 1 << 1, /* b->cgroup */
};

struct bench;

struct workload {
	const char *name;
	const char *summary;   /* one line: what one operation does */
	const char *path;      /* the kernel path that it exercises */
	const char *unit;      /* what is counted, in the singular: "page", "op" */
	unsigned int revision; /* raised when the timed code changes */
	unsigned int needs;    /* enum bench_need */
	const struct param *params;
	/* Parts of an operation that are timed apart, ended by NULL; or NULL. */
	const char *const *phases;
	/* At most BENCH_METRICS_MAX, ended by one without a name; or NULL. */
	const struct bench_metric *metrics;

	/* Bytes of memory that setup will use. NULL: too few to matter. */
	uint64_t (*footprint)(const struct bench *b);
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
	const uint64_t *values; /* one for each of workload->params */
	uint64_t seed;          /* of the page patterns */
	size_t page_bytes;      /* the system's page size */
	int cpu;                /* the measuring thread's */
	const int *other_cpus;  /* allowed and online, without cpu */
	size_t n_other_cpus;
	const int *nodes; /* with memory, and allowed; the nearest to cpu first */
	size_t n_nodes;
	const char *cgroup; /* folder of an empty memory cgroup of its own, or NULL */

	/*
	 * How far the event counter of /proc/vmstat grew over the last run():
	 * 0, or -ENODATA where this kernel does not count it.
	 */
	int (*vmstat_delta)(const struct bench *b, const char *name, uint64_t *ret_delta);
	const void *harness; /* for vmstat_delta only */

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
