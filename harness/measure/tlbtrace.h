/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoint tlb:tlb_flush, counted on all CPUs by its reason. Counting it
 * costs time at each flush, so it is never open while a sample is timed.
 */
#ifndef MEASURE_TLBTRACE_H
#define MEASURE_TLBTRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/cpulist.h"

struct tlbtrace;

/* Names by enum tlb_flush_reason (include/linux/mm_types.h), ended by NULL. */
extern const char *const tlbtrace_reasons[];
#define TLBTRACE_REASONS 6

/*
 * 0; -ENOENT: no tracefs, or no such tracepoint in this kernel; -EACCES: not
 * permitted; -EOPNOTSUPP: it exists and never fires on this architecture;
 * -EMFILE: too many CPUs for the limit of open files. Each with reason and fix
 * in err. tracefs is mounted detached where it is not mounted, so that nothing
 * is left behind.
 */
int tlbtrace_open(const struct cpulist *cpus, struct tlbtrace **ret, struct err *err);
void tlbtrace_close(struct tlbtrace *t); /* accepts NULL */

/* Flushes so far by reason, over all CPUs. 0 or -errno. */
int tlbtrace_read(const struct tlbtrace *t, uint64_t ret[TLBTRACE_REASONS]);

#endif
