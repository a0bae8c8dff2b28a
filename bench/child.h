/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of a workload beside the measuring one. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <sys/types.h>

#include "common.h"

/*
 * Forks a process that is pinned to cpu (-1: to none), calls body(arg) and ends. It
 * dies with the measuring one. Started before any thread is.
 */
int child_start(struct bench *b, int cpu, void (*body)(void *arg), void *arg, pid_t *ret);
void child_stop(pid_t pid); /* kills it and waits; pid 0: nothing */

#endif
