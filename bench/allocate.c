// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages are allocated while others are reclaimed: where a flush that was put off
 * until a page is used again would be paid. Each first touch is timed.
 */
#include "common.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backing.h"
#include "latency.h"
#include "paged_out.h"

enum { PHASE_FAULT, PHASE_DROP };
static const char *const phases[] = { "fault", "drop", NULL };

static const struct bench_metric metrics[] = {
	BENCH_LATENCY_METRICS("fault"),
	{ 0 },
};

static const struct param params[] = {
	BENCH_PARAM_SIZE("private memory that one operation touches for the first time"),
	{
		.name = "reclaimers",
		.type = PARAM_THREADS,
		.preset = "1",
		.unit = "threads",
		.help = "threads on other CPUs that page memory out meanwhile; 0: control",
	},
	{ 0 },
};

/* Of each reclaimer: two batches of reclaim, so that a turn is short. */
#define RECLAIMED_PAGES 64

struct reclaimer {
	unsigned char *memory;
	uint64_t turns; /* what each page's first word holds */
};

struct allocate {
	unsigned char *memory;
	size_t bytes;
	const struct bench *b;
	bool dirty; /* a page was not zero when it came */
	size_t n_reclaimers;
	struct reclaimer *reclaimers;
	atomic_bool lost; /* a reclaimer's page came back as it was not left */
	struct latency *latency;
	struct companions *companions;
};

static uint64_t allocate_footprint(const struct bench *b)
{
	return bench_param(b, "size") +
	       bench_param(b, "reclaimers") * RECLAIMED_PAGES * b->page_bytes;
}

static void reclaim_own(void *arg, size_t thread, uint64_t seq)
{
	struct allocate *a = arg;
	struct reclaimer *r = &a->reclaimers[thread];
	const size_t bytes = RECLAIMED_PAGES * a->b->page_bytes;

	(void)seq;
	for (size_t at = 0; at < bytes; at += a->b->page_bytes) {
		volatile uint64_t *word = (uint64_t *)(r->memory + at);

		if (*word != r->turns)
			atomic_store(&a->lost, true);
		*word = r->turns + 1;
	}
	r->turns++;
	madvise(r->memory, bytes, MADV_PAGEOUT);
}

static int start_reclaimers(struct bench *b, struct allocate *a)
{
	const size_t n = bench_param(b, "reclaimers");
	int ret = 0;

	a->reclaimers = calloc(n + 1, sizeof(*a->reclaimers));
	if (!a->reclaimers)
		return bench_fail(b, -ENOMEM, "no memory for %zu threads", n);
	for (; a->n_reclaimers < n && ret == 0; a->n_reclaimers += ret == 0) {
		struct reclaimer *r = &a->reclaimers[a->n_reclaimers];
		const size_t bytes = RECLAIMED_PAGES * b->page_bytes;

		ret = backing_map(b, BACKING_ANON, bytes, &r->memory);
		for (size_t at = 0; ret == 0 && at < bytes; at += b->page_bytes)
			*(uint64_t *)(r->memory + at) = 0;
	}
	return ret < 0 ? ret : companions_start_with(b, n, reclaim_own, a, &a->companions);
}

static int allocate_setup(struct bench *b)
{
	struct allocate *a = calloc(1, sizeof(*a));
	int ret;

	if (!a)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = a;
	a->b = b;
	a->bytes = bench_param(b, "size");
	b->units_per_op = a->bytes / b->page_bytes;
	ret = backing_map(b, BACKING_ANON, a->bytes, &a->memory);
	if (ret == 0)
		ret = page_out(b, a->memory, a->bytes); /* does this kernel know it? */
	if (ret == 0 && madvise(a->memory, a->bytes, MADV_DONTNEED) < 0)
		ret = bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	if (ret == 0)
		ret = latency_new(b, 1, &a->latency);
	return ret < 0 ? ret : start_reclaimers(b, a);
}

/* Whether a new page is zero is looked at where that costs no second fault. */
static void touch_pages(struct bench *b, struct allocate *a)
{
	for (size_t at = 0; at < a->bytes; at += b->page_bytes) {
		volatile uint64_t *word = (uint64_t *)(a->memory + at);
		const uint64_t start = cycles_now();

		word[0] = at + 1;
		latency_note(a->latency, 0, start);
		a->dirty |= word[1] != 0;
	}
}

static int allocate_run(struct bench *b, uint64_t n)
{
	struct allocate *a = b->state;
	uint64_t start;

	latency_begin(a->latency);
	start = bench_now_ns();
	for (uint64_t i = 0; i < n; i++) {
		uint64_t touched;

		touch_pages(b, a);
		touched = bench_now_ns();
		if (madvise(a->memory, a->bytes, MADV_DONTNEED) < 0)
			return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
		b->phase_ns[PHASE_FAULT] += touched - start;
		start = bench_now_ns();
		b->phase_ns[PHASE_DROP] += start - touched;
	}
	latency_end(a->latency);
	return 0;
}

static int check_reclaimed(struct bench *b, struct allocate *a)
{
	uint64_t written;

	if (a->n_reclaimers == 0)
		return 0;
	if (atomic_load(&a->lost))
		return bench_fail(
			b, -EIO, "a reclaimed page came back with another content");
	if (b->vmstat_delta(b, "pswpout", &written) < 0)
		return bench_fail(b, -ENODATA,
			"no pswpout in /proc/vmstat to prove that pages were reclaimed");
	if (written == 0)
		return bench_fail(
			b, -EAGAIN, "no page was reclaimed during the sample (pswpout)");
	return companions_check(b, a->companions);
}

static int allocate_verify(struct bench *b, uint64_t n)
{
	struct allocate *a = b->state;
	const uint64_t asked = n * b->units_per_op;
	uint64_t faults;

	latency_report(b, a->latency, 0);
	if (a->dirty)
		return bench_fail(b, -EIO, "a new page held what somebody left in it");
	if (b->vmstat_delta(b, "pgfault", &faults) < 0)
		return bench_fail(
			b, -ENODATA, "no pgfault in /proc/vmstat to prove the faults");
	if (!bench_enough(faults, asked))
		return bench_fail(b, -EIO, "only %llu of %llu pages were new (pgfault)",
			(unsigned long long)faults, (unsigned long long)asked);
	return check_reclaimed(b, a);
}

static void allocate_teardown(struct bench *b)
{
	struct allocate *a = b->state;

	if (!a)
		return;
	companions_stop(a->companions);
	for (size_t i = 0; i < a->n_reclaimers; i++)
		munmap(a->reclaimers[i].memory, RECLAIMED_PAGES * b->page_bytes);
	if (a->memory)
		munmap(a->memory, a->bytes);
	latency_free(a->latency);
	free(a->reclaimers);
	free(a);
}

const struct workload workload_allocate = {
	.name = "allocate",
	.summary = "touch new pages while threads on other CPUs page out",
	.path = "do_anonymous_page, get_page_from_freelist beside shrink_folio_list",
	.unit = "page",
	.revision = 1,
	.needs = NEED_SWAP,
	.params = params,
	.phases = phases,
	.metrics = metrics,
	.footprint = allocate_footprint,
	.setup = allocate_setup,
	.run = allocate_run,
	.verify = allocate_verify,
	.teardown = allocate_teardown,
};
