// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine_cgroup.h"

#include <errno.h>
#include <mntent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* A process that was killed is in its cgroup until it is gone for good. */
#define EMPTY_TRIES 250
#define EMPTY_WAIT_NS 20000000

/* Whether a file of names, with blanks between, has this one. */
static bool file_has_word(const char *root, const char *path, const char *word)
{
	char *text, *rest, *next;
	bool found = false;

	if (file_read_line(root, path, &text) < 0)
		return false;
	rest = text;
	while ((next = strsep(&rest, " \n")))
		found |= strcmp(next, word) == 0;
	free(text);
	return found;
}

static int memory_version(const char *root, const struct mntent *mount)
{
	char *path;
	bool has;

	if (strcmp(mount->mnt_type, "cgroup") == 0)
		return hasmntopt(mount, "memory") ? 1 : 0;
	if (strcmp(mount->mnt_type, "cgroup2") != 0)
		return 0;
	path = mem_format("%s/cgroup.controllers", mount->mnt_dir);
	has = file_has_word(root, path, "memory");
	free(path);
	return has ? 2 : 0;
}

int cgroup_find(const char *root, char **ret_mount, int *ret_version, struct err *err)
{
	char *table = mem_format("%s/proc/self/mounts", root);
	FILE *mounts = setmntent(table, "re");
	const struct mntent *mount;
	int version = 0;

	free(table);
	while (mounts && version == 0 && (mount = getmntent(mounts))) {
		version = memory_version(root, mount);
		if (version)
			*ret_mount = mem_text(mount->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	if (version == 0)
		return err_set(err, -ENODEV,
			"no cgroup hierarchy with the memory controller is mounted");
	*ret_version = version;
	return 0;
}

/* In version 2 the parent must hand the controller down. */
static int enable(struct journal *j, const char *mount, struct err *err)
{
	char *path = mem_format("%s/cgroup.subtree_control", mount);
	int r = 0;

	if (!file_has_word("", path, "memory")) {
		r = journal_note(j, CHANGE_CGROUP_ENABLE, path, "-memory", "+memory", err);
		if (r == 0)
			r = file_poke(path, "+memory");
		if (r < 0)
			err_set(err, r, "cannot write \"+memory\" to %s: %s", path,
				strerror(-r));
	}
	free(path);
	return r;
}

int cgroup_make(struct journal *j, char **ret_path, int *ret_version, struct err *err)
{
	char *mount = NULL, *path;
	int version = 0, r = cgroup_find("", &mount, &version, err);

	if (r < 0)
		return r;
	path = mem_format("%s/shootdown-%d", mount, (int)getpid());
	if (access(path, F_OK) == 0)
		r = err_set(err, -EEXIST, "%s is there already, and not ours", path);
	else if (version == 2)
		r = enable(j, mount, err);
	if (r == 0)
		r = journal_note(j, CHANGE_CGROUP, path, "", "", err);
	if (r == 0 && mkdir(path, 0755) < 0)
		r = err_set(err, -errno, "cannot make %s: %s", path, strerror(errno));
	free(mount);
	if (r < 0) {
		free(path);
		return r;
	}
	*ret_path = path;
	*ret_version = version;
	return 0;
}

static void kill_members(const char *path)
{
	char *procs = mem_format("%s/cgroup.procs", path), *text, *rest, *line;

	if (file_read("", procs, &text, NULL) == 0) {
		rest = text;
		while ((line = strsep(&rest, "\n"))) {
			const int pid = atoi(line);

			/* 0: of another namespace */
			if (pid > 1 && pid != getpid())
				kill(pid, SIGKILL);
		}
		free(text);
	}
	free(procs);
}

static int remove_cgroup(const char *path, struct err *err)
{
	const struct timespec wait = { .tv_nsec = EMPTY_WAIT_NS };
	int ret;

	for (int i = 0; i < EMPTY_TRIES; i++) {
		ret = rmdir(path) < 0 ? -errno : 0;
		if (ret == 0 || ret == -ENOENT)
			return 0;
		if (ret != -EBUSY)
			break;
		kill_members(path);
		nanosleep(&wait, NULL);
	}
	return err_set(err, ret, "cannot remove %s: %s", path, strerror(-ret));
}

/* Who hands the controller down further meanwhile keeps it: EBUSY. */
static int disable(const char *path, struct err *err)
{
	const int r = file_poke(path, "-memory");

	if (r == 0 || r == -ENOENT || r == -EBUSY)
		return 0;
	return err_set(err, r, "cannot write \"-memory\" to %s: %s", path, strerror(-r));
}

int cgroup_undo(const struct change *c, struct err *err)
{
	return c->kind == CHANGE_CGROUP ? remove_cgroup(c->target, err)
					: disable(c->target, err);
}
