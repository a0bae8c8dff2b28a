/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went on around a sample: time that interrupts and a hypervisor took, energy,
 * and whether the CPUs were slowed down for their heat.
 */
#ifndef MEASURE_SURROUNDINGS_H
#define MEASURE_SURROUNDINGS_H

#include <stdint.h>

#define SURROUNDINGS 4

enum surrounding {
	AROUND_SOFTIRQ,   /* ns, of all CPUs together; in steps of 1 or 10 ms */
	AROUND_STEAL,     /* ns that a hypervisor gave to others, likewise */
	AROUND_ENERGY,    /* uJ, of all packages */
	AROUND_THROTTLES, /* times that a CPU saw its package slowed down for its heat */
};

/* Packages, or the sensors of their energy. */
#define SURROUNDINGS_DOMAINS 16

struct surroundings {
	int status[SURROUNDINGS]; /* 0, or -errno: this machine does not tell */
	uint64_t values[SURROUNDINGS];
	/* Energy by domain, as each wraps by itself; range 0: it does not. */
	uint64_t energy_uj[SURROUNDINGS_DOMAINS], range_uj[SURROUNDINGS_DOMAINS];
	unsigned int n_domains;
};

/* Reads /proc/stat and /sys below root. */
void surroundings_read(const char *root, struct surroundings *ret);

/* 0; -ENODATA: one of them does not tell; -ERANGE: it went backwards. Pure. */
int surroundings_delta(const struct surroundings *before, const struct surroundings *after,
	enum surrounding which, int64_t *ret);

/* Ticks of softirq and steal of all CPUs, from the text of /proc/stat. 0 or -EINVAL. Pure. */
int surroundings_parse_stat(const char *text, uint64_t *ret_softirq, uint64_t *ret_steal);

/* Why it is unavailable, and the fix; a constant. */
const char *surroundings_explain(enum surrounding which, int status);

#endif
