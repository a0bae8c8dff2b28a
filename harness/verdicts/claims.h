/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was published (results/published), and what experiments here say of it: a
 * line for each published figure at least, also where nothing was measured. Pure.
 *
 * The subject of a publication says where to look; see results/README.md.
 */
#ifndef VERDICTS_CLAIMS_H
#define VERDICTS_CLAIMS_H

#include <stddef.h>

#include "verdicts/record.h"

/* An experiment; arms and records are the caller's. */
struct claims_measured {
	const char *arms; /* "nobatch batch" */
	const struct record *base, *cand;
};

/*
 * A table, and below it the commands that measure what was not. width: of the
 * terminal; 0: no limit. *ret_claims: how many published figures there are. 0 and a
 * text that the caller frees, or -ENOMEM.
 */
int claims_text(const struct record *const *published, size_t n_published,
	const struct claims_measured *measured, size_t n_measured, size_t width, char **ret,
	size_t *ret_claims);

#endif
