// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop of the arm64 and powerpc series: bring pages in from swap by
 * touching them, then page them out by madvise. Reclaim unmaps each page
 * through try_to_unmap, which is where batching defers the flush.
 */
#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backing.h"
#include "paged_out.h"

enum { PHASE_SWAP_IN, PHASE_PAGE_OUT };
static const char *const phases[] = { "swap_in", "page_out", NULL };

enum { TOUCH_READ, TOUCH_WRITE };
static const char *const touches[] = { "read", "write", NULL };

enum { MAPPING_SHARED, MAPPING_PRIVATE };
static const char *const mappings[] = { "shared", "private", NULL };

static const struct param params[] = {
	BENCH_PARAM_SIZE("anonymous memory that one operation brings in and pages out"),
	BENCH_PARAM_COMPANIONS,
	{
		.name = "touch",
		.type = PARAM_CHOICE,
		.preset = "read",
		.choices = touches,
		.help = "how a page is brought in: one byte read, or one word written",
	},
	{
		.name = "mapping",
		.type = PARAM_CHOICE,
		.preset = "shared",
		.choices = mappings,
		.help = "MAP_SHARED (shmem, as in the published loop) or MAP_PRIVATE",
	},
	{ 0 },
};

struct swap {
	unsigned char *memory;
	size_t bytes;
	bool write, shared;
	uint64_t generation; /* what the last operation wrote; 0: nothing yet */
	struct companions *companions;
};

static int swap_setup(struct bench *b)
{
	struct swap *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = s;
	s->bytes = bench_param(b, "size");
	s->write = bench_param(b, "touch") == TOUCH_WRITE;
	s->shared = bench_param(b, "mapping") == MAPPING_SHARED;
	b->units_per_op = s->bytes / b->page_bytes;
	ret = backing_map(b, s->shared ? BACKING_SHM : BACKING_ANON, s->bytes, &s->memory);
	if (ret < 0)
		return ret;
	ret = page_out(b, s->memory, s->bytes);
	if (ret < 0)
		return ret;
	return companions_start(b, bench_param(b, "threads"), &s->companions);
}

static void write_pages(struct swap *s, size_t page_bytes)
{
	s->generation++;
	for (size_t at = 0; at < s->bytes; at += page_bytes)
		*(volatile uint64_t *)(s->memory + at) = s->generation;
}

static int swap_run(struct bench *b, uint64_t n)
{
	struct swap *s = b->state;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		uint64_t touched;

		if (s->write)
			write_pages(s, b->page_bytes);
		else
			bench_read_pages(s->memory, s->bytes, b->page_bytes);
		touched = bench_now_ns();
		b->phase_ns[PHASE_SWAP_IN] += touched - start;
		if (madvise(s->memory, s->bytes, MADV_PAGEOUT) < 0)
			return bench_fail(b, -errno, "MADV_PAGEOUT: %s", strerror(errno));
		start = bench_now_ns();
		b->phase_ns[PHASE_PAGE_OUT] += start - touched;
	}
	return 0;
}

static int check_content(struct bench *b, struct swap *s)
{
	uint64_t *word = (uint64_t *)s->memory;
	int64_t wrong;

	/* Written pages carry the generation in their first word: put back the pattern's. */
	for (size_t i = 0; s->generation && i < b->units_per_op; i++) {
		if (*word != s->generation)
			return bench_fail(
				b, -EIO, "page %zu lost what was written to it", i);
		*word = word[1];
		word += b->page_bytes / sizeof(*word);
	}
	wrong = bench_pattern_check(b, s->memory, s->bytes);
	if (wrong >= 0)
		return bench_fail(b, -EIO,
			"page %lld came back from swap with another content",
			(long long)wrong);
	return 0;
}

static int swap_verify(struct bench *b, uint64_t n)
{
	struct swap *s = b->state;
	/* A private page that was only read is dropped without being written again. */
	int ret = paged_out_check(
		b, s->memory, s->bytes, n * b->units_per_op, !s->shared && !s->write);
	int page_out_ret;

	if (ret == 0)
		ret = check_content(b, s);
	if (ret == 0)
		ret = companions_check(b, s->companions);
	page_out_ret = page_out(b, s->memory, s->bytes);
	return ret < 0 ? ret : page_out_ret;
}

static void swap_teardown(struct bench *b)
{
	struct swap *s = b->state;

	if (!s)
		return;
	companions_stop(s->companions);
	if (s->memory)
		munmap(s->memory, s->bytes);
	free(s);
}

const struct workload workload_swap = {
	.name = "swap",
	.summary = "read pages in from swap and page them out again (MADV_PAGEOUT)",
	.path = "madvise(MADV_PAGEOUT): shrink_folio_list, try_to_unmap",
	.unit = "page",
	.revision = 1,
	.needs = NEED_SWAP,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = swap_setup,
	.run = swap_run,
	.verify = swap_verify,
	.teardown = swap_teardown,
};
