/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that map the same pages as the measuring one. */
#ifndef BENCH_SHARERS_H
#define BENCH_SHARERS_H

#include "common.h"

struct sharers;

/* What they share, and how: nothing is written to memory from here on. */
struct sharers_plan {
	const unsigned char *memory; /* filled with its pattern */
	size_t bytes;
	size_t count;   /* of processes beside this one */
	size_t running; /* of these, kept running on a CPU of their own each */
};

/* Starts them; the rest sleep, on all CPUs. Before any thread is started. */
int sharers_start(struct bench *b, const struct sharers_plan *plan, struct sharers **ret);
void sharers_stop(struct sharers *s); /* accepts NULL */

/*
 * This process reads each page, then each of the others does, and so maps it.
 * -ECHILD: one of them has ended.
 */
int sharers_read(struct bench *b, struct sharers *s);

/* Likewise, and all of them check each page's content: -EIO, or as above. */
int sharers_check_content(struct bench *b, struct sharers *s);

/* Whether those kept running did since the last check: 0 or -EAGAIN. */
int sharers_check_running(struct bench *b, struct sharers *s);

#endif
