// SPDX-License-Identifier: GPL-2.0-or-later
/* The base row of all: what the harness itself costs. */
#include "bench.h"

static int null_setup(struct bench *b)
{
	b->units_per_op = 1;
	return 0;
}

static int null_run(struct bench *b, uint64_t n)
{
	(void)b;
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" : : : "memory");
	return 0;
}

static const struct param params[] = { { 0 } };

const struct workload workload_null = {
	.name = "null",
	.summary = "an empty loop: what the harness itself costs",
	.path = "none",
	.unit = "op",
	.revision = 1,
	.params = params,
	.setup = null_setup,
	.run = null_run,
};
