/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events as the kernel itself describes them, below
 * /sys/bus/event_source/devices: uncore and mesh PMUs, and those of arm64 cores.
 */
#ifndef MEASURE_PMU_H
#define MEASURE_PMU_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/cpulist.h"

/* What perf_event_open() takes. */
struct event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	/* Of an uncore PMU, those on which it is counted, for all; else none. */
	struct cpulist cpus;
};
void event_code_clear(struct event_code *c);

/*
 * An event of a PMU below root. 0; -ENOENT: no such PMU or event; -EINVAL: a
 * description that this cannot read; each with a line.
 */
int pmu_encode(const char *root, const char *pmu, const char *event, struct event_code *ret,
	struct err *err);

/*
 * PMUs that fit the glob, sorted; returns how many. The caller frees each, and
 * the list.
 */
size_t pmu_list(const char *root, const char *glob, char ***ret);

/*
 * Puts value where format says, as "config:0-7,32-35" or "config1:4". 0; -EINVAL: no
 * such format, or the value does not fit into it. Pure.
 */
int pmu_place(const char *format, uint64_t value, struct event_code *code);

#endif
