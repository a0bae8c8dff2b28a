/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown nightly share. */
#ifndef COMMANDS_NIGHTLY_PARTS_H
#define COMMANDS_NIGHTLY_PARTS_H

#include "nights/session.h"

/* Of a git tree, instead of the variants' own sources. */
struct nightly_source {
	const char *tree; /* NULL: there is none */
	char *commits[2]; /* by enum arm, full hashes; NULL: the variant's source */
};

/* Builds the kernel of each arm, but for those that somebody else has put there. */
int nightly_provide_images(
	const struct machine_file *m, const struct nightly_source *source, struct err *err);

uint64_t nightly_seed(void);

/*
 * Collects, decides, and notes the end. *ret_goes_on: a second run has begun. *ret_code
 * is the exit code.
 */
int nightly_finish(struct night_session *s, const struct night_next *next, int *ret_code,
	bool *ret_goes_on, struct err *err);

#endif
