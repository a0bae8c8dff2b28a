/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two records side by side: which runs and metrics belong together, the value
 * that each side has for them, and a verdict on the difference. Pure.
 */
#ifndef VERDICTS_COMPARE_H
#define VERDICTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "verdicts/attribution.h"
#include "verdicts/judge.h"
#include "verdicts/record.h"

struct compare_row {
	char *workload; /* with the parameters that tell its runs apart */
	char *metric;   /* "-" where the row stands for a whole run */
	char *unit;     /* "" likewise */
	/* Of the records, which must outlive their use; NULL: this side has none. */
	const struct run *base_run, *cand_run;
	enum metric_better better;
	enum metric_kind kind;
	struct compare_value base, cand;
	bool judged;                /* has judgement; the word may still be any */
	struct judgement judgement; /* see judge.h */
	bool has_ratio;      /* all above 0, no share, no emulator: the mean cand / base */
	double ratio;        /* geometric mean over pairs, or of geometric means */
	bool has_difference; /* both known and judged: cand - base, in unit */
	double difference;
	enum compare_word word;
	char *note;    /* or NULL */
	bool missing;  /* the base has a value, and the candidate lost it */
	bool declared; /* primary, or named: decides the exit code */
	bool selected; /* by name and workload; shown unless it did not change */
	bool shown;
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
	struct judge_rules rules;
	struct compare_row *rows;
	size_t n_rows, n_shown;
	size_t n_paired;  /* rows with a value on both sides, shown or not */
	size_t n_missing; /* whole runs, and metrics asked for or shown anyway */
	/* Among the declared rows. */
	size_t n_regressions, n_improvements, n_inconclusive;
	struct attribution *attributions; /* of workloads that both sides profiled */
	size_t n_attributions;
	char **notes; /* on the comparison as a whole */
	size_t n_notes;
};

enum compare_show { SHOW_PRIMARY, SHOW_CHANGED, SHOW_ALL };
enum correction { CORRECT_HOLM, CORRECT_BH, CORRECT_NONE };

/* All zero is what compare-results does when not told. */
struct compare_options {
	const char *allow_mismatch; /* "key,key" of identity, or NULL */
	const char *metric;         /* glob of names, which need not be primary; or NULL */
	const char *workload;       /* glob of names, or NULL */
	enum compare_show show;
	enum pairing pairing;
	double alpha; /* 0: 0.05 */
	size_t min_n; /* pairs, or boots of each side; 0: 6; else at least 2 */
	enum correction correction; /* over the declared rows */
	const struct effect_rule *effects;
	size_t n_effects;
};

/* 0, or -ENOMEM. The metric may have no values: then none is known. */
int compare_value_of(
	const struct run *run, const struct metric *m, struct compare_value *ret);
void compare_value_clear(struct compare_value *v);

/* What a table shows when not told: durations, and counts of flushes and interrupts. */
bool compare_is_primary(const char *metric);

/* 0, or -ENOMEM. *ret is freed by comparison_free(), which accepts NULL. */
int compare_records(const struct record *base, const struct record *cand,
	const struct compare_options *options, struct comparison **ret);
void comparison_free(struct comparison *c);

/* What else than another machine is no success; exit code 0 where none occurs. */
enum { FAIL_REGRESSION = 1, FAIL_MISSING = 2, FAIL_INCONCLUSIVE = 4 };
#define FAIL_DEFAULT (FAIL_REGRESSION | FAIL_MISSING)

/*
 * The exit code of compare-results: 3 not comparable, nothing in common, or
 * something missing; 1 a regression; 4 an inconclusive row; 0. In this order.
 */
int compare_exit_code(const struct comparison *c, unsigned int fail_on);

#endif
