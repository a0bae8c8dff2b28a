/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One published figure and one experiment: whether they agree. Pure. */
#ifndef VERDICTS_CLAIMS_JUDGE_H
#define VERDICTS_CLAIMS_JUDGE_H

#include "verdicts/claims.h"

struct claim {
	size_t number;
	const struct record *from;
	const struct run *run; /* without batching */
	const struct metric *metric;
	double base, cand; /* NAN: not published */
};

/* What an experiment says of it. Owns the texts. */
struct finding {
	char *here;    /* "swap dsb_ish_per_page 1.07 -> 0.18, ratio 0.168 (6 boots)" */
	char *verdict; /* "agrees", "differs: ...", "cannot be judged here: ..." */
};

/* A text of the publication's subject, KEY or KEY:DETAIL; NULL: it is not there. */
const char *claim_subject(const struct claim *c, const char *key, const char *detail);

/*
 * A finding for each row of the experiment that the claim is about; none where it is
 * of other kernels or another architecture. 0 and an array that the caller frees,
 * with what is in it, or -ENOMEM.
 */
int claim_judge(const struct claim *c, const struct claims_measured *m,
	struct finding **ret, size_t *ret_n);

#endif
