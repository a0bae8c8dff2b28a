/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory readers need, and how much more than that their models take. */
#ifndef BENCH_READER_MEMORY_H
#define BENCH_READER_MEMORY_H

#include "reader_group.h"

/* What they share for their pages: the limit, or, without one, the machine's. */
uint64_t reader_memory(const struct bench *b, uint64_t limit);

/* What all processes together read in one pass each. */
uint64_t reader_pass_bytes(const struct reader_plan *plan);

/*
 * Whether anything would be reclaimed, and the readers would live: 0; -EINVAL
 * for a limit that the models fit into; -EOPNOTSUPP, with the reason, for one
 * below the working minimum on this disk, and for too much memory without one.
 */
int reader_check_memory(struct bench *b, const struct reader_plan *plan, uint64_t limit);

/*
 * The least that passes, from empty caches on, read from the disk more than
 * once, in bytes: none finds more of its model in memory than all of that.
 */
uint64_t reader_least_again(
	const struct reader_plan *plan, uint64_t memory, uint64_t passes);

/* Likewise, the least that has to be reclaimed for it. */
uint64_t reader_least_reclaimed(
	const struct reader_plan *plan, uint64_t memory, uint64_t passes);

#endif
