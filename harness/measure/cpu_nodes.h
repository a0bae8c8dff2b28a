/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which memory node each CPU belongs to. */
#ifndef MEASURE_CPU_NODES_H
#define MEASURE_CPU_NODES_H

#include "measure/cpulist.h"

/*
 * The node of each of cpus, from /sys/devices/system/node below root; freed by
 * the caller. NULL: the kernel knows no nodes, or not of each of these CPUs.
 */
int *cpu_nodes_read(const char *root, const struct cpulist *cpus);

#endif
