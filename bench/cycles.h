/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The architecture's counter that ticks at one rate on all CPUs: far cheaper to
 * read than a clock. How long a tick is: see latency.h.
 */
#ifndef BENCH_CYCLES_H
#define BENCH_CYCLES_H

#include <stdint.h>

#if defined(__x86_64__)

#define CYCLES_SOURCE "RDTSC"

/* Read once all before it is done, and before anything behind it begins. */
static inline uint64_t cycles_now(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

#define CYCLES_SOURCE "CNTVCT_EL0"

/* A load is done only once its result is used: DSB waits for it, ISB alone does not. */
static inline uint64_t cycles_now(void)
{
	uint64_t ticks;

	__asm__ volatile("dsb ld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(ticks)::"memory");
	return ticks;
}

#elif defined(__riscv) && __riscv_xlen == 64

#define CYCLES_SOURCE "rdtime"

static inline uint64_t cycles_now(void)
{
	uint64_t ticks;

	__asm__ volatile("fence\n\trdtime %0\n\tfence" : "=r"(ticks)::"memory");
	return ticks;
}

#elif defined(__powerpc64__)

#define CYCLES_SOURCE "mftb"

static inline uint64_t cycles_now(void)
{
	uint64_t ticks;

	__asm__ volatile("sync\n\tisync\n\tmfspr %0, 268\n\tisync" : "=r"(ticks)::"memory");
	return ticks;
}

#else
#include "common.h"

#define CYCLES_SOURCE "clock_gettime CLOCK_MONOTONIC"

static inline uint64_t cycles_now(void)
{
	return bench_now_ns();
}

#endif
#endif
