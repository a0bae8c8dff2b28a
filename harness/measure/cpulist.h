/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs or nodes as the kernel prints them: "0-3,8,10-12". Pure. */
#ifndef MEASURE_CPULIST_H
#define MEASURE_CPULIST_H

#include <stddef.h>

/* Sorted, without doubles. A zeroed one is the empty list. */
struct cpulist {
	int *ids;
	size_t count;
};

/*
 * Parses one line; an empty one is the empty list. 0, or -EINVAL for anything
 * else (words, 3-1, numbers beyond 65535), -ENOMEM.
 */
int cpulist_parse(const char *text, struct cpulist *ret);

/* Reads such a file, for example "/sys/devices/system/cpu/online" below root. */
int cpulist_read(const char *root, const char *path, struct cpulist *ret);

/* -1 where it is not a member. */
int cpulist_index(const struct cpulist *list, int id);

/* In the kernel's form; freed by the caller. */
char *cpulist_format(const struct cpulist *list);

void cpulist_clear(struct cpulist *list);

#endif
