/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report: one page of HTML that needs nothing else, and its pictures beside it
 * as PNG and SVG.
 */
#ifndef PLOTS_REPORT_H
#define PLOTS_REPORT_H

#include <stdbool.h>

#include "base/err.h"
#include "boots/manifest.h"
#include "plots/figures.h"
#include "plots/sweep.h"
#include "verdicts/compare.h"
#include "verdicts/history.h"
#include "verdicts/record.h"

/* All but the last three belongs to the caller. */
struct report {
	/* Of nights: names[ARM_BASE] is their folder, and all else is NULL. */
	const struct history *history;
	bool fleet;           /* of nights: all machines side by side, and no pictures */
	const char *names[2]; /* by enum arm; of one result, its file */
	const struct record *arms[2];        /* one result: arms[ARM_CAND] is NULL */
	const struct comparison *comparison; /* NULL for one result */
	const struct manifest *manifest;     /* of an experiment, or NULL */
	const struct sweep *sweep;           /* or NULL */
	/*
	 * Of a sweep over experiments: which of them arms and manifest are of. They
	 * then stand for the machine, and are not shown on their own. Or NULL.
	 */
	const char *point;
	const char *mail; /* the same as text for a mail, with how to repeat it; or NULL */
	struct figures figures;
	char *pictures;    /* name of their folder, beside the page */
	char *no_pictures; /* why there are none; NULL: there are */
};

/*
 * Writes PAGE, which ends with .html, and its pictures into the folder that is
 * called like it but ends with -pictures. 0, or -errno and why. What keeps only
 * the pictures away (no matplotlib) is no failure: the page says so, and
 * r->no_pictures.
 */
int report_write(struct report *r, const char *page, struct err *err);
void report_clear(struct report *r);

#endif
