// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reclaim of pages that many processes map, as kswapd does it: madvise leaves
 * such pages alone, so they are reclaimed through a cgroup. Each page is
 * unmapped from each process, and a flush is due for each.
 */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backing.h"
#include "paged_out.h"
#include "sharers.h"

enum { PHASE_TOUCH, PHASE_RECLAIM };
static const char *const phases[] = { "touch", "reclaim", NULL };

static const struct param params[] = {
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "2M",
		.unit = "bytes",
		.min = 4096,
		.max = (uint64_t)1 << 40,
		.help = "memory that all processes map and one operation reclaims",
	},
	{
		.name = "processes",
		.type = PARAM_COUNT,
		.preset = "4",
		.unit = "processes",
		.min = 1,
		.max = 256,
		.help = "that map each page, the measuring one included",
	},
	{
		.name = "running",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "processes",
		.help = "of these that are kept running on other CPUs; the rest sleep",
	},
	{
		.name = "kind",
		.type = PARAM_CHOICE,
		.preset = "anon",
		.choices = backing_names,
		.help = "private memory shared by fork, shared memory, or a mapped file",
	},
	{ 0 },
};

/*
 * One call may do no more than find out which pages were used; the next then
 * reclaims them.
 */
#define RECLAIM_TRIES 8

struct reclaim {
	unsigned char *memory;
	size_t bytes;
	const char *counter;     /* of /proc/vmstat: pages reclaimed of this kind */
	bool by_bytes;           /* memory.reclaim, and not force_empty */
	int reclaim_fd, stat_fd; /* -1: not open */
	struct sharers *sharers;
};

static int open_in_cgroup(struct bench *b, const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", b->cgroup, name);
	return open(path, flags | O_CLOEXEC);
}

/* What this process uses first is charged to the cgroup that it is in. */
static int enter(struct bench *b, const char *procs)
{
	const int fd = open_in_cgroup(b, procs, O_WRONLY);
	int ret = 0;

	if (fd < 0 || write(fd, "0", 1) < 0)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

static int join(struct bench *b)
{
	const int ret = enter(b, "cgroup.procs");

	return ret < 0 ? bench_fail(b, ret, "cannot join the cgroup %s: %s", b->cgroup,
				 strerror(-ret))
		       : 0;
}

/* Version 1 has no memory.reclaim, but empties a cgroup. */
static int open_reclaim(struct bench *b, struct reclaim *r)
{
	r->stat_fd = open_in_cgroup(b, "memory.stat", O_RDONLY);
	r->reclaim_fd = open_in_cgroup(b, "memory.reclaim", O_WRONLY);
	r->by_bytes = r->reclaim_fd >= 0;
	if (r->reclaim_fd < 0 && errno == ENOENT)
		r->reclaim_fd = open_in_cgroup(b, "memory.force_empty", O_WRONLY);
	if (r->reclaim_fd < 0 && errno == ENOENT)
		return bench_skip(b, "this kernel has no memory.reclaim",
			"use Linux 5.19 or later, or cgroup version 1");
	if (r->reclaim_fd < 0 || r->stat_fd < 0)
		return bench_fail(b, -errno, "cannot open the files of %s: %s", b->cgroup,
			strerror(errno));
	return 0;
}

/*
 * Reading memory.stat makes the kernel add up what it counted by CPU: reclaim
 * goes by the sums, and from old ones takes the lists for empty. That not all
 * was reclaimed is EAGAIN, and for verify() to judge.
 */
static int reclaim(struct bench *b, const struct reclaim *r)
{
	int64_t in = (int64_t)b->units_per_op;
	char text[4096];

	for (int i = 0; i < RECLAIM_TRIES; i++) {
		if (pread(r->stat_fd, text, sizeof(text), 0) < 0)
			return bench_fail(b, -errno, "memory.stat: %s", strerror(errno));
		snprintf(text, sizeof(text), "%llu",
			r->by_bytes ? (unsigned long long)in * b->page_bytes : 0);
		if (pwrite(r->reclaim_fd, text, strlen(text), 0) < 0 && errno != EAGAIN &&
			errno != EINTR)
			return bench_fail(b, -errno, "cannot reclaim: %s", strerror(errno));
		in = paged_in_count(b, r->memory, r->bytes);
		if (in < 0 || bench_enough(b->units_per_op - (uint64_t)in, b->units_per_op))
			break;
	}
	return in < 0 ? (int)in : 0;
}

static int start_sharers(struct bench *b, struct reclaim *r)
{
	struct sharers_plan plan = {
		.memory = r->memory,
		.bytes = r->bytes,
		.count = bench_param(b, "processes") - 1,
		.running = bench_param(b, "running"),
	};

	if (plan.running > plan.count)
		plan.running = plan.count;
	return sharers_start(b, &plan, &r->sharers);
}

static int reclaim_setup(struct bench *b)
{
	struct reclaim *r = calloc(1, sizeof(*r));
	const enum backing kind = (enum backing)bench_param(b, "kind");
	int ret;

	if (!r)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = r;
	r->reclaim_fd = r->stat_fd = -1;
	r->bytes = bench_param(b, "size");
	r->counter = kind == BACKING_FILE ? "pgsteal_file" : "pgsteal_anon";
	b->units_per_op = r->bytes / b->page_bytes;
	ret = join(b);
	if (ret == 0)
		ret = open_reclaim(b, r);
	if (ret == 0)
		ret = backing_map(b, kind, r->bytes, &r->memory);
	/*
	 * The others stay outside, so that their own pages are not reclaimed. If
	 * we cannot leave they are, and some of ours may not be: verify() tells.
	 */
	if (ret == 0)
		enter(b, "../cgroup.procs");
	if (ret == 0)
		ret = start_sharers(b, r);
	if (ret == 0)
		ret = join(b); /* a file's pages are charged anew when they come back */
	return ret < 0 ? ret : reclaim(b, r);
}

static int reclaim_run(struct bench *b, uint64_t n)
{
	struct reclaim *r = b->state;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		int ret = sharers_read(b, r->sharers);
		uint64_t touched = bench_now_ns();

		b->phase_ns[PHASE_TOUCH] += touched - start;
		if (ret == 0)
			ret = reclaim(b, r);
		if (ret < 0)
			return ret;
		start = bench_now_ns();
		b->phase_ns[PHASE_RECLAIM] += start - touched;
	}
	return 0;
}

