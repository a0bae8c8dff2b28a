// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "machine_cgroup.h"
#include "machine_journal.h"
#include "machine_zram.h"
#include "setting.h"

struct machine {
	int lock_fd;
	bool may_change; /* false in a user's own folder */
	struct journal journal;
};

/* A folder that others could have made first in /tmp is not used. */
static int make_own_dir(const char *dir, struct err *err)
{
	struct stat st;

	if (mkdir(dir, 0700) < 0 && errno != EEXIST)
		return err_set(err, -errno, "cannot make %s: %s", dir, strerror(errno));
	if (lstat(dir, &st) < 0)
		return err_set(err, -errno, "cannot look at %s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077) != 0)
		return err_set(err, -EPERM,
			"%s is not a folder of yours with mode 0700; remove it and try "
			"again",
			dir);
	return 0;
}

/*
 * The folder that this process can lock in: run_dir, or a user's own.
 * *ret_own tells which; *ret_dir is freed by the caller.
 */
static int choose_dir(const char *run_dir, char **ret_dir, bool *ret_own, struct err *err)
{
	int r = file_make_dirs(run_dir);
	char *own;

	if (r == 0 && access(run_dir, W_OK) < 0)
		r = -errno;
	if (r == 0) {
		*ret_dir = mem_text(run_dir);
		*ret_own = false;
		return 0;
	}
	if (geteuid() == 0 || (r != -EACCES && r != -EROFS))
		return err_set(
			err, r, "cannot use the folder %s: %s", run_dir, strerror(-r));
	own = mem_format("/tmp/shootdown-%u", (unsigned int)geteuid());
	r = make_own_dir(own, err);
	if (r < 0) {
		free(own);
		return r;
	}
	*ret_dir = own;
	*ret_own = true;
	return 0;
}

static int say_busy(const char *lock_path, struct err *err)
{
	char *pid;

	if (file_read_line("", lock_path, &pid) < 0)
		pid = mem_text("");
	err_set(err, -EBUSY, "another run is in progress on this machine (pid %s, lock %s)",
		*pid ? pid : "not written yet", lock_path);
	free(pid);
	return -EBUSY;
}

/* The lock, and not the pid in it, tells whether a run lives: it dies with the process. */
static int take_lock(const char *dir, int *ret_fd, struct err *err)
{
	char *path = mem_format("%s/lock", dir), pid[16];
	int fd, r = 0;

	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		r = err_set(err, -errno, "cannot open %s: %s%s", path, strerror(errno),
			errno == EACCES ? "; run this as root" : "");
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		r = say_busy(path, err);
	else if (snprintf(pid, sizeof(pid), "%d\n", getpid()) < 0 || ftruncate(fd, 0) < 0 ||
		 pwrite(fd, pid, strlen(pid), 0) < 0)
		r = err_set(err, -errno, "cannot lock %s: %s", path, strerror(errno));
	free(path);
	if (r < 0 && fd >= 0)
		close(fd);
	if (r == 0)
		*ret_fd = fd;
	return r;
}

/* -EBUSY where a run holds the lock of that folder; others may only look. */
static int probe_lock(const char *dir, struct err *err)
{
	char *path = mem_format("%s/lock", dir);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), r = 0;

	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		r = say_busy(path, err);
	if (fd >= 0)
		close(fd);
	free(path);
	return r;
}

static int refuse_left(const char *dir, struct journal *ret, struct err *err)
{
	int r = journal_load(dir, ret, err);

	if (r < 0 || ret->count == 0)
		return r;
	r = err_set(err, -EUCLEAN,
		"a run that was killed left the machine changed (%zu changes in %s); "
		"\"shootdown doctor\" names them, \"shootdown doctor --restore\" as root "
		"undoes "
		"them",
		ret->count, ret->path);
	journal_clear(ret);
	return r;
}

/* A user's run is not alone on the machine because its lock is in another folder. */
static int check_common_dir(const char *run_dir, struct err *err)
{
	struct journal j;
	int r = probe_lock(run_dir, err);

	if (r == 0)
		r = refuse_left(run_dir, &j, err);
	if (r == 0)
		journal_clear(&j);
	return r;
}

int machine_open(const char *run_dir, struct machine **ret, struct err *err)
{
	struct journal journal;
	bool own = false;
	char *dir = NULL;
	int fd, r;

	r = choose_dir(run_dir, &dir, &own, err);
	if (r < 0)
		return r;
	r = own ? check_common_dir(run_dir, err) : 0;
	if (r == 0)
		r = take_lock(dir, &fd, err);
	if (r == 0) {
		r = refuse_left(dir, &journal, err);
		if (r < 0)
			close(fd);
	}
	free(dir);
	if (r < 0)
		return r;
	*ret = mem_zeroed(1, sizeof(**ret));
	**ret = (struct machine){ .lock_fd = fd, .may_change = !own, .journal = journal };
	return 0;
}

