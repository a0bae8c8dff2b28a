/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which functions of the kernel a window spent its time: hits of the
 * sampling, by function and by group. The sampling error of a share p of n
 * hits is sqrt(p * (1 - p) / n).
 */
#ifndef MEASURE_PROFILE_H
#define MEASURE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/cpulist.h"
#include "measure/hotspots.h"

struct profile;

struct profile_counts {
	uint64_t hits; /* that are counted: none of CPUs that idled */
	uint64_t lost; /* or SAMPLING_LOST_UNKNOWN */
	uint64_t groups[HOTSPOT_GROUPS];
	uint64_t watched[HOTSPOTS_WATCHED];
};

struct profile_function {
	const char *name; /* without the compiler's suffix; valid until the next start */
	uint64_t hits;
};

/*
 * Of all tasks on these CPUs; NULL: of the calling thread. 0, or -errno with
 * reason and fix in err: no right to sample, or to see the kernel's symbols.
 */
int profile_open(const char *root, const struct cpulist *cpus, struct profile **ret,
	struct err *err);
void profile_close(struct profile *p); /* accepts NULL */

/* "perf cpu-clock 397 Hz, thread" */
void profile_source(const struct profile *p, char *ret, size_t bytes);

/* Whether the kernel has it as a function; if not, its time is its callers'. */
bool profile_has(const struct profile *p, size_t watched);

void profile_start(struct profile *p); /* forgets what was counted before */
void profile_stop(struct profile *p);

const struct profile_counts *profile_counts(const struct profile *p);

/* Whether so many hits were lost, above 1 %, that shares would mislead. */
bool profile_is_void(const struct profile_counts *c);

/*
 * The call chains, as flame graphs take them, one a line: "top;outer;inner 12", most
 * hits first. What is inlined is found by its callers here. Freed by the caller.
 */
char *profile_folded(const struct profile *p, const char *top);

/* The functions that are not watched with most hits; returns how many. */
size_t profile_top(const struct profile *p, struct profile_function *ret, size_t most);

#endif
