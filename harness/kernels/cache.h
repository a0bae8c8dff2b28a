/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of folders named by what they were made of. An entry appears whole,
 * by a rename, and is never changed afterwards; its modification time is that
 * of its last use.
 *
 *	$XDG_CACHE_HOME/shootdown/KIND/NAME        the entry
 *	$XDG_CACHE_HOME/shootdown/KIND/NAME.part   being made, or left by a kill
 *	$XDG_CACHE_HOME/shootdown/KIND/NAME.lock   held while it is made or removed
 */
#ifndef KERNELS_CACHE_H
#define KERNELS_CACHE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct cache_entry {
	char *path; /* the entry's folder */
	char *part; /* where to make it */
	char *lock_path;
	int lock;
};

/*
 * The folder of the cache, made if it is missing; freed by the caller.
 * -EINVAL where neither XDG_CACHE_HOME nor HOME is set.
 */
int cache_folder(const char *kind, char **ret, struct err *err);

/*
 * Waits for the entry's lock (waiting, which may be NULL, is called once if
 * another process has it), and says whether the entry is there. If it is, the
 * use is noted and the lock given up; if not, an empty ->part has been made,
 * and cache_commit() or cache_abandon() must follow. -EINTR: *stop was set.
 */
int cache_open(const char *kind, const char *name, void (*waiting)(void *context),
	void *context, const volatile sig_atomic_t *stop, struct cache_entry *ret,
	bool *ret_found, struct err *err);
int cache_commit(struct cache_entry *entry, struct err *err);
void cache_abandon(struct cache_entry *entry); /* removes what was made */
void cache_clear(struct cache_entry *entry);   /* frees the strings */

/* -ENOENT where there is no such entry; does not wait, locks nothing. */
int cache_find(const char *kind, const char *name, char **ret_path);

/* What happened to an entry; bytes is its size on the disk. */
typedef void cache_removed_fn(void *context, const char *path, uint64_t bytes);

/*
 * Removes the entries not used for older_than_s seconds, and what killed
 * processes left; entries in the making stay.
 */
int cache_clean(const char *kind, uint64_t older_than_s, cache_removed_fn *removed,
	void *context, struct err *err);

/* Removes a folder with all in it; one that is not there is no error. */
int cache_remove_tree(const char *path, uint64_t *ret_bytes);

#endif
