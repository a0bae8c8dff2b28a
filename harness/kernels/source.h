/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel sources, known by their content, unpacked and patched in the cache. */
#ifndef KERNELS_SOURCE_H
#define KERNELS_SOURCE_H

#include "base/err.h"
#include "kernels/variant.h"
#include "kernels/watch.h"

struct source {
	enum source_kind kind;
	char *path; /* tarball, or folder */
	char *tree; /* SOURCE_GIT: hash of the tree object */
	char *id;   /* what it holds: digest of the tarball or folder, or the tree object */
	char *text; /* for people: "package linux-source-6.12" */
};

/*
 * Finds a source and its id. commit is for SOURCE_GIT only. A SOURCE_TREE that
 * is a git working tree is taken at HEAD, and must have no change that is not
 * committed: a build has to be that of a known tree.
 * -ENOENT: not there (names the package); -EINVAL: no kernel source;
 * -EBUSY: a tree with changes, or one that was built in.
 */
int source_find(enum source_kind kind, const char *name, const char *commit,
	const struct kernel_watch *watch, struct source *ret, struct err *err);
void source_clear(struct source *s);

/* The full hash of a commit of a git tree, freed by the caller. -EINVAL: git's line. */
int source_find_commit(const char *folder, const char *commit, char **ret, struct err *err);

/*
 * The folder of the source with these patches applied, from the cache or made
 * there; *ret_path is freed by the caller. When it fails, nothing is left.
 */
int source_unpack(const struct source *s, const struct words *patches,
	const struct kernel_watch *watch, char **ret_path, struct err *err);

/* Adds the content of each file to what is digested; see digest.h. */
struct digest;
int source_digest_files(struct digest *d, const struct words *files, struct err *err);

#endif
