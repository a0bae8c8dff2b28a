/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages moved between two memory nodes by move_pages(2). */
#ifndef BENCH_MOVER_H
#define BENCH_MOVER_H

#include "common.h"

#define MOVER_BATCH_MAX 512

struct mover {
	unsigned char *memory;
	size_t bytes, pages;
	size_t batch;     /* pages of each call */
	int nodes[2];     /* where the pages are at rest, and the other */
	void **addresses; /* of each page */
	int *targets[2];  /* batch times the same node: what move_pages wants */
	int *status;      /* one for each page */
	uint64_t moved;   /* as the calls told; the owner sets it to 0 */
};

/*
 * memory and nodes are the caller's; batch is at most pages, 0: all, up to
 * MOVER_BATCH_MAX. Automatic NUMA balancing leaves the memory alone from here
 * on. -EOPNOTSUPP: no NUMA in this kernel.
 */
int mover_init(struct bench *b, struct mover *m, unsigned char *memory, size_t bytes,
	size_t batch, const int nodes[2]);
void mover_clear(struct mover *m); /* accepts one that is all 0 */

/* To nodes[way]. What could not be moved is no failure: see moved. */
int mover_move(struct bench *b, struct mover *m, int way);

/* Whether at least 95 % of the pages lie on nodes[0]: 0 or -EIO. */
int mover_check_home(struct bench *b, struct mover *m);

/* From verify(): whether the kernel counts as many pages moved as asked: 0, -EIO, -ENODATA. */
int mover_check_counted(struct bench *b, uint64_t asked);

#endif
