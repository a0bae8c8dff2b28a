// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads of one process touch and drop pages of their own on all CPUs at once,
 * so that each flush meets the others'. What grows with the number of threads is
 * what flushes wait for each other.
 */
#include "common.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backing.h"

static const struct param params[] = {
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "64K",
		.unit = "bytes",
		.min = 4096,
		.max = (uint64_t)1 << 30,
		.help = "private memory that each thread touches and drops at once",
	},
	{
		.name = "threads",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "of the process on other CPUs, which do the same; 0: control",
	},
	{ 0 },
};

struct dropper {
	_Alignas(64) atomic_ulong done; /* operations so far */
	unsigned char *memory;
	atomic_int error;
};

struct storm {
	unsigned char *memory; /* of the measuring thread, then of the others */
	size_t bytes, page_bytes;
	size_t n_others;
	struct dropper *droppers; /* the measuring thread's, then the others' */
	_Atomic uint64_t wanted;  /* operations of each */
	struct companions *companions;
};

static uint64_t storm_footprint(const struct bench *b)
{
	return bench_param(b, "size") * (bench_param(b, "threads") + 1);
}

static void drop_once(const struct storm *s, struct dropper *d)
{
	for (size_t at = 0; at < s->bytes; at += s->page_bytes)
		*(volatile unsigned char *)(d->memory + at) = 1;
	if (madvise(d->memory, s->bytes, MADV_DONTNEED) < 0)
		atomic_store(&d->error, errno);
	atomic_fetch_add(&d->done, 1);
}

/* A thread that has done its part waits without a call, and so executes no kernel code. */
static void drop_along(void *arg, size_t thread, uint64_t seq)
{
	struct storm *s = arg;
	struct dropper *d = &s->droppers[thread + 1];

	(void)seq;
	if (atomic_load(&d->done) < atomic_load(&s->wanted))
		drop_once(s, d);
}

static int storm_setup(struct bench *b)
{
	struct storm *s = calloc(1, sizeof(*s));
	int ret;

	if (!s)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = s;
	s->bytes = bench_param(b, "size");
	s->page_bytes = b->page_bytes;
	s->n_others = bench_param(b, "threads");
	if (s->bytes % b->page_bytes)
		return bench_fail(b, -EINVAL, "size is not a multiple of a page, %zu bytes",
			b->page_bytes);
	b->units_per_op = (s->n_others + 1) * (s->bytes / b->page_bytes);
	s->droppers = aligned_alloc(64, (s->n_others + 1) * sizeof(*s->droppers));
	if (!s->droppers)
		return bench_fail(b, -ENOMEM, "no memory");
	memset(s->droppers, 0, (s->n_others + 1) * sizeof(*s->droppers));
	ret = backing_map(b, BACKING_ANON, (s->n_others + 1) * s->bytes, &s->memory);
	for (size_t i = 0; i <= s->n_others && ret == 0; i++)
		s->droppers[i].memory = s->memory + i * s->bytes;
	return ret < 0 ? ret
		       : companions_start_with(
				 b, s->n_others, drop_along, s, &s->companions);
}

static int storm_run(struct bench *b, uint64_t n)
{
	struct storm *s = b->state;
	const uint64_t wanted = atomic_load(&s->wanted) + n;

	atomic_store(&s->wanted, wanted);
	for (uint64_t i = 0; i < n; i++)
		drop_once(s, &s->droppers[0]);
	for (size_t i = 1; i <= s->n_others; i++)
		while (atomic_load(&s->droppers[i].done) < wanted)
			;
	return 0;
}

/* Each has done its part, and of what it wrote nothing is left. */
static int storm_verify(struct bench *b, uint64_t n)
{
	struct storm *s = b->state;

	(void)n;
	for (size_t i = 0; i <= s->n_others; i++) {
		const struct dropper *d = &s->droppers[i];
		const int error = atomic_load(&d->error);

		if (error)
			return bench_fail(b, -error, "MADV_DONTNEED: %s", strerror(error));
		if (atomic_load(&d->done) != atomic_load(&s->wanted))
			return bench_fail(b, -EIO, "thread %zu did %lu operations of %llu",
				i, atomic_load(&d->done),
				(unsigned long long)atomic_load(&s->wanted));
		for (size_t at = 0; at < s->bytes; at += s->page_bytes)
			if (d->memory[at] != 0)
				return bench_fail(b, -EIO,
					"page %zu of thread %zu kept its content",
					at / s->page_bytes, i);
		if (madvise(d->memory, s->bytes, MADV_DONTNEED) < 0)
			return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	}
	return companions_check(b, s->companions);
}

static void storm_teardown(struct bench *b)
{
	struct storm *s = b->state;

	if (!s)
		return;
	companions_stop(s->companions);
	if (s->memory)
		munmap(s->memory, (s->n_others + 1) * s->bytes);
	free(s->droppers);
	free(s);
}

const struct workload workload_storm = {
	.name = "storm",
	.summary = "drop pages on all CPUs at once: flushes that meet each other",
	.path = "madvise(MADV_DONTNEED): mmu_gather, flush_tlb_mm_range on every CPU",
	.unit = "page",
	.revision = 1,
	.params = params,
	.footprint = storm_footprint,
	.setup = storm_setup,
	.run = storm_run,
	.verify = storm_verify,
	.teardown = storm_teardown,
};
