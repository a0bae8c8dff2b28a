/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parsers of /proc share: lines, words and numbers of a text. Pure but
 * text_read(). */
#ifndef MEASURE_TEXT_H
#define MEASURE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A piece of a text that belongs to someone else; not NUL-terminated. */
struct span {
	const char *at;
	size_t length;
};

/* Walks the lines of a NUL-terminated text; start with { .next = text }. */
struct lines {
	const char *next;
	struct span line;    /* without its newline, blanks at both ends cut */
	unsigned int number; /* from 1 */
	bool whole;          /* a newline ends it: where not, it may have been cut */
};

/* Goes to the next line that is not blank; false at the end. */
bool lines_next(struct lines *l);

/* Blanks are space, tab and carriage return. */
struct span span_trim(struct span s);
bool span_is(struct span s, const char *text);
bool span_starts(struct span s, const char *text);
bool span_ends(struct span s, const char *text);

/* Cuts the first (last) word off *rest; false where there is none. */
bool span_first_word(struct span *rest, struct span *ret_word);
bool span_last_word(struct span *rest, struct span *ret_word);

/* Splits at the first such character, which belongs to neither; false where there is none.
 */
bool span_split(struct span s, char at, struct span *ret_before, struct span *ret_after);

/* Decimal digits and nothing else, without overflow. */
bool span_number(struct span s, uint64_t *ret);

/* A NUL-terminated copy, freed by the caller; NULL: no memory. */
char *span_copy(struct span s);

/*
 * Reads a file of /proc below root whole. 0, or -errno with the path in err;
 * -EINVAL for a NUL byte, behind which a parser would see nothing.
 */
int text_read(const char *root, const char *path, char **ret, struct err *err);

#endif
