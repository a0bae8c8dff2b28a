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
	{
		.name = "kind",
		.type = PARAM_CHOICE,
		.preset = "anon",
		.choices = backing_names,
		.help = "what they page out: private memory, shared memory, a mapped file, or "
			"one that nobody can write",
	},
	{ 0 },
};

/* Of each reclaimer: two batches of reclaim, so that a turn is short. */
#define RECLAIMED_PAGES 64

struct reclaimer {
	unsigned char *memory;
	uint64_t turns; /* what each page's first word holds, if it is no file's */
};

struct allocate {
	unsigned char *memory;
	size_t bytes;
	const struct bench *b;
	bool dirty; /* a page was not zero when it came */
	size_t n_reclaimers;
	enum backing kind; /* of what they have */
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

static bool write_turn(const struct allocate *a, struct reclaimer *r)
{
	bool lost = false;

	for (size_t page = 0; page < RECLAIMED_PAGES; page++) {
		volatile uint64_t *word = (uint64_t *)(r->memory + page * a->b->page_bytes);

		lost |= *word != r->turns;
		*word = r->turns + 1;
	}
	r->turns++;
	return lost;
}

static bool read_pages(const struct allocate *a, const struct reclaimer *r)
{
	bool lost = false;

	for (size_t page = 0; page < RECLAIMED_PAGES; page++)
		lost |= *(const volatile uint64_t *)(r->memory + page * a->b->page_bytes) !=
			bench_pattern_word(a->b, page);
	return lost;
}

/* The pages of a file stay clean, so that they are reclaimed without a write. */
static void reclaim_own(void *arg, size_t thread, uint64_t seq)
{
	struct allocate *a = arg;
	struct reclaimer *r = &a->reclaimers[thread];

	(void)seq;
	if (backing_is_file(a->kind) ? read_pages(a, r) : write_turn(a, r))
		atomic_store(&a->lost, true);
	madvise(r->memory, RECLAIMED_PAGES * a->b->page_bytes, MADV_PAGEOUT);
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

		ret = backing_map(b, a->kind, bytes, &r->memory);
		if (ret < 0 || backing_is_file(a->kind))
			continue;
		for (size_t at = 0; at < bytes; at += b->page_bytes)
			*(uint64_t *)(r->memory + at) = 0;
	}
	return ret < 0 ? ret : companions_start_with(b, n, reclaim_own, a, &a->companions);
}

static uint64_t allocate_disk(const struct bench *b)
{
	if (!backing_is_file((enum backing)bench_param(b, "kind")))
		return 0;
	return bench_param(b, "reclaimers") * RECLAIMED_PAGES * b->page_bytes;
}

static int allocate_setup(struct bench *b)
{
	struct allocate *a = calloc(1, sizeof(*a));
	int ret;

	if (!a)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = a;
	a->b = b;
	a->kind = (enum backing)bench_param(b, "kind");
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
	/* Clean pages are not written; those that are missed have been reclaimed. */
	const char *proof =
		backing_is_file(a->kind) ? "workingset_refault_file" : "pswpout";
	uint64_t reclaimed;

	if (a->n_reclaimers == 0)
		return 0;
	if (atomic_load(&a->lost))
		return bench_fail(
			b, -EIO, "a reclaimed page came back with another content");
	if (b->vmstat_delta(b, proof, &reclaimed) < 0)
		return bench_fail(b, -ENODATA,
			"no %s in /proc/vmstat to prove that pages were reclaimed", proof);
	if (reclaimed == 0)
		return bench_fail(
			b, -EAGAIN, "no page was reclaimed during the sample (%s)", proof);
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
	.disk = allocate_disk,
	.setup = allocate_setup,
	.run = allocate_run,
	.verify = allocate_verify,
	.teardown = allocate_teardown,
};
