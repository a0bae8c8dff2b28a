/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Beside a difference in time: which groups of functions it went to. A group's
 * part is its share of the profile's hits times the time on the CPU, by boots;
 * the rest, in which the thread did not run, is a part of its own. So the parts
 * add up to the whole. Pure.
 */
#ifndef VERDICTS_ATTRIBUTION_H
#define VERDICTS_ATTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "verdicts/judge.h"
#include "verdicts/record.h"

struct attribution_part {
	char *name;
	double base, cand, difference;
	/*
	 * Of the difference: by Student's t over boots; else, if there is but one
	 * on a side, of the sampling alone, and none for the whole.
	 */
	bool has_interval;
	double low, high;
};

enum attribution_word {
	ATTRIBUTION_NONE,      /* no difference that is more than chance */
	ATTRIBUTION_FLUSH,     /* at least half of it is the TLB flush */
	ATTRIBUTION_NOT_TLB,   /* less than half of it is */
	ATTRIBUTION_UNDECIDED, /* the boots do not tell which of the two */
};

struct attribution {
	char *workload; /* as in the table */
	char *unit;     /* "ns/page" */
	bool emulated;
	bool by_boots; /* the intervals are */
	size_t n_base, n_cand;
	double hits_base, hits_cand; /* of all boots */
	struct attribution_part whole, *parts;
	size_t n_parts;
	enum attribution_word word;
};

/* One workload's runs on one side. */
struct attribution_side {
	const struct run *timed, *profiled;
};

/*
 * 0; -ENODATA: a side has no time, or no profile of the measuring thread; -ENOMEM.
 * The caller frees with attribution_clear().
 */
int attribution_make(const struct attribution_side *base,
	const struct attribution_side *cand, const char *workload,
	const struct judge_rules *rules, struct attribution *ret);
void attribution_clear(struct attribution *a);

/* The profiled run that goes with a timed one; NULL: none that has samples. */
const struct run *attribution_find_profile(const struct record *r, const struct run *timed);

/* One word, and a sentence. */
const char *attribution_word_text(enum attribution_word word);
const char *attribution_sentence(enum attribution_word word);

/* A block of lines, at most 72 columns wide; nothing where n is 0. */
void attribution_print(FILE *out, const struct attribution *all, size_t n);

#endif
