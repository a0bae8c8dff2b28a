/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the workload litmus share. The measuring thread changes
 * what is mapped (litmus.c); the others use the pages, and judge what they see
 * (litmus_visit.c).
 */
#ifndef BENCH_LITMUS_H
#define BENCH_LITMUS_H

#include <sys/types.h>

#include "litmus_case.h"

/* A word that a thread stores to. */
struct slot {
	uint64_t last;  /* stored */
	uint64_t stage; /* when */
	bool unsure;    /* a store may have met with the next stage */
};

struct user {
	_Alignas(64) struct slot *slots; /* of all pages of all arenas */
	uint64_t stored;                 /* how many words so far */
	atomic_ulong visits;             /* of pages */
	unsigned long seen;              /* of these, by the measuring thread */
	atomic_ulong checks[LITMUS_CASES], refusals[LITMUS_CASES];
};

struct violation {
	const char *what;
	const struct arena *where;
	size_t page;
	uint64_t seen, wanted;
	int cpu;
};

struct litmus {
	unsigned char *memory; /* of all arenas, home and away */
	size_t bytes;
	const struct bench *b;
	size_t arena_bytes, pages; /* of an arena */
	size_t n_arenas, n_users;
	struct arena arenas[LITMUS_CASES];
	_Atomic size_t focus; /* the arena that is used */
	atomic_bool ready;    /* there are arenas to be used */
	struct user *users;
	size_t n_strangers;
	pid_t *strangers;
	atomic_ulong violations;
	struct violation first;
	atomic_bool broken; /* first is there, and nothing is touched any more */
};

/* A refused access is a signal, which these two take and give back. */
int litmus_catch(struct bench *b);
void litmus_catch_no_more(void);

/* n_users of them, of whom none has seen anything yet. */
int litmus_users_new(struct bench *b, struct litmus *l);
void litmus_users_free(struct litmus *l);

/* A process on the CPU of each user. Before any thread is started. */
int litmus_strangers_start(struct bench *b, struct litmus *l);
void litmus_strangers_stop(struct litmus *l);

/* One pass of a user through the arena in focus. */
void litmus_visit(struct litmus *l, size_t user);

/* What the users have counted so far in an arena. */
struct tally {
	unsigned long checks, refusals;
};
struct tally litmus_tally(const struct litmus *l, size_t arena);

/* If a violation was seen: says so, and returns -EIO. */
int litmus_judge(struct bench *b, const struct litmus *l);

#endif
