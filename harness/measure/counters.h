/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perf counters: with sampling.h, the wrapper of libperf. Each event is opened
 * by itself, so that one which this machine has not costs only itself. Those of
 * the calling thread count user and kernel mode, apart where their name says so;
 * those of an uncore PMU count what all CPUs do.
 */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counters;

/* The name of the event that counts SMIs. */
#define COUNTERS_SMIS "smis"

/* A count is nothing without how long it was counted: scale by enabled/running. */
struct counter_value {
	uint64_t count; /* wraps */
	uint64_t enabled_ns;
	uint64_t running_ns; /* 0: the event never got onto the PMU, there is no count */
};

struct counter_info {
	const char *name;        /* "cycles:k" */
	const char *unit;        /* "ns" for task_clock, else "events" */
	const char *source;      /* "perf_event_open", "perf amd-zen.events tlb_flushes" */
	const char *tells;       /* of those of a set: what; else NULL */
	const char *unavailable; /* why it could not be opened, and the fix; or NULL */
};

/*
 * Opens what exists everywhere, and the set of this CPU (event_set.h). Events that
 * fail say so in their info. More events than the CPU has counters are divided into
 * groups, of which one is counted in each sample, if there are as many samples as
 * groups; else they take turns. root, of /proc and /sys, must outlive them. 0 or -ENOMEM.
 */
int counters_open(const char *root, unsigned int n_samples, struct counters **ret);
void counters_close(struct counters *c); /* accepts NULL */

size_t counters_count(const struct counters *c);
struct counter_info counters_info(const struct counters *c, size_t i);

/* Whether it is counted in this sample. */
bool counters_is_on(const struct counters *c, size_t i, unsigned int sample);

void counters_start(struct counters *c, unsigned int sample);
void counters_stop(void); /* all of them, in one system call */

/* The count since counters_open(). 0 or -errno. */
int counters_read(const struct counters *c, size_t i, struct counter_value *ret);

/*
 * What was counted between two readings, across a wrap too. 0; -ENODATA: the event did
 * not run in between, so that there is no count; a 0 of one that ran is a count.
 * -ERANGE: a count or a time went backwards. Pure.
 */
int counters_delta(const struct counter_value *before, const struct counter_value *after,
	struct counter_value *ret);

/* How many hardware events the CPU below root surely counts at once. */
size_t counters_at_once(const char *root);

/*
 * The group of hardware event i of n: as many in each as the CPU surely can count at
 * once. *ret_groups is at least 1. Pure.
 */
size_t counters_group(size_t i, size_t n, size_t at_once, size_t *ret_groups);

#endif
