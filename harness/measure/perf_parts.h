/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that wrap libperf share: counters.c and sampling.c. */
#ifndef MEASURE_PERF_PARTS_H
#define MEASURE_PERF_PARTS_H

/* Before any other call of libperf; again does no harm. */
void perf_start_library(void);

/*
 * Why an event could not be opened (a negative errno), and the fix, by the settings
 * below root; freed by the caller.
 */
char *perf_explain(const char *root, int code);

#endif
