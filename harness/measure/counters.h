/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perf counters of the calling thread: with sampling.h, the wrapper of libperf. Each event
 * is opened by itself, so that one which this machine has not costs only
 * itself; user and kernel mode are counted apart.
 */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

struct counters;

/* A count is nothing without how long it was counted: scale by enabled/running. */
struct counter_value {
	int64_t count;
	uint64_t enabled_ns;
	uint64_t running_ns; /* 0: the event never got onto the PMU, there is no count */
};

struct counter_info {
	const char *name;        /* "cycles:k" */
	const char *unit;        /* "ns" for task_clock, else "events" */
	const char *unavailable; /* why it could not be opened, and the fix; or NULL */
};

/* Opens the default group. Events that fail say so in their info. 0 or -ENOMEM. */
int counters_open(struct counters **ret);
void counters_close(struct counters *c); /* accepts NULL */

size_t counters_count(void);
struct counter_info counters_info(const struct counters *c, size_t i);

/* All of them on, or off, in one system call. */
void counters_start(void);
void counters_stop(void);

/* The count since counters_open(). 0 or -errno. */
int counters_read(const struct counters *c, size_t i, struct counter_value *ret);

#endif
