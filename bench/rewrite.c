// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Correctness of files. Threads read mapped files whose pages are reclaimed, or moved to
 * another node, and then rewritten, replaced by private copies, or used for something
 * else. One that finds what was there before, or somebody else's page, has used a
 * translation that the kernel should have flushed. The files are open for writing only
 * while they are written, and clean when they are let go. Its times mean nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "backing.h"
#include "nodes.h"
#include "rewrite.h"

enum { METRIC_CHECKS, METRIC_VIOLATIONS };
static const struct bench_metric metrics[] = {
	{ "checks", "checks", "the threads", BENCH_NEITHER, true, false },
	{ "violations", "violations", "the threads", BENCH_LOWER, false, true },
	{ 0 },
};

enum { BY_RECLAIM, BY_MIGRATION };
static const char *const ways[] = { "reclaim", "migration", NULL };

static const struct param params[] = {
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "128K",
		.unit = "bytes",
		.min = 65536, /* a page everywhere */
		.max = (uint64_t)1 << 30,
		.help = "each of two files",
	},
	{
		.name = "threads",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "that read them on other CPUs",
	},
	{
		.name = "by",
		.type = PARAM_CHOICE,
		.preset = "reclaim",
		.choices = ways,
		.help = "how pages lose their memory; migration: to another memory node",
	},
	BENCH_PARAM_PRESSURE,
	{ 0 },
};

static void report(struct rewrite *r, const struct place *p, size_t page, uint64_t seen,
	uint64_t wanted)
{
	if (atomic_fetch_add(&r->violations, 1) > 0)
		return;
	r->number = p->number;
	r->page = page;
	r->seen = seen;
	r->wanted = wanted;
	atomic_store(&r->broken, true);
}

static void pass(void *arg, size_t thread, uint64_t seq)
{
	struct rewrite *r = arg;
	struct place *p = &r->places[atomic_load(&r->focus)];

	(void)seq;
	for (size_t page = 0; page < r->pages; page++) {
		const uint64_t version = atomic_load(&p->version);
		const uint64_t seen =
			*(const volatile uint64_t *)(p->at + page * r->b->page_bytes);

		atomic_thread_fence(memory_order_seq_cst);
		atomic_fetch_add(&r->visits[thread], 1);
		if (version == 0 || atomic_load(&p->version) != version)
			continue;
		atomic_fetch_add(&r->checks[thread], 1);
		if (seen != rewrite_word(r, p, page, version))
			report(r, p, page, seen, rewrite_word(r, p, page, version));
	}
}

static unsigned long all_checks(const struct rewrite *r)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < r->n_users; i++)
		sum += atomic_load(&r->checks[i]);
	return sum;
}

static int judge(struct bench *b, const struct rewrite *r)
{
	static const char *const names[] = { "a file that was rewritten",
		"private copies" };

	if (!atomic_load(&r->broken))
		return 0;
	return bench_fail(b, -EIO,
		"stale translation: %lu violations in %lu checks; first: of %s, page %zu "
		"(%llx, not %llx)",
		atomic_load(&r->violations), all_checks(r), names[r->number], r->page,
		(unsigned long long)r->seen, (unsigned long long)r->wanted);
}

static int rewrite_run(struct bench *b, uint64_t n)
{
	struct rewrite *r = b->state;
	int ret = 0, judged;

	r->checks_before = all_checks(r);
	for (uint64_t i = 0; i < n && ret == 0 && !atomic_load(&r->broken); i++)
		ret = rewrite_turn(b, r);
	judged = judge(b, r);
	return judged < 0 ? judged : ret;
}

static int rewrite_verify(struct bench *b, uint64_t n)
{
	struct rewrite *r = b->state;
	const char *proof = r->migrates ? "pgmigrate_success" : "workingset_refault_file";
	int ret = judge(b, r);
	uint64_t gone;

	if (ret < 0)
		return ret;
	b->metric[METRIC_CHECKS] = (int64_t)(all_checks(r) - r->checks_before);
	if (b->vmstat_delta(b, proof, &gone) < 0)
		return bench_fail(b, -ENODATA,
			"no %s in /proc/vmstat to prove that pages lost their memory",
			proof);
	/* Of more than twice as many: a page that the journal holds may stay. */
	if (gone < n * r->pages)
		return bench_fail(b, -EAGAIN,
			"only %llu of at least %llu pages lost their memory (%s)",
			(unsigned long long)gone, (unsigned long long)n * r->pages, proof);
	ret = pressure_check(b, r->pressure);
	return ret < 0 ? ret : companions_check(b, r->companions);
}

