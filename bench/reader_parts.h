/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring process and the readers share. */
#ifndef BENCH_READER_PARTS_H
#define BENCH_READER_PARTS_H

#include <stdatomic.h>

#include "reader_group.h"

/* What a process tells of itself. */
struct seat {
	_Alignas(64) atomic_int error; /* errno of the first thing that failed */
	_Atomic int64_t wrong;         /* tensor with another sum; -1: none */
	_Atomic uint64_t tensors;      /* read so far */
	struct reader_times times;     /* of the last round of reading */
};

/* Shared by all: what to do next, and how far it is done. */
struct board {
	atomic_uint round; /* raised for each; odd: to release, even: to read */
	atomic_uint left;  /* processes that are not done yet; waited for */
	uint64_t passes;   /* to make in a round of reading */
	struct seat seats[];
};

struct reader_group {
	struct bench *b;
	struct reader_plan plan;
	struct board *board;
	size_t board_bytes, n_started, starting;
	uint64_t oom_kills, tensors; /* when last looked at */
	pid_t *pids;
};

/* Ends at once where *at is no longer value, and at least once a second. */
void reader_wait_while(atomic_uint *at, unsigned int value);
void reader_wake_all(atomic_uint *at);

/* In the process of reader group->starting, which ends when it is killed. */
void reader_main(void *group);

#endif
