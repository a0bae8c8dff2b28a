/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.json, as shootdown sweep writes it (see results/README.md). Pure. */
#ifndef PLOTS_SWEEP_H
#define PLOTS_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct sweep_side {
	bool known;
	double value;
	size_t boots, samples;
};

struct sweep_point {
	char *label;
	struct sweep_side sides[2]; /* by enum arm */
	bool better;                /* by more than the smallest effect that matters */
	bool has_ratio, has_interval;
	double ratio, low, high;
	char *word; /* the verdict, or NULL */
	char *note; /* or NULL */
};

struct sweep {
	char *what, *machine, *param, *metric, *unit;
	char *names[2];  /* by enum arm; of one side, names[ARM_CAND] is NULL */
	char *crossover; /* what is concluded; or NULL */
	struct sweep_point *points;
	size_t n_points;
	char *json; /* the whole, for sweep.py */
};

/* 0, or -EPROTO and what is wrong with it. name: of the file, for the line. */
int sweep_parse(const char *name, const char *text, struct sweep *ret, struct err *err);
void sweep_clear(struct sweep *s);

#endif
