// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom litmus has beside it: processes that take turns with its users. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "child.h"
#include "litmus.h"

/*
 * Another process on a user's CPU, so that this one's memory map comes and goes there.
 * Where that flushes all, what is stale lives until then: at times it does not come.
 */
static void be_strange(void *arg)
{
	const struct timespec moment = { .tv_nsec = 1000000 },
			      calm = { .tv_nsec = 50000000 };

	(void)arg;
	for (unsigned int i = 0;; i++)
		nanosleep(i % 8 ? &moment : &calm, NULL);
}

int litmus_strangers_start(struct bench *b, struct litmus *l)
{
	int ret = 0;

	l->strangers = calloc(l->n_users, sizeof(*l->strangers));
	if (!l->strangers)
		return bench_fail(b, -ENOMEM, "no memory for %zu processes", l->n_users);
	for (; l->n_strangers < l->n_users && ret == 0; l->n_strangers += ret == 0)
		ret = child_start(b, b->other_cpus[l->n_strangers], be_strange, NULL,
			&l->strangers[l->n_strangers]);
	return ret;
}

void litmus_strangers_stop(struct litmus *l)
{
	for (size_t i = 0; i < l->n_strangers; i++)
		child_stop(l->strangers[i]);
	free(l->strangers);
}
