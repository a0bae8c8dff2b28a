// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define PART ".part"
#define LOCK ".lock"

int cache_folder(const char *kind, char **ret, struct err *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;
	int code;

	if (cache && cache[0] == '/')
		path = mem_format("%s/shootdown/%s", cache, kind);
	else if (home && home[0] == '/')
		path = mem_format("%s/.cache/shootdown/%s", home, kind);
	else
		return err_set(err, -EINVAL,
			"no place for the cache: set HOME or XDG_CACHE_HOME to a full "
			"path");
	code = file_make_dirs(path);
	if (code < 0) {
		err_set(err, code, "%s: %s", path, strerror(-code));
		free(path);
		return code;
	}
	*ret = path;
	return 0;
}

int cache_find(const char *kind, const char *name, char **ret_path)
{
	char *folder = NULL, *path;
	int code = cache_folder(kind, &folder, NULL);

	if (code < 0)
		return code;
	path = mem_format("%s/%s", folder, name);
	free(folder);
	if (access(path, F_OK) < 0) {
		free(path);
		return -ENOENT;
	}
	*ret_path = path;
	return 0;
}

int cache_remove_tree(const char *path, uint64_t *ret_bytes)
{
	char *const roots[] = { (char *)path, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	uint64_t bytes = 0;
	FTSENT *at;
	int code = 0;

	if (!tree)
		return -errno;
	while ((at = fts_read(tree))) {
		/* Folders come twice: before what is in them, and after. */
		if (at->fts_info == FTS_D)
			continue;
		if (at->fts_info == FTS_NS && at->fts_errno == ENOENT)
			continue;
		if (at->fts_info != FTS_NS)
			bytes += (uint64_t)at->fts_statp->st_blocks * 512;
		if (remove(at->fts_accpath) < 0)
			code = -errno;
	}
	fts_close(tree);
	if (code == 0 && ret_bytes)
		*ret_bytes = bytes;
	return code;
}

/* A lock file may be removed by cache_clean() between open and flock. */
static bool lock_is_current(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

/* 0 with the lock held; -EWOULDBLOCK where another has it. */
static int try_lock(const char *path, int *ret_fd)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644), code;

		if (fd < 0)
			return -errno;
		code = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
		if (code == 0 && lock_is_current(fd)) {
			*ret_fd = fd;
			return 0;
		}
		close(fd);
		if (code < 0 && code != -EINTR)
			return code;
	}
}

static void unlock(struct cache_entry *entry)
{
	unlink(entry->lock_path);
	close(entry->lock);
	entry->lock = -1;
}

static int wait_for_lock(struct cache_entry *entry, void (*waiting)(void *context),
	void *context, const volatile sig_atomic_t *stop, struct err *err)
{
	static const struct timespec pause = { 0, 200000000 };
	bool told = false;
	int code;

	while ((code = try_lock(entry->lock_path, &entry->lock)) == -EWOULDBLOCK) {
		if (stop && *stop)
			return err_set(err, -EINTR, "interrupted");
		if (waiting && !told)
			waiting(context);
		told = true;
		nanosleep(&pause, NULL);
	}
	return code < 0 ? err_set(err, code, "%s: %s", entry->lock_path, strerror(-code))
			: 0;
}

/* Under the lock: notes the use of an entry that is there, or makes room for it. */
static int look(struct cache_entry *entry, bool *ret_found, struct err *err)
{
	int code;

	*ret_found = utimensat(AT_FDCWD, entry->path, NULL, 0) == 0;
	if (*ret_found) {
		unlock(entry);
		return 0;
	}
	code = cache_remove_tree(entry->part, NULL);
	if (code == 0)
		code = file_make_dirs(entry->part);
	if (code < 0) {
		err_set(err, code, "%s: %s", entry->part, strerror(-code));
		unlock(entry);
	}
	return code;
}

int cache_open(const char *kind, const char *name, void (*waiting)(void *context),
	void *context, const volatile sig_atomic_t *stop, struct cache_entry *ret,
	bool *ret_found, struct err *err)
{
	struct cache_entry entry = { .lock = -1 };
	char *folder = NULL;
	bool found = false;
	int code = cache_folder(kind, &folder, err);

	if (code < 0)
		return code;
	entry.path = mem_format("%s/%s", folder, name);
	entry.part = mem_format("%s" PART, entry.path);
	entry.lock_path = mem_format("%s" LOCK, entry.path);
	free(folder);
	code = wait_for_lock(&entry, waiting, context, stop, err);
	if (code == 0)
		code = look(&entry, &found, err);
	if (code < 0) {
		cache_clear(&entry);
		return code;
	}
	*ret = entry;
	*ret_found = found;
	return 0;
}

int cache_commit(struct cache_entry *entry, struct err *err)
{
	int code = 0;

	/* Unpacking may have given the folder a time of long ago. */
	if (utimensat(AT_FDCWD, entry->part, NULL, 0) < 0 ||
		rename(entry->part, entry->path) < 0)
		code = err_set(err, -errno, "%s: %m", entry->path);
	unlock(entry);
	return code;
}

void cache_abandon(struct cache_entry *entry)
{
	cache_remove_tree(entry->part, NULL);
	unlock(entry);
}

void cache_clear(struct cache_entry *entry)
{
	free(entry->path);
	free(entry->part);
	free(entry->lock_path);
	*entry = (struct cache_entry){ .lock = -1 };
}

static bool is_older(const char *path, uint64_t age_s)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (uint64_t)st.st_mtime + age_s <= (uint64_t)time(NULL);
}

/* Removes one entry if it is due and no one makes it; and what a kill left of it. */
static int clean_one(const char *folder, const char *name, uint64_t age_s,
	cache_removed_fn *removed, void *context)
{
	struct cache_entry entry = { .path = mem_format("%s/%s", folder, name) };
	const char *due[2] = { NULL, NULL };
	int code;

	entry.part = mem_format("%s" PART, entry.path);
	entry.lock_path = mem_format("%s" LOCK, entry.path);
	code = try_lock(entry.lock_path, &entry.lock);
	if (code == 0) {
		due[0] = access(entry.part, F_OK) == 0 ? entry.part : NULL;
		due[1] = is_older(entry.path, age_s) ? entry.path : NULL;
		for (int i = 0; i < 2; i++) {
			uint64_t bytes = 0;
			int ret = due[i] ? cache_remove_tree(due[i], &bytes) : 0;

			if (due[i] && ret == 0)
				removed(context, due[i], bytes);
			code = ret < 0 ? ret : code;
		}
		unlock(&entry);
	}
	cache_clear(&entry);
	return code == -EWOULDBLOCK ? 0 : code;
}

int cache_clean(const char *kind, uint64_t older_than_s, cache_removed_fn *removed,
	void *context, struct err *err)
{
	struct dirent **names;
	char *folder = NULL;
	int n, code = cache_folder(kind, &folder, err);

	if (code < 0 || !folder)
		return code;
	n = scandir(folder, &names, NULL, alphasort);
	if (n < 0)
		code = err_set(err, -errno, "%s: %m", folder);
	for (int i = 0; i < n; i++) {
		char *name = names[i]->d_name, *suffix = strrchr(name, '.');
		int ret = 0;

		if (suffix && (strcmp(suffix, PART) == 0 || strcmp(suffix, LOCK) == 0))
			*suffix = '\0';
		if (name[0] && name[0] != '.')
			ret = clean_one(folder, name, older_than_s, removed, context);
		if (ret < 0)
			code = err_set(err, ret, "%s/%s: %s", folder, name, strerror(-ret));
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	free(folder);
	return code;
}
