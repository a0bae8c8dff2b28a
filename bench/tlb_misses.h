/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLB misses of threads that a workload starts: the harness counts the measuring one's. */
#ifndef BENCH_TLB_MISSES_H
#define BENCH_TLB_MISSES_H

#include <stdint.h>

/*
 * Counts the calling thread's loads, in user mode, that missed the data TLB:
 * a descriptor for close(2), or -errno where this CPU offers no such count.
 */
int tlb_misses_open(void);

/* From any thread: the count since open, scaled to the whole time. 0 or -errno. */
int tlb_misses_read(int fd, uint64_t *ret);

#endif
