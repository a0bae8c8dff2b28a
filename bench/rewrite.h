/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the workload rewrite consists of: files that change, and who reads them. */
#ifndef BENCH_REWRITE_H
#define BENCH_REWRITE_H

#include <stdatomic.h>

#include "common.h"
#include "mover.h"
#include "pressure.h"

enum { VIEW, COPY, PLACES };

/*
 * A file as this process has it mapped. Its first word on each page tells the page
 * and the version; of COPY, the even pages of an odd version are private.
 */
struct place {
	unsigned char *at;
	int fd; /* for reading */
	size_t number;
	struct mover mover;       /* all 0 where pages are reclaimed */
	int way;                  /* it lies on mover.nodes[way] */
	_Atomic uint64_t version; /* counted from 1; 0: it is being changed */
};

struct rewrite {
	struct place places[PLACES];
	const struct bench *b;
	size_t bytes, pages, n_users;
	bool migrates; /* pages are moved, not reclaimed, */
	int nodes[2];  /* between these */
	_Atomic size_t focus;
	atomic_bool broken;
	atomic_ulong violations;
	atomic_ulong *visits, *checks; /* of each user */
	unsigned long checks_before;
	uint64_t seen, wanted; /* of the first violation */
	size_t page, number;
	struct companions *companions;
	struct pressure *pressure;
	unsigned char *buffer;
};

/* What the first word on a page is, in that version. */
uint64_t rewrite_word(
	const struct rewrite *r, const struct place *p, size_t page, uint64_t version);

/* A new version of the whole file, on its disk when the place is let go. */
int rewrite_file(struct bench *b, struct rewrite *r, struct place *p, uint64_t version);

/* Each place changes, while all look at it. A violation ends it; see broken. */
int rewrite_turn(struct bench *b, struct rewrite *r);

/* So much memory is used for something else, times the file's. */
#define REWRITE_OTHERS 8

#endif
