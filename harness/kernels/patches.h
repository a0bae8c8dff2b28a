/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patch series: files as mailed, applied in order, exactly. */
#ifndef KERNELS_PATCHES_H
#define KERNELS_PATCHES_H

#include "base/err.h"
#include "kernels/variant.h"
#include "kernels/watch.h"

/*
 * Adds the patches of path to list: the file itself, or the files of a folder
 * that end in .patch, .diff, .mbox or .mbx, in the order of their names. A file
 * without a diff in it (a cover letter) is left out.
 * -ENOENT: there is no such path, or no patch in it.
 */
int patches_find(const char *path, struct words *list, struct err *err);

/*
 * Applies them to a tree, with no fuzz: a hunk may have moved, but what is
 * around it must be the same. -EBADMSG: one does not apply; the line names the
 * patch, the file and the hunk, and the tree is left half patched.
 */
int patches_apply(const char *tree, const struct words *list,
	const struct kernel_watch *watch, struct err *err);

/*
 * What is wrong, from the output of patch(1): "hunk 2 of mm/rmap.c (line 731)
 * does not apply". Never NULL; freed by the caller. Pure.
 */
char *patches_explain(const char *output);

#endif
