/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file for perf report, which perf itself writes beside our own profile. */
#ifndef MEASURE_PERF_RECORD_H
#define MEASURE_PERF_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct perf_record;

/* 0, or -ENOENT: perf is not in PATH, with the fix. */
int perf_record_find(struct err *err);

/*
 * Starts perf on a thread, or on all CPUs (tid 0); it records nothing yet. An
 * existing file is replaced. 0 or -errno.
 */
int perf_record_start(
	const char *path, pid_t tid, struct perf_record **ret, struct err *err);

/* Lets it record, or not, and waits until it does. 0; -EPIPE: perf has ended; -ETIMEDOUT. */
int perf_record_enable(struct perf_record *p, bool on);

/* Ends perf, which completes its file. Accepts NULL. */
void perf_record_end(struct perf_record *p);

#endif
