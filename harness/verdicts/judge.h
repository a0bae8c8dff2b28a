/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One metric of one workload: from a value for each boot to a word. Pure.
 */
#ifndef VERDICTS_JUDGE_H
#define VERDICTS_JUDGE_H

#include "verdicts/effect.h"
#include "verdicts/record.h"
#include "verdicts/stats.h"

enum compare_word {
	WORD_REGRESSION, /* adjusted p below alpha, and the effect matters */
	WORD_IMPROVEMENT,
	WORD_LOWER, /* likewise, of a metric without a good direction, or a share */
	WORD_HIGHER,
	WORD_SMALL,        /* adjusted p below alpha, and the effect does not matter */
	WORD_EQUIVALENT,   /* the interval holds no effect that matters */
	WORD_SAME,         /* the very same value in every boot */
	WORD_INCONCLUSIVE, /* anything else */
	WORD_EMULATED,     /* a duration of an emulator on either side: never judged */
	WORD_NEW,          /* only the candidate has it */
	WORD_GONE,         /* only the base has it */
	WORD_UNAVAILABLE,  /* on one side or both; the note says why */
	WORD_NO_VALUE,     /* no sample counts: all warm-up, or nothing to divide by */
	WORD_SKIPPED,      /* status of a run, of either side */
	WORD_INVALID,
	WORD_FAILED,
	WORD_MISFIT, /* unit or direction differ, or a duration below 0: refused */
};

struct boot_value {
	unsigned int boot, block; /* block: the lowest */
	bool many_blocks;
	double value; /* mean over blocks and processes of the median in a process */
};

/*
 * The value of one side: the mean of its boots. A boot is told by its number
 * alone: blocks within one boot are not boots.
 */
struct compare_value {
	bool known;
	bool varies;   /* not all samples are the same */
	bool negative; /* a sample is below 0 */
	double value;
	size_t n_boots, n_processes, n_samples;
	struct boot_value *boots; /* in the order of their numbers; owned, or NULL */
};

enum pairing { PAIR_AUTO, PAIR_BLOCK, PAIR_NONE, PAIR_BOOT };

enum judge_scale { SCALE_RATIO, SCALE_DIFFERENCE, SCALE_EXACT };

struct judgement {
	enum pairing pairing; /* that was found; PAIR_BOOT is never asked for */
	/* The values of the boots that count; a pair has the same index in both. */
	double *base, *cand;
	size_t n_base, n_cand, n_left_over;
	struct effect effect; /* the smallest that matters */
	enum judge_scale scale;
	bool tested;            /* at least 2 boots, and finite; what follows is set */
	struct stats_test logs; /* of ln cand - ln base; SCALE_RATIO only */
	struct stats_test differences; /* of cand - base */
	double p, cross_p;             /* sign-flip or Mann-Whitney; NAN: none */
	bool corrected;                /* in a family; then p_adjusted and family are set */
	double p_adjusted;
	size_t family;
	size_t needed; /* boots of each side; 0: beyond reason, or not inconclusive */
	/*
	 * The smallest effect that this many boots find in 80 of 100 experiments: of
	 * SCALE_RATIO 0.02 for 2 %, else in the metric's unit. 0: too few boots for a
	 * verdict, or nothing varies.
	 */
	double detectable;
};

struct judge_rules {
	enum pairing pairing;
	double alpha;
	size_t min_n;
};

/* All but the correction. Both are known. Freed by judgement_clear(). */
void judge_measure(const struct compare_value *base, const struct compare_value *cand,
	enum metric_kind kind, struct effect effect, const struct judge_rules *rules,
	struct judgement *ret);
void judgement_clear(struct judgement *j);

/*
 * Fills base, cand, their counts and pairing. Boots of the same number are pairs
 * (one image, switched while it ran); else boots that are alone in a block on
 * either side; else there are no pairs.
 */
void judge_match(const struct compare_value *base, const struct compare_value *cand,
	enum pairing wanted, struct judgement *j);

/*
 * Boots of each side, at least least, that find the smallest effect that matters
 * at alpha in 80 of 100 experiments, given how these vary. A change has to pass
 * both thresholds, so the one that needs fewer boots counts: of a ratio,
 * *ret_relative says whether that is the relative one. 0: beyond reason.
 */
size_t judge_needed(
	const struct judgement *j, size_t least, double alpha, bool *ret_relative);

/*
 * The word, after the correction; sets needed and detectable. alpha_left is what the correction
 * leaves of alpha for the hardest of the family.
 */
enum compare_word judge_word(struct judgement *j, enum metric_better better,
	enum metric_kind kind, const struct judge_rules *rules, double alpha_left);

#endif
