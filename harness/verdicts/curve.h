/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One metric against one parameter, and from where on the candidate is better.
 * Pure.
 */
#ifndef VERDICTS_CURVE_H
#define VERDICTS_CURVE_H

#include "base/err.h"
#include "verdicts/compare.h"

struct curve_point {
	char *label;  /* the parameter's value, as the file has it */
	bool numeric; /* x is it */
	double x;
	const struct run *run;         /* base's, or else cand's */
	const struct compare_row *row; /* NULL: this run has not the metric */
	bool known;                    /* a value on each side there is */
	bool better; /* cand's is better, by more than the smallest effect that matters */
};

enum crossover {
	CROSSOVER_NONE,       /* one side only, no order, no direction, or no values */
	CROSSOVER_EVERYWHERE, /* better at each point */
	CROSSOVER_FROM,       /* at one point and all after it, and not at that before */
	CROSSOVER_NOWHERE,    /* not at the last point */
};

struct curve {
	char *param, *metric, *unit;
	enum metric_better better;
	bool emulated; /* durations of an emulator: shown, and no crossover */
	bool two_sided;
	/* By x where all are numeric; else in the order of the runs. */
	struct curve_point *points;
	size_t n_points;
	bool ordered;
	enum crossover crossover;
	size_t from;                   /* of CROSSOVER_FROM: index of its first point */
	struct comparison *comparison; /* what rows point into */
};

/*
 * The runs of base, and of cand if it is not NULL, that have the parameter; both
 * records must outlive the curve. metric: its name; NULL: the first of those that
 * decide that has a value, counts of flushes before durations. With one side, that
 * of base, durations come first.
 * 0; -ESTALE: two machines, the line says in what; -ENODATA: no run has the
 * metric, the line names it, or no run has the parameter; -ENOMEM.
 */
int curve_make(const struct record *base, const struct record *cand, const char *param,
	const char *metric, struct curve *ret, struct err *err);
void curve_clear(struct curve *c);

/* From where on; a point that is not known neither makes nor breaks a crossover. */
enum crossover crossover_find(
	const struct curve_point *points, size_t n_points, size_t *ret_from);

/* What it says, as one line; NULL for CROSSOVER_NONE. Freed by the caller. */
char *curve_sentence(const struct curve *c, const char *base_name, const char *cand_name);

/* A value of each sample or boot of one side, which the point's own is made of. */
struct curve_dots {
	double *values; /* freed by the caller */
	size_t count;
	bool boots; /* else samples: all are of one boot */
	double min, max;
};
struct curve_dots curve_dots_of(
	const struct curve *c, const struct curve_point *p, bool cand);

/* The whole as JSON, schema shootdown-sweep-1; see results/README.md. 0 or -ENOMEM. */
#define CURVE_SCHEMA "shootdown-sweep-1"
struct curve_names {
	const char *what;        /* the workload and what did not change */
	const char *base, *cand; /* cand: NULL for one side */
	const char *machine;
};
int curve_json(const struct curve *c, const struct curve_names *names, char **ret);

#endif
