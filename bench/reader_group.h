/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of several threads that each read a model, pass after pass. */
#ifndef BENCH_READER_GROUP_H
#define BENCH_READER_GROUP_H

#include "reader_io.h"

struct reader_plan {
	const struct model *models; /* process i reads model i % n_models */
	size_t n_models;
	size_t processes, threads; /* of each process; both at least 1 */
	enum reader_how how;
	unsigned int depth;
	bool in_cgroup; /* they join b->cgroup before they use any memory */
};

/* What the last reader_group_read() took, all processes together. */
struct reader_times {
	uint64_t process_ns; /* each from its own start to its own end */
	uint64_t user_ns, system_ns;
};

struct reader_group;

/* Starts them; they have read nothing yet. Before any thread is started. */
int reader_group_start(
	struct bench *b, const struct reader_plan *plan, struct reader_group **ret);
void reader_group_stop(struct reader_group *g); /* accepts NULL */

/*
 * Each process makes that many passes over its model: tensor by tensor in the
 * order of the table, its threads a part of the rows each. -ECHILD, or -ENOMEM
 * for want of memory: one was killed; or what reading failed with.
 */
int reader_group_read(struct bench *b, struct reader_group *g, uint64_t passes);

/* Gives up the mapped pages, so that they can be dropped from memory. */
int reader_group_release(struct bench *b, struct reader_group *g);

/* Whether each pass since the start found each tensor's sum: 0 or -EIO. */
int reader_group_check(struct bench *b, const struct reader_group *g);

struct reader_times reader_group_times(const struct reader_group *g);

#endif
