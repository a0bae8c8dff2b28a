// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a flush costs those who run on: threads walk pages of their own while the
 * measuring one reclaims or migrates others. A flush interrupts them, and a full
 * one, as a batch may send, also takes their translations away.
 */
#include "common.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backing.h"
#include "latency.h"
#include "mover.h"
#include "nodes.h"
#include "paged_out.h"
#include "tlb_misses.h"

enum { WORK_PAGE_OUT, WORK_MIGRATE, WORK_NONE };
static const char *const works[] = { "page_out", "migrate", "none", NULL };

/* Touches that are timed as one: the counter of some CPUs ticks every 40 ns. */
#define TOUCHES 16

enum { METRIC_LATENCY, METRIC_MISSES = BENCH_LATENCY_COUNT };
static const struct bench_metric metrics[] = {
	BENCH_LATENCY_METRICS("victim"),
	{
		.name = "victim_dtlb_miss_permille",
		.unit = "misses/1000 touches",
		.source = "perf_event_open",
	},
	{ 0 },
};

static const struct param params[] = {
	BENCH_PARAM_SIZE("private memory that one operation works on"),
	{
		.name = "victims",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "threads on other CPUs that walk their working set meanwhile",
	},
	{
		.name = "wset",
		.type = PARAM_COUNT,
		.preset = "1024",
		.unit = "pages",
		.min = TOUCHES,
		.max = (uint64_t)1 << 26,
		.help = "of the walk: 32 fit a first-level TLB, 1024 a second, 16384 none",
	},
	{
		.name = "work",
		.type = PARAM_CHOICE,
		.preset = "page_out",
		.choices = works,
		.help = "done to size meanwhile; none: only read (control)",
	},
	{ 0 },
};

struct walker {
	_Alignas(64) const void *at;
	uint64_t touches; /* in the last sample */
	uint64_t misses;  /* when that began */
	int misses_fd;    /* or -errno; valid once opened */
	bool opened;
};

struct victim {
	unsigned char *memory;
	size_t bytes, work;
	unsigned char *wset; /* of all walkers; nobody writes to it */
	size_t wset_bytes;
	struct mover mover;
	size_t n_walkers;
	struct walker *walkers;
	atomic_bool counts;
	struct latency *latency;
	struct companions *companions;
};

static uint64_t victim_footprint(const struct bench *b)
{
	return bench_param(b, "size") + bench_param(b, "wset") * b->page_bytes;
}

/* A page holds one step, on a cache line that differs from page to page. */
static void **step_of(const struct bench *b, const struct victim *v, size_t page)
{
	const size_t lines = b->page_bytes / 64;
	const size_t line = bench_pattern_word(b, page) % lines;

	return (void **)(v->wset + page * b->page_bytes + line * 64);
}

/* One cycle through all pages in random order (Sattolo), each leading to the next. */
static int link_steps(struct bench *b, const struct victim *v)
{
	const size_t pages = v->wset_bytes / b->page_bytes;
	size_t *order = calloc(pages, sizeof(*order));

	if (!order)
		return bench_fail(b, -ENOMEM, "no memory to order %zu pages", pages);
	for (size_t i = 0; i < pages; i++)
		order[i] = i;
	for (size_t i = pages - 1; i > 0; i--) {
		const size_t k = bench_pattern_word(b, pages + i) % i, kept = order[i];

		order[i] = order[k];
		order[k] = kept;
	}
	for (size_t i = 0; i < pages; i++)
		*step_of(b, v, i) = step_of(b, v, order[i]);
	free(order);
	return 0;
}

static void walk(void *arg, size_t thread, uint64_t seq)
{
	struct victim *v = arg;
	struct walker *w = &v->walkers[thread];
	uint64_t start;

	(void)seq;
	if (!w->opened) {
		w->misses_fd = tlb_misses_open();
		w->opened = true;
	}
	start = cycles_now();
	for (int i = 0; i < TOUCHES; i++)
		w->at = *(void *const volatile *)w->at;
	latency_note(v->latency, thread, start);
	if (atomic_load_explicit(&v->counts, memory_order_relaxed))
		w->touches += TOUCHES;
}

static int start_walkers(struct bench *b, struct victim *v)
{
	const size_t n = bench_param(b, "victims");
	int ret = latency_new(b, n, &v->latency);

	if (ret < 0)
		return ret;
	v->walkers = aligned_alloc(64, (n + 1) * sizeof(*v->walkers));
	if (!v->walkers)
		return bench_fail(b, -ENOMEM, "no memory for %zu threads", n);
	memset(v->walkers, 0, (n + 1) * sizeof(*v->walkers));
	v->n_walkers = n;
	for (size_t i = 0; i < n; i++)
		v->walkers[i].at = step_of(b, v, i * (v->wset_bytes / b->page_bytes) / n);
	return companions_start_with(b, n, walk, v, &v->companions);
}

static int prepare_migration(struct bench *b, struct victim *v)
{
	int nodes[2];
	int ret = nodes_choose(b, BENCH_NODE_AUTO, BENCH_NODE_AUTO, nodes);

	if (ret == 0)
		ret = mover_init(b, &v->mover, v->memory, v->bytes, 0, nodes);
	return ret < 0 ? ret : mover_move(b, &v->mover, 0);
}

