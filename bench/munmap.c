// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A control: memory is mapped, touched and unmapped again. munmap flushes
 * through mmu_gather, once a call, with or without batched unmap; since page
 * tables are freed, CPUs in lazy TLB mode are interrupted too.
 */
#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { PHASE_TOUCH, PHASE_UNMAP };
static const char *const phases[] = { "touch", "unmap", NULL };

static const struct param params[] = {
	BENCH_PARAM_SIZE("private anonymous memory mapped by one operation"),
	BENCH_PARAM_COMPANIONS,
	{ 0 },
};

struct munmap {
	size_t bytes;
	bool gone; /* of the last operation: its first and last page are unmapped */
	struct companions *companions;
};

static int munmap_setup(struct bench *b)
{
	struct munmap *m = calloc(1, sizeof(*m));

	if (!m)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = m;
	m->bytes = bench_param(b, "size");
	b->units_per_op = m->bytes / b->page_bytes;
	/* A fault is to bring one page, and an unmap to take pages one by one. */
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) < 0)
		return bench_fail(b, -errno, "PR_SET_THP_DISABLE: %s", strerror(errno));
	return companions_start(b, bench_param(b, "threads"), &m->companions);
}

static bool is_unmapped(unsigned char *page, size_t page_bytes)
{
	unsigned char resident;

	return mincore(page, page_bytes, &resident) < 0 && errno == ENOMEM;
}

static int munmap_run(struct bench *b, uint64_t n)
{
	struct munmap *m = b->state;
	unsigned char *memory = NULL;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		uint64_t touched;

		memory = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return bench_fail(b, -errno, "mmap of %zu bytes: %s", m->bytes,
				strerror(errno));
		for (size_t at = 0; at < m->bytes; at += b->page_bytes)
			*(volatile unsigned char *)(memory + at) = 1;
		touched = bench_now_ns();
		b->phase_ns[PHASE_TOUCH] += touched - start;
		if (munmap(memory, m->bytes) < 0)
			return bench_fail(b, -errno, "munmap: %s", strerror(errno));
		start = bench_now_ns();
		b->phase_ns[PHASE_UNMAP] += start - touched;
	}
	/* Now: outside of run() the harness may map something there. */
	m->gone = is_unmapped(memory, b->page_bytes) &&
		  is_unmapped(memory + m->bytes - b->page_bytes, b->page_bytes);
	return 0;
}

/* What was mapped is gone, and each page had been faulted in. */
static int munmap_verify(struct bench *b, uint64_t n)
{
	struct munmap *m = b->state;
	const uint64_t asked = n * b->units_per_op;
	uint64_t faults;

	if (!m->gone)
		return bench_fail(b, -EIO, "pages are still mapped after munmap");
	if (b->vmstat_delta(b, "pgfault", &faults) < 0)
		return bench_fail(
			b, -ENODATA, "no pgfault in /proc/vmstat to prove the touch");
	if (!bench_enough(faults, asked))
		return bench_fail(b, -EIO,
			"only %llu of %llu pages were faulted in (pgfault)",
			(unsigned long long)faults, (unsigned long long)asked);
	return companions_check(b, m->companions);
}

static void munmap_teardown(struct bench *b)
{
	struct munmap *m = b->state;

	if (!m)
		return;
	companions_stop(m->companions);
	free(m);
}

const struct workload workload_munmap = {
	.name = "munmap",
	.summary =
		"map, touch and unmap pages: a flush that batching does not touch (control)",
	.path = "munmap: unmap_region, mmu_gather, free_pgtables",
	.unit = "page",
	.revision = 1,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = munmap_setup,
	.run = munmap_run,
	.verify = munmap_verify,
	.teardown = munmap_teardown,
};
