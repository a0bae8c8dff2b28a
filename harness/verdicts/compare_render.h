/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as text: for people, for mail, and for other programs. Pure. */
#ifndef VERDICTS_COMPARE_RENDER_H
#define VERDICTS_COMPARE_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "verdicts/compare.h"

struct render_options {
	const char *base_name, *cand_name; /* labels or paths */
	size_t width;                      /* of the terminal; 0: no limit */
	bool color;
	/* For compare_render_lkml() only: whose machine and kernel it names, and the
	 * command that repeats the experiment, each of its words on a line. */
	const struct record *base;
	const char *repeat;
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

/* These are for comparable ones only. */
int compare_render_markdown(
	const struct comparison *c, const struct render_options *options, char **ret);
int compare_render_lkml(
	const struct comparison *c, const struct render_options *options, char **ret);
int compare_render_junit(
	const struct comparison *c, const struct render_options *options, char **ret);
int compare_render_ktap(const struct comparison *c, char **ret);

/*
 * The whole computation of the selected rows of the metrics that match the glob,
 * number by number.
 */
int compare_explain(const struct comparison *c, const char *metric, char **ret);

#endif
