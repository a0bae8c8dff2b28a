/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as text for people, as CSV and as JSON. Pure. */
#ifndef VERDICTS_COMPARE_RENDER_H
#define VERDICTS_COMPARE_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "verdicts/compare.h"

struct render_options {
	const char *base_name, *cand_name; /* labels or paths */
	size_t width;                      /* of the terminal; 0: no limit */
	bool color;
};

/*
 * Each returns 0 and a text that the caller frees, or -ENOMEM. All of them show
 * the rows that the comparison's filter chose, and say how many it left out; a
 * comparison that is not comparable is rendered as the keys that differ.
 */
int compare_render_text(
	const struct comparison *c, const struct render_options *options, char **ret);
int compare_render_csv(const struct comparison *c, char **ret);
int compare_render_json(
	const struct comparison *c, const struct render_options *options, char **ret);

/* "lower", "gone" and the like, as all three print it. */
const char *compare_word_text(enum compare_word word);

#endif
