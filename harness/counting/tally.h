/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts by function. Pure. */
#ifndef COUNTING_TALLY_H
#define COUNTING_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally_entry {
	const char *function; /* the caller's */
	uint64_t count;
};

/* Zeroed at first. */
struct tally {
	struct tally_entry *items; /* one for each function; freed by the caller */
	size_t count;
};

void tally_add(struct tally *t, const char *function, uint64_t count);

/* Those with most first; of equals, by name. */
void tally_sort(struct tally *t);

#endif
