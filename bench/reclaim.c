// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reclaim of pages that many processes map, as kswapd does it: madvise leaves
 * such pages alone, so they are reclaimed through a cgroup. Each page is
 * unmapped from each process, and a flush is due for each.
 */
#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "backing.h"
#include "cgroup.h"
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
		.help = "private memory shared by fork, shared memory, a mapped file, or one "
			"that nobody can write",
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
	const char *counter; /* of /proc/vmstat: pages reclaimed of this kind */
	struct cgroup cgroup;
	struct sharers *sharers;
};

/* That not all was reclaimed is for verify() to judge. */
static int reclaim(struct bench *b, const struct reclaim *r)
{
	int64_t in = (int64_t)b->units_per_op;
	int ret = 0;

	for (int i = 0; i < RECLAIM_TRIES; i++) {
		ret = cgroup_reclaim(b, &r->cgroup, (uint64_t)in * b->page_bytes);
		if (ret < 0)
			break;
		in = paged_in_count(b, r->memory, r->bytes);
		if (in < 0 || bench_enough(b->units_per_op - (uint64_t)in, b->units_per_op))
			break;
	}
	return in < 0 ? (int)in : ret;
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
	cgroup_init(&r->cgroup);
	r->bytes = bench_param(b, "size");
	r->counter = backing_is_file(kind) ? "pgsteal_file" : "pgsteal_anon";
	b->units_per_op = r->bytes / b->page_bytes;
	ret = cgroup_join(b);
	if (ret == 0)
		ret = cgroup_open(b, &r->cgroup);
	if (ret == 0)
		ret = backing_map(b, kind, r->bytes, &r->memory);
	/*
	 * The others stay outside, so that their own pages are not reclaimed. If
	 * we cannot leave they are, and some of ours may not be: verify() tells.
	 */
	if (ret == 0)
		cgroup_leave(b);
	if (ret == 0)
		ret = start_sharers(b, r);
	if (ret == 0)
		ret = cgroup_join(b); /* a file's pages come back charged anew */
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
	cgroup_close(&r->cgroup);
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
	.disk = backing_disk,
	.setup = reclaim_setup,
	.run = reclaim_run,
	.verify = reclaim_verify,
	.teardown = reclaim_teardown,
};
