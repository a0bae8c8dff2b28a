/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, caches and nodes of this machine; the wrapper of hwloc. */
#ifndef MEASURE_TOPOLOGY_H
#define MEASURE_TOPOLOGY_H

#include <stddef.h>

#include "base/err.h"
#include "cpulist.h"

struct topology;

/* -EIO or -ENOMEM where hwloc cannot make out the machine. */
int topology_open(struct topology **ret, struct err *err);
void topology_close(struct topology *t); /* accepts NULL */

/* The CPUs that are online and that this process may run on; never empty. */
const struct cpulist *topology_cpus(const struct topology *t);

/* The nodes that have memory and that this process may allocate from. */
const struct cpulist *topology_memory_nodes(const struct topology *t);

/*
 * topology_cpus() without cpu, those that share most with it first (SMT
 * siblings, then caches, then package and node). *ret_cpus is freed by the
 * caller. -EINVAL where cpu is not one of topology_cpus().
 */
int topology_others(const struct topology *t, int cpu, int **ret_cpus, size_t *ret_count);

/*
 * topology_memory_nodes(), the nearest to cpu first (by the firmware's
 * latencies; its own before all). *ret_nodes is freed by the caller. -EINVAL as
 * above.
 */
int topology_near_nodes(
	const struct topology *t, int cpu, int **ret_nodes, size_t *ret_count);

/*
 * One line that tells machines apart and is the same at each boot, as
 * "1 package, 4 cores, 8 threads, 2 nodes, L1d 32K x4, L2 512K x4, L3 16M x1".
 * Of the whole machine, whatever this process is allowed.
 */
const char *topology_text(const struct topology *t);

#endif
