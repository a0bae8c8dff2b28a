/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload set up by hand, on a machine whose /proc/vmstat says what the test wants. */
#ifndef TESTS_UNIT_BENCH_OPEN_H
#define TESTS_UNIT_BENCH_OPEN_H

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "bench/common.h"
#include "measure/spec.h"

static uint64_t reported; /* growth of every counter over the last run() */

static int claim(const struct bench *b, const char *name, uint64_t *ret)
{
	(void)b;
	(void)name;
	*ret = reported;
	return 0;
}

static void stay_alive(const struct bench *b)
{
	(void)b;
}

/* text: as a user types it. The values are never freed: a test is a process. */
static inline struct bench bench_of(const char *text)
{
	static int ids[] = { 0, 1 };
	const struct spec_machine machine = {
		.page_bytes = 4096,
		.cpus = { .ids = ids, .count = 2 },
	};
	struct spec spec;
	struct err err;

	cr_assert_eq(spec_parse(text, &machine, &spec, &err), 0, "%s", err.text);
	return (struct bench){
		.workload = spec.workload,
		.values = spec.values,
		.texts = (const char *const *)spec.texts,
		.seed = 7,
		.page_bytes = 4096,
		.vmstat_delta = claim,
		.alive = stay_alive,
	};
}

/* The state of each of these workloads begins with its memory. */
static inline unsigned char *memory_of(const struct bench *b)
{
	return *(unsigned char **)b->state;
}

#define assert_fails(b, call, code, words)                                                 \
	do {                                                                               \
		cr_assert_eq(call, code, "%s", (b)->reason);                               \
		cr_assert(strstr((b)->reason, words), "%s", (b)->reason);                  \
	} while (0)

#endif
