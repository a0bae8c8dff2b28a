/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder with files of /proc and /sys as a test wants them. */
#ifndef MADE_ROOT_H
#define MADE_ROOT_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

static inline char *made_root(void)
{
	char *root = mem_text("/tmp/shootdown-root-XXXXXX");

	cr_assert_not_null(mkdtemp(root));
	return root;
}

/* "PATH:TEXT" becomes a file below root. */
static inline void made_root_add(const char *root, const char *line)
{
	const char *colon = strchr(line, ':');
	char *path, *folder;

	cr_assert(colon, "%s", line);
	path = mem_format("%s%.*s", root, (int)(colon - line), line);
	folder = mem_format("%.*s", (int)(strrchr(path, '/') - path), path);
	cr_assert_eq(file_make_dirs(folder), 0);
	cr_assert_eq(file_replace(path, colon + 1, strlen(colon + 1)), 0);
	free(folder);
	free(path);
}

static inline int made_root_remove(
	const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static inline void made_root_free(char *root)
{
	nftw(root, made_root_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(root);
}

#endif
