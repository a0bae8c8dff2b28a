// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_in(const struct bench *b, const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", b->cgroup, name);
	return open(path, flags | O_CLOEXEC);
}

static int poke(const struct bench *b, const char *name, const char *text)
{
	const int fd = open_in(b, name, O_WRONLY);
	int ret = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

int cgroup_join(struct bench *b)
{
	const int ret = poke(b, "cgroup.procs", "0");

	return ret < 0 ? bench_fail(b, ret, "cannot join the cgroup %s: %s", b->cgroup,
				 strerror(-ret))
		       : 0;
}

void cgroup_leave(struct bench *b)
{
	poke(b, "../cgroup.procs", "0");
}

void cgroup_init(struct cgroup *c)
{
	c->reclaim_fd = c->stat_fd = -1;
}

/* Version 1 has no memory.reclaim, but empties a cgroup. */
int cgroup_open(struct bench *b, struct cgroup *c)
{
	c->stat_fd = open_in(b, "memory.stat", O_RDONLY);
	c->reclaim_fd = open_in(b, "memory.reclaim", O_WRONLY);
	c->by_bytes = c->reclaim_fd >= 0;
	if (c->reclaim_fd < 0 && errno == ENOENT)
		c->reclaim_fd = open_in(b, "memory.force_empty", O_WRONLY);
	if (c->reclaim_fd < 0 && errno == ENOENT)
		return bench_skip(b, "this kernel has no memory.reclaim",
			"use Linux 5.19 or later, or cgroup version 1");
	if (c->reclaim_fd < 0 || c->stat_fd < 0)
		return bench_fail(b, -errno, "cannot open the files of %s: %s", b->cgroup,
			strerror(errno));
	return 0;
}

void cgroup_close(struct cgroup *c)
{
	if (c->reclaim_fd >= 0)
		close(c->reclaim_fd);
	if (c->stat_fd >= 0)
		close(c->stat_fd);
}

/*
 * Reading memory.stat makes the kernel add up what it counted by CPU: reclaim
 * goes by the sums, and from old ones takes the lists for empty.
 */
int cgroup_reclaim(struct bench *b, const struct cgroup *c, uint64_t bytes)
{
	char text[4096];

	if (pread(c->stat_fd, text, sizeof(text), 0) < 0)
		return bench_fail(b, -errno, "memory.stat: %s", strerror(errno));
	snprintf(text, sizeof(text), "%llu", c->by_bytes ? (unsigned long long)bytes : 0);
	if (pwrite(c->reclaim_fd, text, strlen(text), 0) < 0 && errno != EAGAIN &&
		errno != EINTR)
		return bench_fail(b, -errno, "cannot reclaim: %s", strerror(errno));
	return 0;
}

int cgroup_set_limit(const struct bench *b, uint64_t bytes)
{
	char text[32];
	int ret;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	ret = poke(b, "memory.max", bytes ? text : "max");
	/* Version 1 has the same under another name. */
	if (ret == -ENOENT)
		ret = poke(b, "memory.limit_in_bytes", bytes ? text : "-1");
	return ret;
}

uint64_t cgroup_oom_kills(const struct bench *b)
{
	static const char key[] = "\noom_kill ";
	char text[512] = "\n", *at;
	int fd = open_in(b, "memory.events", O_RDONLY);
	ssize_t got;

	if (fd < 0)
		fd = open_in(b, "memory.oom_control", O_RDONLY);
	if (fd < 0)
		return 0;
	got = read(fd, text + 1, sizeof(text) - 2);
	close(fd);
	if (got < 0)
		return 0;
	text[1 + got] = '\0';
	at = strstr(text, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}
