/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder for the files of a test, gone with it. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char scratch[] = "/tmp/shootdown-test-XXXXXX";

static inline void scratch_make(void)
{
	cr_assert_not_null(mkdtemp(scratch));
}

static inline int scratch_remove_one(
	const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static inline void scratch_remove(void)
{
	nftw(scratch, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
