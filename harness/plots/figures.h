/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pictures of a report show, with every number that is in them: plot.py
 * draws and computes nothing. Pure.
 */
#ifndef PLOTS_FIGURES_H
#define PLOTS_FIGURES_H

#include <stddef.h>

struct report;

enum figure_kind {
	FIGURE_SWEEP,     /* one metric against a parameter */
	FIGURE_HISTORY,   /* a nightly series */
	FIGURE_SAMPLES,   /* of one metric of one workload, as dots by boot */
	FIGURE_CPUS,      /* interrupts by CPU, of all workloads */
	FIGURE_FUNCTIONS, /* counted instructions of one workload by function */
	FIGURE_SHARES,    /* a profile of one workload, by group and by function */
};

struct figure {
	enum figure_kind kind;
	char *name;     /* of its files, without the ending */
	char *workload; /* as in the table; NULL: of all */
	char *alt;      /* the same in words, for who does not see it */
	char *caption;
	char *spec; /* JSON, for plot.py */
	char *svg;  /* as drawn; NULL: not drawn */
};

struct figures {
	struct figure *items;
	size_t count;
};

/* Of all that the report holds. */
void figures_make(const struct report *r, struct figures *ret);
void figures_clear(struct figures *f);

/* The file for plot.py; freed by the caller. */
char *figures_json(const struct figures *f);

/* Lower case letters, digits and single hyphens; freed by the caller. */
char *figure_slug(const char *text);

/* The parts of figures_make(). */
void figures_add_history(const struct report *r, struct figures *f);
void figures_add_sweep(const struct report *r, struct figures *f);
void figures_add_samples(const struct report *r, struct figures *f);
void figures_add_cpus(const struct report *r, struct figures *f);
void figures_add_bars(const struct report *r, struct figures *f);

#endif
