/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two records side by side: which runs and metrics belong together, and the
 * one value that each side has for them. Pure.
 *
 * No verdict is given yet: nothing here says whether a difference is more than
 * chance, only what it is.
 */
#ifndef VERDICTS_COMPARE_H
#define VERDICTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "verdicts/record.h"

enum compare_word {
	WORD_SAME, /* the very same value */
	WORD_LOWER,
	WORD_HIGHER,
	WORD_EMULATED,    /* a duration of an emulator on either side: no ratio */
	WORD_NEW,         /* only the candidate has it */
	WORD_GONE,        /* only the base has it */
	WORD_UNAVAILABLE, /* on one side or both; the note says why */
	WORD_NO_VALUE,    /* no sample counts: all warm-up, or nothing to divide by */
	WORD_SKIPPED,     /* status of a run, of either side */
	WORD_INVALID,
	WORD_FAILED,
	WORD_MISFIT, /* unit or direction differ: refused */
};

/*
 * The value of one side: in each process the median of the samples that are no
 * warm-up, the mean of these in each boot, and the mean of the boots. A boot is
 * told by its number alone: blocks within one boot are not boots.
 */
struct compare_value {
	bool known;
	double value;
	size_t n_boots, n_processes, n_samples;
};

struct compare_row {
	char *workload; /* with the parameters that tell its runs apart */
	char *metric;   /* "-" where the row stands for a whole run */
	char *unit;     /* "" likewise */
	enum metric_better better;
	enum metric_kind kind;
	struct compare_value base, cand;
	bool has_ratio; /* both above 0, no share, no emulator: cand / base */
	double ratio;
	bool has_difference; /* both known: cand - base, in unit */
	double difference;
	enum compare_word word;
	char *note;   /* or NULL */
	bool missing; /* the base has a value, and the candidate lost it */
	bool shown;   /* by the filter */
};

/* A key whose value differs; "not recorded" is a value here. */
struct compare_key {
	char *key, *base, *cand;
	bool allowed;
};

struct comparison {
	struct compare_key *identity, *subject; /* those that differ */
	size_t n_identity, n_subject;
	bool comparable; /* each of identity is allowed; else there are no rows */
	struct compare_row *rows;
	size_t n_rows, n_shown;
	size_t n_paired;  /* rows with a value on both sides, shown or not */
	size_t n_missing; /* of whole runs, and of metrics that were asked for or are
			     primary */
	char **notes;     /* on the comparison as a whole */
	size_t n_notes;
};

enum compare_show { SHOW_PRIMARY, SHOW_CHANGED, SHOW_ALL };

struct compare_options {
	const char *allow_mismatch; /* "key,key" of identity, or NULL */
	const char *metric;         /* glob of names, which need not be primary; or NULL */
	const char *workload;       /* glob of names, or NULL */
	enum compare_show show;
};

/* 0, or -ENOMEM. The metric may have no values: then none is known. */
int compare_value_of(
	const struct run *run, const struct metric *m, struct compare_value *ret);

/* What a table shows when not told: durations, and counts of flushes and interrupts. */
bool compare_is_primary(const char *metric);

/* 0, or -ENOMEM. *ret is freed by comparison_free(), which accepts NULL. */
int compare_records(const struct record *base, const struct record *cand,
	const struct compare_options *options, struct comparison **ret);
void comparison_free(struct comparison *c);

#endif
