/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoint that fires at each flush, counted on all CPUs by what it says of it:
 * tlb:tlb_flush by its reason; of powerpc powerpc:tlbie, by whether it is local.
 * Counting it costs time at each flush, so it is never open while a sample is timed.
 */
#ifndef MEASURE_TLBTRACE_H
#define MEASURE_TLBTRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/cpulist.h"

struct tlbtrace;

struct tlbtrace_kind {
	const char *metric; /* "tlb_flush:remote_shootdown" */
	const char *filter; /* of the tracepoint's fields */
};

/* Ended by one without a metric. */
extern const struct tlbtrace_kind tlbtrace_kinds[];
#define TLBTRACE_KINDS_MAX 6

extern const char tlbtrace_source[]; /* "tracepoint tlb:tlb_flush" */

/*
 * 0; -ENOENT: no tracefs, or no such tracepoint in this kernel; -EACCES: not
 * permitted; -EOPNOTSUPP: it exists and never fires on this architecture;
 * -EMFILE: too many CPUs for the limit of open files. Each with reason and fix
 * in err. tracefs is mounted detached where it is not mounted, so that nothing
 * is left behind.
 */
int tlbtrace_open(const struct cpulist *cpus, struct tlbtrace **ret, struct err *err);
void tlbtrace_close(struct tlbtrace *t); /* accepts NULL */

/* Flushes so far by kind, over all CPUs. 0 or -errno. */
int tlbtrace_read(const struct tlbtrace *t, uint64_t ret[TLBTRACE_KINDS_MAX]);

#endif
