/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log-linear counts of whole numbers: each power of two is divided into
 * HISTOGRAM_PARTS parts of equal width, so that a number is known to 1/32 of
 * itself; those below HISTOGRAM_PARTS are exact. Pure.
 */
#ifndef BENCH_HISTOGRAM_H
#define BENCH_HISTOGRAM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_PARTS ((size_t)32)
#define HISTOGRAM_BITS 40 /* what needs more is counted as the greatest */
#define HISTOGRAM_CELLS ((HISTOGRAM_BITS - 5 + 1) * HISTOGRAM_PARTS)

/*
 * One thread adds; another may read or clear meanwhile, and then gets or loses
 * a number at the edge.
 */
struct histogram {
	_Atomic uint32_t cells[HISTOGRAM_CELLS];
};

void histogram_add(struct histogram *h, uint64_t number);
void histogram_clear(struct histogram *h);

/* Adds what is counted in from. */
void histogram_merge(struct histogram *to, const struct histogram *from);

uint64_t histogram_count(const struct histogram *h);

/*
 * The number that share (0 to 1) of those counted do not exceed, as the middle
 * of its part; 0 if none is counted.
 */
uint64_t histogram_quantile(const struct histogram *h, double share);

#endif
