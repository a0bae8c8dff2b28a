// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control: pages are touched and thrown away by MADV_DONTNEED, which
 * flushes through mmu_gather, once a call, with or without batched unmap. A
 * difference here between two kernels is not the batching.
 */
#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backing.h"

enum { PHASE_TOUCH, PHASE_ZAP };
static const char *const phases[] = { "touch", "zap", NULL };

static const struct param params[] = {
	BENCH_PARAM_SIZE("private anonymous memory touched by one operation"),
	BENCH_PARAM_COMPANIONS,
	{ 0 },
};

struct dontneed {
	unsigned char *memory;
	size_t bytes;
	struct companions *companions;
};

static int dontneed_setup(struct bench *b)
{
	struct dontneed *d = calloc(1, sizeof(*d));
	int ret;

	if (!d)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = d;
	d->bytes = bench_param(b, "size");
	ret = backing_map(b, BACKING_ANON, d->bytes, &d->memory);
	if (ret < 0)
		return ret;
	if (madvise(d->memory, d->bytes, MADV_DONTNEED) < 0)
		return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	b->units_per_op = d->bytes / b->page_bytes;
	return companions_start(b, bench_param(b, "threads"), &d->companions);
}

static int dontneed_run(struct bench *b, uint64_t n)
{
	const struct dontneed *d = b->state;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		volatile unsigned char *memory = d->memory;
		uint64_t touched;

		for (size_t at = 0; at < d->bytes; at += b->page_bytes)
			memory[at] = 1;
		touched = bench_now_ns();
		b->phase_ns[PHASE_TOUCH] += touched - start;
		if (madvise(d->memory, d->bytes, MADV_DONTNEED) < 0)
			return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
		start = bench_now_ns();
		b->phase_ns[PHASE_ZAP] += start - touched;
	}
	return 0;
}

/* What was written is gone: no page is mapped, and each reads as zero. */
static int dontneed_verify(struct bench *b, uint64_t n)
{
	struct dontneed *d = b->state;
	const size_t pages = d->bytes / b->page_bytes;
	unsigned char *resident = malloc(pages);
	size_t left = 0;

	(void)n;
	if (!resident)
		return bench_fail(b, -ENOMEM, "no memory");
	if (mincore(d->memory, d->bytes, resident) == 0)
		for (size_t i = 0; i < pages; i++)
			left += resident[i] & 1;
	free(resident);
	if (left)
		return bench_fail(
			b, -EIO, "%zu of %zu pages are still resident", left, pages);
	for (size_t at = 0; at < d->bytes; at += b->page_bytes)
		if (d->memory[at] != 0)
			return bench_fail(
				b, -EIO, "page %zu kept its content", at / b->page_bytes);
	if (madvise(d->memory, d->bytes, MADV_DONTNEED) < 0)
		return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	return companions_check(b, d->companions);
}

static void dontneed_teardown(struct bench *b)
{
	struct dontneed *d = b->state;

	if (!d)
		return;
	companions_stop(d->companions);
	if (d->memory)
		munmap(d->memory, d->bytes);
	free(d);
}

const struct workload workload_dontneed = {
	.name = "dontneed",
	.summary =
		"touch pages and drop them: a flush that batching does not touch (control)",
	.path = "madvise(MADV_DONTNEED): zap_page_range_single, mmu_gather",
	.unit = "page",
	.revision = 1,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = dontneed_setup,
	.run = dontneed_run,
	.verify = dontneed_verify,
	.teardown = dontneed_teardown,
};
