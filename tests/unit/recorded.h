/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of texts that people recorded on their machines, with an
 * INDEX.tsv (file, kind, ...) that says what each is. It is no part of the
 * project: the environment's RECORDED names it, and tests that need it are
 * skipped where it is not there.
 */
#ifndef RECORDED_H
#define RECORDED_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

static inline const char *recorded_or_skip(void)
{
	const char *dir = getenv("RECORDED");

	if (!dir || access(dir, R_OK | X_OK) < 0)
		cr_skip("no folder of recorded machines: RECORDED is %s",
			dir ? dir : "not set");
	return dir;
}

/* One of its files, freed by the caller. */
static inline char *recorded_text(const char *dir, const char *file)
{
	char path[512], *text;

	snprintf(path, sizeof(path), "/%s", file);
	cr_assert_eq(file_read(dir, path, &text, NULL), 0, "%s/%s", dir, file);
	return text;
}

#endif
