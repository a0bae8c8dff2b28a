/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory nodes that a workload moves pages between. */
#ifndef BENCH_NODES_H
#define BENCH_NODES_H

#include "common.h"

/*
 * ret: two nodes with memory, from and to as they were asked for; a
 * BENCH_NODE_AUTO becomes the one nearest to the CPU that the other is not.
 * -EOPNOTSUPP, with the reason, where the machine has not these; -EINVAL where
 * they are one.
 */
int nodes_choose(struct bench *b, uint64_t from, uint64_t to, int ret[2]);

/* As the system calls of memory policy want it. */
struct node_mask {
	unsigned long words[BENCH_NODES_MAX / (8 * sizeof(unsigned long))];
};
#define NODE_MASK_BITS (BENCH_NODES_MAX + 1) /* the kernel takes one off */
void node_mask_add(struct node_mask *mask, int node);

#endif
