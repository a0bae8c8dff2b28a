// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A control: pages are made writable, written and write-protected again. That
 * flushes the range, once a call, with or without batched unmap; it is also the
 * flush that a batched one may race with (flush_tlb_batched_pending).
 */
#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backing.h"

enum { PHASE_UNPROTECT, PHASE_WRITE, PHASE_PROTECT };
static const char *const phases[] = { "unprotect", "write", "protect", NULL };

static const struct param params[] = {
	BENCH_PARAM_SIZE("private anonymous memory protected by one operation"),
	BENCH_PARAM_COMPANIONS,
	{ 0 },
};

struct mprotect {
	unsigned char *memory;
	size_t bytes;
	uint64_t generation; /* what the last operation wrote into each page */
	struct companions *companions;
};

static int mprotect_setup(struct bench *b)
{
	struct mprotect *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = m;
	m->bytes = bench_param(b, "size");
	b->units_per_op = m->bytes / b->page_bytes;
	ret = backing_map(b, BACKING_ANON, m->bytes, &m->memory);
	if (ret < 0)
		return ret;
	if (mprotect(m->memory, m->bytes, PROT_READ) < 0)
		return bench_fail(b, -errno, "mprotect: %s", strerror(errno));
	return companions_start(b, bench_param(b, "threads"), &m->companions);
}

static int mprotect_run(struct bench *b, uint64_t n)
{
	struct mprotect *m = b->state;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		uint64_t writable, written;

		if (mprotect(m->memory, m->bytes, PROT_READ | PROT_WRITE) < 0)
			return bench_fail(b, -errno, "mprotect: %s", strerror(errno));
		writable = bench_now_ns();
		m->generation++;
		for (size_t at = 0; at < m->bytes; at += b->page_bytes)
			*(volatile uint64_t *)(m->memory + at) = m->generation;
		written = bench_now_ns();
		if (mprotect(m->memory, m->bytes, PROT_READ) < 0)
			return bench_fail(b, -errno, "mprotect: %s", strerror(errno));
		b->phase_ns[PHASE_UNPROTECT] += writable - start;
		b->phase_ns[PHASE_WRITE] += written - writable;
		start = bench_now_ns();
		b->phase_ns[PHASE_PROTECT] += start - written;
	}
	return 0;
}

/*
 * The kernel stores to user memory through the same translations: where one is
 * refused it says EFAULT, where we would get a signal.
 */
static bool takes_a_store(unsigned char *page)
{
	return syscall(SYS_getcpu, page + sizeof(uint64_t), NULL, NULL) == 0 ||
	       errno != EFAULT;
}

/* Each page kept what was written to it, and takes no more. */
static int mprotect_verify(struct bench *b, uint64_t n)
{
	struct mprotect *m = b->state;

	(void)n;
	for (size_t at = 0; at < m->bytes; at += b->page_bytes) {
		const size_t page = at / b->page_bytes;

		if (*(const uint64_t *)(m->memory + at) != m->generation)
			return bench_fail(
				b, -EIO, "page %zu lost what was written to it", page);
		if (takes_a_store(m->memory + at))
			return bench_fail(b, -EIO,
				"page %zu took a store after mprotect(PROT_READ)", page);
	}
	return companions_check(b, m->companions);
}

static void mprotect_teardown(struct bench *b)
{
	struct mprotect *m = b->state;

	if (!m)
		return;
	companions_stop(m->companions);
	if (m->memory)
		munmap(m->memory, m->bytes);
	free(m);
}

const struct workload workload_mprotect = {
	.name = "mprotect",
	.summary =
		"write pages and protect them: a flush that batching does not touch (control)",
	.path = "mprotect: change_protection, flush_tlb_range",
	.unit = "page",
	.revision = 1,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = mprotect_setup,
	.run = mprotect_run,
	.verify = mprotect_verify,
	.teardown = mprotect_teardown,
};
