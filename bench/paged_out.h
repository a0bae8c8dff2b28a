/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paging out, and the proof of it, for workloads with NEED_SWAP. */
#ifndef BENCH_PAGED_OUT_H
#define BENCH_PAGED_OUT_H

#include <sys/mman.h>

#include "common.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* MADV_PAGEOUT; outside the clock. What stays in memory is no failure. */
int page_out(struct bench *b, void *memory, size_t bytes);

/*
 * Called from verify(): memory is not resident, and since run() began as many
 * pages as asked went to swap. clean: they may also have been read back from it
 * and dropped, their copy on the disk being kept. 0, or a failure with its reason.
 */
int paged_out_check(
	struct bench *b, void *memory, size_t bytes, uint64_t asked, bool clean);

/* How many of the pages are in memory, by mincore; negative: a failure. */
int64_t paged_in_count(struct bench *b, void *memory, size_t bytes);

#endif