static int victim_setup(struct bench *b)
{
	struct victim *v = calloc(1, sizeof(*v));
	int ret;

	if (!v)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = v;
	v->bytes = bench_param(b, "size");
	v->work = bench_param(b, "work");
	v->wset_bytes = bench_param(b, "wset") * b->page_bytes;
	b->units_per_op = v->bytes / b->page_bytes * (v->work == WORK_MIGRATE ? 2 : 1);
	ret = backing_map(b, BACKING_ANON, v->bytes, &v->memory);
	if (ret == 0)
		ret = backing_map(b, BACKING_ANON, v->wset_bytes, &v->wset);
	if (ret == 0)
		ret = link_steps(b, v);
	if (ret == 0 && v->work == WORK_MIGRATE)
		ret = prepare_migration(b, v);
	if (ret == 0 && v->work == WORK_PAGE_OUT)
		ret = page_out(b, v->memory, v->bytes);
	return ret < 0 ? ret : start_walkers(b, v);
}

static int work_once(struct bench *b, struct victim *v)
{
	int ret;

	if (v->work == WORK_MIGRATE) {
		ret = mover_move(b, &v->mover, 1);
		return ret < 0 ? ret : mover_move(b, &v->mover, 0);
	}
	bench_read_pages(v->memory, v->bytes, b->page_bytes);
	return v->work == WORK_PAGE_OUT ? page_out(b, v->memory, v->bytes) : 0;
}

/* So that touches and misses are of the same time, to within some touches. */
static void start_counting(struct victim *v)
{
	for (size_t i = 0; i < v->n_walkers; i++) {
		struct walker *w = &v->walkers[i];

		w->touches = 0;
		if (w->misses_fd >= 0)
			tlb_misses_read(w->misses_fd, &w->misses);
	}
	atomic_store(&v->counts, true);
}

static int victim_run(struct bench *b, uint64_t n)
{
	struct victim *v = b->state;
	int ret = 0;

	v->mover.moved = 0;
	start_counting(v);
	latency_begin(v->latency);
	for (uint64_t i = 0; i < n && ret == 0; i++)
		ret = work_once(b, v);
	latency_end(v->latency);
	atomic_store(&v->counts, false);
	return ret;
}

static void report_misses(struct bench *b, const struct victim *v)
{
	uint64_t touches = 0, misses = 0, now;
	int ret = v->n_walkers ? 0 : -ENODATA;

	for (size_t i = 0; i < v->n_walkers && ret == 0; i++) {
		const struct walker *w = &v->walkers[i];

		ret = w->misses_fd < 0 ? w->misses_fd : tlb_misses_read(w->misses_fd, &now);
		if (ret == 0)
			misses += now - w->misses;
		touches += w->touches;
	}
	if (ret == 0 && touches == 0)
		ret = -ENODATA;
	b->no_metric[METRIC_MISSES][0] = '\0';
	if (ret == 0)
		b->metric[METRIC_MISSES] = (int64_t)(misses * 1000 / touches);
	else
		snprintf(b->no_metric[METRIC_MISSES], sizeof(b->no_metric[METRIC_MISSES]),
			"no count of the victims' TLB misses (usual in a virtual machine): "
			"%s",
			strerror(-ret));
}

static int check_work(struct bench *b, struct victim *v, uint64_t asked)
{
	int ret = 0;

	if (v->work == WORK_PAGE_OUT)
		return paged_out_check(b, v->memory, v->bytes, asked, true);
	if (v->work == WORK_NONE)
		return 0;
	if (!bench_enough(v->mover.moved, asked))
		ret = bench_fail(b, -EIO, "move_pages moved only %llu of %llu pages",
			(unsigned long long)v->mover.moved, (unsigned long long)asked);
	if (ret == 0)
		ret = mover_check_counted(b, asked);
	return ret < 0 ? ret : mover_check_home(b, &v->mover);
}

static int victim_verify(struct bench *b, uint64_t n)
{
	struct victim *v = b->state;
	int ret = check_work(b, v, n * b->units_per_op), again = 0;
	int64_t wrong;

	latency_report(b, v->latency, METRIC_LATENCY);
	report_misses(b, v);
	wrong = ret == 0 ? bench_pattern_check(b, v->memory, v->bytes) : -1;
	if (wrong >= 0)
		ret = bench_fail(b, -EIO, "page %lld came back with another content",
			(long long)wrong);
	if (ret == 0)
		ret = companions_check(b, v->companions);
	if (v->work == WORK_PAGE_OUT)
		again = page_out(b, v->memory, v->bytes);
	return ret < 0 ? ret : again;
}

static void victim_teardown(struct bench *b)
{
	struct victim *v = b->state;

	if (!v)
		return;
	companions_stop(v->companions);
	for (size_t i = 0; i < v->n_walkers; i++)
		if (v->walkers[i].opened && v->walkers[i].misses_fd >= 0)
			close(v->walkers[i].misses_fd);
	if (v->memory)
		munmap(v->memory, v->bytes);
	if (v->wset)
		munmap(v->wset, v->wset_bytes);
	mover_clear(&v->mover);
	latency_free(v->latency);
	free(v->walkers);
	free(v);
}

const struct workload workload_victim = {
	.name = "victim",
	.summary = "reclaim or migrate while threads on other CPUs walk their pages",
	.path = "arch_tlbbatch_flush, flush_tlb_func: as those see it who are flushed",
	.unit = "page",
	.revision = 1,
	.needs = NEED_SWAP,
	.params = params,
	.metrics = metrics,
	.footprint = victim_footprint,
	.setup = victim_setup,
	.run = victim_run,
	.verify = victim_verify,
	.teardown = victim_teardown,
};