static int write_checked(const char *path, const char *value, struct err *err)
{
	char *now;
	int r = file_poke(path, value);

	if (r < 0)
		return err_set(
			err, r, "cannot write \"%s\" to %s: %s", value, path, strerror(-r));
	r = setting_read("", path, &now);
	if (r < 0)
		return err_set(err, r, "cannot read %s: %s", path, strerror(-r));
	if (strcmp(now, value) != 0)
		r = err_set(
			err, -EIO, "%s was given \"%s\" and says \"%s\"", path, value, now);
	free(now);
	return r;
}

static int refuse_change(const struct machine *m, const char *what, struct err *err)
{
	return m->may_change
		       ? 0
		       : err_set(err, -EPERM, "only root can %s; run this as root", what);
}

int machine_set(struct machine *m, const char *path, const char *value, struct err *err)
{
	char *old;
	int r = refuse_change(m, "change settings of the kernel", err);

	if (r < 0)
		return r;
	r = setting_read("", path, &old);
	if (r < 0)
		return err_set(err, r, "cannot read %s: %s", path, strerror(-r));
	if (strcmp(old, value) != 0) {
		r = journal_note(&m->journal, CHANGE_FILE, path, old, value, err);
		if (r == 0)
			r = write_checked(path, value, err);
	}
	free(old);
	return r;
}

int machine_drop_caches(const struct machine *m, struct err *err)
{
	static const char path[] = "/proc/sys/vm/drop_caches";
	int r = refuse_change(m, "drop caches", err);

	if (r < 0)
		return r;
	r = file_poke(path, "3");
	return r < 0 ? err_set(err, r, "cannot write \"3\" to %s: %s", path, strerror(-r))
		     : 0;
}

int machine_add_zram_swap(
	struct machine *m, uint64_t bytes, char *ret_device, struct err *err)
{
	int r = refuse_change(m, "turn on swap", err);

	if (r == 0 && geteuid() != 0)
		r = err_set(err, -EPERM, "only root can turn on swap; run this as root");
	return r < 0 ? r : zram_swap_on(&m->journal, bytes, ret_device, err);
}

int machine_add_cgroup(
	struct machine *m, char **ret_path, int *ret_version, struct err *err)
{
	int r = refuse_change(m, "make a cgroup", err);

	return r < 0 ? r : cgroup_make(&m->journal, ret_path, ret_version, err);
}

/* What someone else has written meanwhile stays. */
static int undo_file(const struct change *c, struct err *err)
{
	char *now;
	int r = setting_read("", c->target, &now);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return err_set(err, r, "cannot read %s: %s", c->target, strerror(-r));
	if (strcmp(now, c->new_text) == 0)
		r = write_checked(c->target, c->old_text, err);
	free(now);
	return r;
}

/*
 * Newest first. What cannot be undone stays in the journal, and so do the
 * steps before it of a zram device, which cannot go while that stands; files
 * are restored all the same. The first failure is the one that is told.
 */
static int undo_all(struct journal *j, struct err *err)
{
	int first = 0, zram = 0, r;

	for (size_t i = j->count; i-- > 0;) {
		const struct change *c = &j->changes[i];
		struct err *say = first < 0 ? NULL : err;

		if (c->kind == CHANGE_FILE)
			r = undo_file(c, say);
		else if (c->kind == CHANGE_CGROUP || c->kind == CHANGE_CGROUP_ENABLE)
			r = cgroup_undo(c, say);
		else if (zram == 0)
			r = zram = zram_undo(c, say);
		else
			continue;
		if (r == 0)
			journal_drop(j, i);
		else if (first == 0)
			first = r;
	}
	r = journal_keep(j, first < 0 ? NULL : err);
	return first < 0 ? first : r;
}

int machine_close(struct machine *m, struct err *err)
{
	int r;

	if (!m)
		return 0;
	r = m->journal.count > 0 ? undo_all(&m->journal, err) : 0;
	journal_clear(&m->journal);
	close(m->lock_fd);
	free(m);
	return r;
}

int machine_find_left(const char *run_dir, struct machine_left *ret, struct err *err)
{
	struct machine_left left = { 0 };
	struct journal j;
	int r = journal_load(run_dir, &j, err);

	if (r < 0)
		return r;
	left.running = probe_lock(run_dir, NULL) == -EBUSY;
	left.lines = mem_zeroed(j.count, sizeof(char *));
	while (left.count < j.count) {
		left.lines[left.count] = change_describe(&j.changes[left.count]);
		left.count++;
	}
	journal_clear(&j);
	*ret = left;
	return 0;
}

void machine_left_clear(struct machine_left *left)
{
	for (size_t i = 0; i < left->count; i++)
		free(left->lines[i]);
	free(left->lines);
	memset(left, 0, sizeof(*left));
}

int machine_restore_left(const char *run_dir, struct err *err)
{
	struct journal j = { 0 };
	int fd = -1, r;

	if (access(run_dir, F_OK) < 0)
		return errno == ENOENT
			       ? 0
			       : err_set(err, -errno, "cannot use the folder %s: %s",
					 run_dir, strerror(errno));
	r = take_lock(run_dir, &fd, err);
	if (r < 0)
		return r;
	r = journal_load(run_dir, &j, err);
	if (r == 0) {
		r = undo_all(&j, err);
		journal_clear(&j);
	}
	close(fd);
	return r;
}