static int make_place(struct bench *b, struct rewrite *r, size_t number)
{
	struct place *p = &r->places[number];
	const int prot = number == COPY ? PROT_READ | PROT_WRITE : PROT_READ;
	const int fd = backing_open_file(b, r->bytes);
	void *at;
	int ret;

	p->number = number;
	p->fd = fd < 0 ? fd : backing_open_again(b, fd, O_RDONLY);
	if (fd >= 0)
		close(fd);
	if (p->fd < 0)
		return p->fd;
	ret = rewrite_file(b, r, p, 2);
	if (ret < 0)
		return ret;
	at = mmap(
		NULL, r->bytes, prot, number == COPY ? MAP_PRIVATE : MAP_SHARED, p->fd, 0);
	if (at == MAP_FAILED)
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	p->at = at;
	return r->migrates ? mover_init(b, &p->mover, p->at, r->bytes, 0, r->nodes) : 0;
}

static int rewrite_setup(struct bench *b)
{
	struct rewrite *r = calloc(1, sizeof(*r));
	int ret = 0;

	if (!r)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = r;
	b->units_per_op = 1;
	r->b = b;
	r->pages = bench_param(b, "size") / b->page_bytes;
	r->bytes = r->pages * b->page_bytes;
	r->n_users = bench_param(b, "threads");
	if (r->n_users == 0)
		return bench_skip(b, "nobody else could use a stale translation",
			"give threads=1 or more, on a machine with two CPUs");
	r->migrates = bench_param(b, "by") == BY_MIGRATION;
	if (r->migrates)
		ret = nodes_choose(b, BENCH_NODE_AUTO, BENCH_NODE_AUTO, r->nodes);
	if (ret == 0)
		ret = pressure_start(b, &r->pressure);
	r->visits = calloc(r->n_users, sizeof(*r->visits));
	r->checks = calloc(r->n_users, sizeof(*r->checks));
	r->buffer = calloc(1, r->bytes);
	if (!r->visits || !r->checks || !r->buffer)
		return bench_fail(b, -ENOMEM, "no memory");
	for (size_t i = 0; i < PLACES && ret == 0; i++)
		ret = make_place(b, r, i);
	return ret < 0 ? ret
		       : companions_start_with(b, r->n_users, pass, r, &r->companions);
}

static void rewrite_teardown(struct bench *b)
{
	struct rewrite *r = b->state;

	if (!r)
		return;
	companions_stop(r->companions);
	pressure_stop(r->pressure);
	for (size_t i = 0; i < PLACES; i++) {
		if (r->places[i].at)
			munmap(r->places[i].at, r->bytes);
		if (r->places[i].fd > 0)
			close(r->places[i].fd);
		mover_clear(&r->places[i].mover);
	}
	free(r->visits);
	free(r->checks);
	free(r->buffer);
	free(r);
}

static uint64_t rewrite_footprint(const struct bench *b)
{
	return bench_param(b, "size") * (PLACES + REWRITE_OTHERS + 1);
}

static unsigned int rewrite_needs(const struct bench *b)
{
	return pressure_swap(b) ? NEED_SWAP : 0;
}

static uint64_t rewrite_disk(const struct bench *b)
{
	return bench_param(b, "size") * PLACES;
}

const struct workload workload_rewrite = {
	.name = "rewrite",
	.summary = "change files whose pages were reclaimed under readers, and look for "
		   "stale translations",
	.path = "try_to_unmap_flush, finish_fault, open for writing: correctness of files",
	.unit = "turn",
	.revision = 1,
	.more_needs = rewrite_needs,
	.params = params,
	.metrics = metrics,
	.footprint = rewrite_footprint,
	.more_swap = pressure_swap,
	.disk = rewrite_disk,
	.setup = rewrite_setup,
	.run = rewrite_run,
	.verify = rewrite_verify,
	.teardown = rewrite_teardown,
};
