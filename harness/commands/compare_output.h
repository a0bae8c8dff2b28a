/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where compare-results puts what it found. */
#ifndef COMMANDS_COMPARE_OUTPUT_H
#define COMMANDS_COMPARE_OUTPUT_H

#include "commands/compare_arguments.h"
#include "verdicts/record.h"

/* One side, as it is named in the output. */
struct compare_side {
	char *name; /* path, or label and path */
	struct record *record;
};

/*
 * Prints, and writes the files that were asked for. A refusal is no result: in
 * all forms but JSON it goes where errors go, and nothing is written. 0, or
 * -errno and why.
 */
int compare_output(const struct comparison *c, const struct compare_arguments *a,
	const struct compare_side sides[2], const struct record *published,
	struct err *err);

#endif
