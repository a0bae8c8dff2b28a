/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that open events share: counters.c, sampling.c and tlbtrace.c. */
#ifndef MEASURE_PERF_PARTS_H
#define MEASURE_PERF_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* Before any other call of libperf; again does no harm. */
void perf_start_library(void);

/*
 * Why an event could not be opened (a negative errno), and the fix, by the settings
 * below root; freed by the caller.
 */
char *perf_explain(const char *root, int code);

/* Files that are open beside the events. */
#define PERF_FILES_BESIDE 64

/*
 * The limit of open files with room for that many more: now where that is enough, and
 * never above most. Pure.
 */
uint64_t perf_file_limit(uint64_t now, uint64_t most, size_t more);

/* As far as that is permitted; opening says -EMFILE if it was not enough. */
void perf_raise_file_limit(size_t more);

#endif
