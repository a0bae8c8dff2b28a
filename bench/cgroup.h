/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory cgroup of a workload with NEED_CGROUP: b->cgroup. */
#ifndef BENCH_CGROUP_H
#define BENCH_CGROUP_H

#include "common.h"

struct cgroup {
	bool by_bytes;           /* memory.reclaim, and not force_empty */
	int reclaim_fd, stat_fd; /* -1: not open */
};

/*
 * What this process uses first from here on is charged to the cgroup; after
 * leave, to the one above it, where that is allowed.
 */
int cgroup_join(struct bench *b);
void cgroup_leave(struct bench *b);

void cgroup_init(struct cgroup *c);
/* Opens what reclaims: -EOPNOTSUPP where this kernel has neither way. */
int cgroup_open(struct bench *b, struct cgroup *c);
void cgroup_close(struct cgroup *c); /* accepts one that was only init */

/* Once; version 1 reclaims all. That less could be reclaimed is no failure. */
int cgroup_reclaim(struct bench *b, const struct cgroup *c, uint64_t bytes);

/* The memory that may be used in it: memory.max, or memory.limit_in_bytes; 0: any. */
int cgroup_set_limit(const struct bench *b, uint64_t bytes);

/* Processes in it that the kernel has killed for want of memory; 0 where it does not tell. */
uint64_t cgroup_oom_kills(const struct bench *b);

#endif
