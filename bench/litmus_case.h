/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cases of the workload litmus: what is done to memory, and what then holds of it. */
#ifndef BENCH_LITMUS_CASE_H
#define BENCH_LITMUS_CASE_H

#include <stdatomic.h>

#include "common.h"

/* What holds of an arena in a stage, from the moment that the call has returned. */
enum litmus_rule {
	RULE_NONE,      /* the measuring thread is in a call */
	RULE_KEPT,      /* it takes stores, and keeps them from stage to stage */
	RULE_FRESH,     /* likewise, and was zero but for its marks at the stage's start */
	RULE_FREED,     /* likewise, and each page is as it was or zero at the start */
	RULE_READ_ONLY, /* it has what was stored, and refuses stores */
	RULE_GONE,      /* it refuses loads */
	RULE_MOVED,     /* likewise, and at `away` there is what was stored */
	RULES,
};

/*
 * Memory of one case. A page's first word is its mark, which tells it from all
 * others and is written before the stage begins; then comes a word for each
 * thread. Pages with an odd number are only read, and so stay clean.
 */
struct arena {
	const struct litmus_case *what;
	size_t number;
	unsigned char *home, *away;
	size_t bytes;
	_Atomic uint64_t stage; /* RULES times the number of stages so far, plus the rule */
};

/* Two calls that follow each other on the arena; NULL: none. */
struct litmus_case {
	const char *name;
	enum litmus_rule open, shut; /* what holds after each */
	int (*to_open)(struct bench *b, const struct arena *a, uint64_t stage);
	int (*to_shut)(struct bench *b, const struct arena *a, uint64_t stage);
	bool sleeps; /* users sleep before they come, so that their CPUs run nobody */
};

#define LITMUS_CASES 6
extern const struct litmus_case litmus_cases[LITMUS_CASES];

/* The mark of a page in that stage. */
uint64_t litmus_mark(
	const struct bench *b, const struct arena *a, size_t page, uint64_t stage);

/* The stage that follows, with that rule. */
uint64_t litmus_next(const struct arena *a, enum litmus_rule rule);

/* New memory at home, in place of what is there: zero but for its marks. */
int litmus_map(struct bench *b, const struct arena *a, uint64_t stage);

#endif
