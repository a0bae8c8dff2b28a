/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long something takes in each of several threads, while a sample is taken. */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include "common.h"
#include "cycles.h"

struct latency;

/* Three rows of a table of metrics, in this order, of what text says. */
#define BENCH_LATENCY_METRICS(text)                                                        \
	{ .name = text "_ns_p50", .unit = "ns", .source = CYCLES_SOURCE },                 \
		{ .name = text "_ns_p99", .unit = "ns", .source = CYCLES_SOURCE },         \
	{                                                                                  \
		.name = text "_ns_p999", .unit = "ns", .source = CYCLES_SOURCE             \
	}
#define BENCH_LATENCY_COUNT 3

int latency_new(struct bench *b, size_t n_threads, struct latency **ret);
void latency_free(struct latency *l); /* accepts NULL */

/* By the measuring thread, at the start and at the end of run(): between them it counts. */
void latency_begin(struct latency *l);
void latency_end(struct latency *l);

/* By thread number i: what began at cycles_now() = start has just ended. */
void latency_note(struct latency *l, size_t thread, uint64_t start);

/*
 * After latency_end(): the three metrics, of all threads together, go to
 * b->metric from index on. Where nothing was noted they are unavailable.
 */
void latency_report(struct bench *b, const struct latency *l, size_t index);

#endif
