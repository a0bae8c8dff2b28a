/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the CPU is, many times a second: with counters.h, the wrapper of
 * libperf. By the cycles of the CPU where it counts them, else by the kernel's
 * clock, which cannot look into code that has interrupts off: what such code
 * takes is seen where it turns them on again.
 */
#ifndef MEASURE_SAMPLING_H
#define MEASURE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/cpulist.h"

/*
 * A prime: not in step with the timers of the kernel. On a virtual machine, where a
 * timer is dear, 997 made the loop of swap 8 % slower (tests/overhead/sampling.c).
 */
#define SAMPLING_HZ 397
/*
 * Of a buffer: at SAMPLING_HZ and 300 bytes a hit, 68 s of a thread, and 4 s
 * of each CPU, of which there may be many. A user may have no more than that either.
 */
#define SAMPLING_BYTES ((size_t)8 << 20)
#define SAMPLING_BYTES_MIN ((size_t)512 << 10)

struct sampling_options {
	const struct cpulist *cpus; /* all tasks on these; NULL: the calling thread */
	unsigned int hz;            /* lowered to what the kernel permits */
	size_t bytes;               /* of each buffer; a power of 2 */
	size_t bytes_min;           /* where these are not permitted */
};

struct sampling_hit {
	bool in_kernel;
	uint32_t tid;          /* 0: a CPU that idles */
	const uint64_t *chain; /* in the kernel: the address, then its callers */
	size_t n_chain;
};

struct sampling;

/* 0, or -errno with reason and fix in err. Samples nothing yet. */
int sampling_open(
	const struct sampling_options *options, struct sampling **ret, struct err *err);
void sampling_close(struct sampling *s); /* accepts NULL */

const char *sampling_event(const struct sampling *s); /* "cycles", "cpu-clock" */
unsigned int sampling_hz(const struct sampling *s);

/* Of all perf events of the calling thread, in one system call. */
void sampling_start(void);
void sampling_stop(void);

/*
 * Hands over what the buffers hold; returns how many hits they had no room for
 * since the last call.
 */
#define SAMPLING_LOST_UNKNOWN UINT64_MAX /* some, and an old kernel does not count them */
uint64_t sampling_drain(struct sampling *s,
	void (*take)(void *arg, const struct sampling_hit *hit), void *arg);

#endif
