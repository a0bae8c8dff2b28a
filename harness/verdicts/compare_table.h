/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a comparison as a table, as wide or as narrow as the terminal. */
#ifndef VERDICTS_COMPARE_TABLE_H
#define VERDICTS_COMPARE_TABLE_H

#include <stdio.h>

#include "verdicts/compare_render.h"

/* In the order of their first use, each once; the texts are the rows'. */
struct footnotes {
	const char **texts; /* freed by the caller */
	size_t count;
};

/* 0 or -ENOMEM. Adds the notes of the rows shown. */
int compare_table(FILE *out, const struct comparison *c,
	const struct render_options *options, struct footnotes *notes);

#endif
