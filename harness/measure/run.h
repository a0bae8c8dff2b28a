/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one workload in a process of its own and puts what was measured into a
 * record: warm-up and samples, each in its window and with its proof.
 */
#ifndef MEASURE_RUN_H
#define MEASURE_RUN_H

#include "measure/machine.h"
#include "measure/spec.h"
#include "measure/topology.h"
#include "measure/window.h"
#include "verdicts/record.h"

struct run_plan {
	struct window_plan window;
	const struct topology *topology;
	size_t page_bytes;
	unsigned int n_warmup, n_samples; /* n_samples at least 1 */
	uint64_t budget_ns; /* of all samples together, for specs without iterations */
	uint64_t seed;      /* of the page patterns */
	/* Why workloads that need swap are skipped, and the fix; NULL: there is swap. */
	const char *no_swap, *no_swap_fix;
	/* Likewise of those that need a cgroup, which is this folder. */
	const char *no_cgroup, *no_cgroup_fix, *cgroup;
	int cgroup_version;
	/* Why those whose caches are to be dropped are skipped; NULL: by this machine. */
	const char *no_cold;
	const struct machine *machine;

	/* Called a few times a second; may be NULL. */
	void (*progress)(void *arg, unsigned int n_done, unsigned int n_wanted);
	/* True: end after the running sample, or kill it when it takes long. */
	bool (*stop)(void *arg);
	void *arg;
};

/*
 * Appends one run to record, whatever becomes of it: its status tells.
 * 0; -EINTR where stop() said so; -errno where no process could be made.
 */
int run_workload(const struct spec *spec, const struct run_plan *plan,
	struct record *record, struct err *err);

/*
 * Operations of a sample; 0: as many as fill its time. The one sample of a
 * profile has to be long enough to be hit often, whatever was asked for.
 */
uint64_t run_iterations(const struct spec *spec, const struct run_plan *plan);

/* Bytes that the workload will use of memory and of swap, and of files that it will make. */
uint64_t run_footprint(const struct spec *spec, size_t page_bytes);
uint64_t run_swap(const struct spec *spec, size_t page_bytes);
uint64_t run_disk(const struct spec *spec, size_t page_bytes);

/* enum bench_need, with these parameters. */
unsigned int run_needs(const struct spec *spec);

#endif
