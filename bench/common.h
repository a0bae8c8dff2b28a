/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several workloads need: parameters, reasons, time, page patterns, companions. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include "bench.h"

/* Rows of a parameter table that workloads have alike. */
#define BENCH_PARAM_SIZE(text)                                                             \
	{                                                                                  \
		.name = "size", .type = PARAM_BYTES, .preset = "1M", .unit = "bytes",      \
		.min = 4096, .max = (uint64_t)1 << 40, .help = (text)                      \
	}
#define BENCH_PARAM_COMPANIONS                                                             \
	{                                                                                  \
		.name = "threads", .type = PARAM_THREADS, .preset = "0",                   \
		.unit = "threads",                                                         \
		.help = "threads of the process kept running on other CPUs"                \
	}

/* footprint() of a workload whose memory is its parameter size. */
uint64_t bench_footprint_size(const struct bench *b);

/*
 * Whether part is at least 95 % of whole: a page may escape one call, isolated
 * by somebody else just then.
 */
bool bench_enough(uint64_t part, uint64_t whole);

/* The value of a parameter of this workload's table. */
uint64_t bench_param(const struct bench *b, const char *name);

/* Likewise of PARAM_FILES. */
const char *bench_param_text(const struct bench *b, const char *name);

/* Writes the reason and returns code, a negative errno. */
int bench_fail(struct bench *b, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* This machine cannot: says why and what would help, and returns -EOPNOTSUPP. */
int bench_skip(struct bench *b, const char *reason, const char *fix);

/* CLOCK_MONOTONIC. */
uint64_t bench_now_ns(void);

/* Reads one byte of each page. */
void bench_read_pages(const volatile unsigned char *start, size_t bytes, size_t page_bytes);

/*
 * Fills each page with one 64-bit word of its own, derived from b->seed and
 * the page's index and never 0: a block device that recognises pages of one
 * repeated word (zram) treats them as it does those of memset(), and a page
 * that comes back as another page is still found out. Returns of check: the
 * index of the first page that differs, or -1.
 */
void bench_pattern_fill(const struct bench *b, void *start, size_t bytes);
int64_t bench_pattern_check(const struct bench *b, const void *start, size_t bytes);
uint64_t bench_pattern_word(const struct bench *b, uint64_t page);

/*
 * Threads of this process that are kept running on other CPUs, each touching
 * memory of its own, so that the process's address space is active there; with
 * start_with they call pass(arg, thread, seq) over and over instead, thread being
 * their number from 0 on and seq another number each time. start returns once all run, pinned one to a CPU. check
 * tells whether each has moved on since the last check: 0 or -EAGAIN. stop
 * accepts NULL.
 */
struct companions;
int companions_start(struct bench *b, size_t n, struct companions **ret);
int companions_start_with(struct bench *b, size_t n,
	void (*pass)(void *arg, size_t thread, uint64_t seq), void *arg,
	struct companions **ret);
int companions_check(struct bench *b, struct companions *c);
void companions_stop(struct companions *c);

#endif