/* No page is in memory, and the kernel counts each operation's as reclaimed. */
static int check_reclaimed(struct bench *b, const struct reclaim *r, uint64_t asked)
{
	const uint64_t pages = b->units_per_op;
	const int64_t in = paged_in_count(b, r->memory, r->bytes);
	uint64_t stolen;

	if (in < 0)
		return (int)in;
	if (!bench_enough(pages - (uint64_t)in, pages))
		return bench_fail(b, -EIO, "%lld of %llu pages are still resident",
			(long long)in, (unsigned long long)pages);
	if (b->vmstat_delta(b, r->counter, &stolen) < 0)
		return bench_fail(b, -ENODATA, "no %s in /proc/vmstat to prove the reclaim",
			r->counter);
	if (!bench_enough(stolen, asked))
		return bench_fail(b, -EIO, "only %llu of %llu pages were reclaimed (%s)",
			(unsigned long long)stolen, (unsigned long long)asked, r->counter);
	return 0;
}

static int reclaim_verify(struct bench *b, uint64_t n)
{
	struct reclaim *r = b->state;
	int ret = check_reclaimed(b, r, n * b->units_per_op), again;

	if (ret == 0)
		ret = sharers_check_content(b, r->sharers);
	if (ret == 0)
		ret = sharers_check_running(b, r->sharers);
	again = reclaim(b, r);
	return ret < 0 ? ret : again;
}

static void reclaim_teardown(struct bench *b)
{
	struct reclaim *r = b->state;

	if (!r)
		return;
	sharers_stop(r->sharers);
	if (r->memory)
		munmap(r->memory, r->bytes);
	if (r->reclaim_fd >= 0)
		close(r->reclaim_fd);
	if (r->stat_fd >= 0)
		close(r->stat_fd);
	free(r);
}

const struct workload workload_reclaim = {
	.name = "reclaim",
	.summary = "reclaim pages that several processes map, through a cgroup",
	.path = "memory.reclaim: shrink_folio_list, try_to_unmap of each process",
	.unit = "page",
	.revision = 1,
	.needs = NEED_SWAP | NEED_CGROUP,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = reclaim_setup,
	.run = reclaim_run,
	.verify = reclaim_verify,
	.teardown = reclaim_teardown,
};
