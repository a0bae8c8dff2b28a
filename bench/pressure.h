/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory pressure beside a workload, from a process of its own. */
#ifndef BENCH_PRESSURE_H
#define BENCH_PRESSURE_H

#include "common.h"

/* The row of a parameter table, and more_swap() of a workload that has it. */
#define BENCH_PARAM_PRESSURE                                                                \
	{                                                                                   \
		.name = "pressure", .type = PARAM_BYTES, .preset = "0", .unit = "bytes",    \
		.min = 0, .max = (uint64_t)1 << 40,                                         \
		.help = "memory that another process takes and gives back meanwhile: more " \
			"than is free keeps kswapd busy"                                    \
	}
uint64_t pressure_swap(const struct bench *b);

struct pressure;

/*
 * Starts a process on b->cpu that takes as many bytes as the parameter says, writes
 * them, checks them and gives them back, over and over; 0: none, and *ret stays.
 * Before any thread is started.
 */
int pressure_start(struct bench *b, struct pressure **ret);
void pressure_stop(struct pressure *p); /* accepts NULL */

/*
 * From verify(): 0 if p is NULL, or if kswapd reclaimed during the sample and what
 * the process found was what it wrote. -EIO: it was not; -EAGAIN: nothing was
 * reclaimed; -ECHILD: the process has ended; -ENODATA: no pgsteal_kswapd.
 */
int pressure_check(struct bench *b, const struct pressure *p);

#endif
