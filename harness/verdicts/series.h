/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nights of machines, reduced to what their history is made of: for each night a
 * pair of numbers for each series. Pure.
 *
 * A series is a machine in one state (its identity, and the reference kernel
 * that tonight's is measured against), a workload with its revision and
 * parameters, and a metric.
 */
#ifndef VERDICTS_SERIES_H
#define VERDICTS_SERIES_H

#include "verdicts/effect.h"
#include "verdicts/record.h"

/* One comparison of tonight's kernel with the reference. */
struct reading {
	bool known;
	double tonight, reference; /* in the metric's unit */
	double log;                /* of their ratio, by blocks; NAN: one is not above 0 */
	double difference;         /* tonight - reference */
};

struct point {
	size_t night;                /* of the machine */
	struct reading first, again; /* again: of the second run, where there was one */
};

struct series {
	char *key; /* MACHINE/SETUP/WORKLOAD@REVISION:PARAMS/METRIC; decisions name it */
	char *workload; /* "swap@1:size=1048576,threads=1": all parameters, by name */
	char *metric, *unit;
	size_t setup;
	enum metric_better better;
	enum metric_kind kind;
	struct effect effect; /* the smallest that matters */
	bool declared;        /* decides the exit code, see compare_is_declared() */
	bool varies;          /* within a night, if only once */
	bool ratio;           /* every reading has a log: y is it; else the difference */
	struct point *points; /* in the order of the nights; nights may be missing */
	size_t n_points;
	char *absent; /* why the machine's newest night gave no value; or NULL */
};

/* What a machine was like, apart from tonight's kernel. */
struct setup {
	char *digest; /* 8 characters */
	struct fields fields;
};

struct night {
	char *date;   /* "2026-11-30" */
	long day;     /* since 1970-01-01 */
	char *kernel; /* tonight's release, or "" */
	char *commit; /* of tonight's kernel; NULL: not recorded */
	size_t setup;
	bool again; /* there was a second run */
};

struct machine {
	char *name;
	struct night *nights; /* that gave something to compare, oldest first */
	size_t n_nights;
	struct setup *setups;
	size_t n_setups;
	struct series *series;
	size_t n_series;
	size_t n_emulated; /* metrics of the newest night left out: emulated time */
};

struct series_rules {
	const char *pattern;        /* glob of keys, or of metrics; NULL: what decides */
	const char *allow_mismatch; /* "key,key" of the identity, or NULL */
	const struct effect_rule *effects;
	size_t n_effects;
};

struct night_results {
	const struct record *reference, *tonight;
	const struct record *reference_again, *tonight_again; /* NULL: no second run */
};

/* "2026-11-30" as days since 1970-01-01. false: no such day. */
bool night_day(const char *date, long *ret);

/* Takes the name over by copy. Freed by machine_clear(). */
void machine_init(struct machine *m, const char *name);
void machine_clear(struct machine *m);

/*
 * Adds the next night; date is later than those before. 0, or -ESTALE and the
 * identity key by which its results are of two machines; then nothing is added.
 */
int machine_add_night(struct machine *m, const char *date,
	const struct night_results *results, const struct series_rules *rules,
	struct err *err);

#endif
