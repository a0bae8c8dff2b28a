// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages to another memory node and back: the second use of batching. Migration
 * unmaps a list of pages through try_to_migrate, and flushes once for all of
 * them before it copies.
 */
#include "common.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backing.h"
#include "latency.h"
#include "mover.h"
#include "nodes.h"

enum { PHASE_THERE, PHASE_BACK };
static const char *const phases[] = { "there", "back", NULL };

enum { CALL_MOVE_PAGES, CALL_MIGRATE_PAGES, CALL_MBIND };
static const char *const calls[] = { "move_pages", "migrate_pages", "mbind", NULL };

/* Of one touch of an observer. */
static const struct bench_metric metrics[] = {
	BENCH_LATENCY_METRICS("observer"),
	{ 0 },
};

static const struct param params[] = {
	BENCH_PARAM_SIZE("memory that one operation moves to the other node and back"),
	BENCH_PARAM_COMPANIONS,
	{
		.name = "observers",
		.type = PARAM_THREADS,
		.preset = "0",
		.unit = "threads",
		.help = "threads on other CPUs that read the pages at random meanwhile",
	},
	{
		.name = "call",
		.type = PARAM_CHOICE,
		.preset = "move_pages",
		.choices = calls,
		.help = "the system call; mbind is with MPOL_MF_MOVE",
	},
	{
		.name = "batch",
		.type = PARAM_COUNT,
		.preset = "0",
		.unit = "pages",
		.max = MOVER_BATCH_MAX,
		.help = "pages of each move_pages call; 0: all, at most 512",
	},
	{
		.name = "kind",
		.type = PARAM_CHOICE,
		.preset = "anon",
		.choices = backing_names,
		.help = "private memory, shared memory, a mapped file, or one that nobody "
			"can write",
	},
	{
		.name = "from",
		.type = PARAM_NODE,
		.preset = "auto",
		.help = "node where the pages are at rest; auto: the CPU's own",
	},
	{
		.name = "to",
		.type = PARAM_NODE,
		.preset = "auto",
		.help = "node they are moved to; auto: the nearest other",
	},
	{ 0 },
};

struct migrate {
	unsigned char *memory;
	size_t bytes, pages;
	unsigned int call;
	/* nodes are from and to; moved is of the last run(), and not with mbind */
	struct mover mover;
	const struct bench *b;
	_Atomic int64_t wrong_page; /* that an observer saw; -1: none */
	struct companions *companions, *observers;
	struct latency *latency; /* of each observer's touches */
};

static uint64_t migrate_footprint(const struct bench *b)
{
	return 2 * bench_param(b, "size");
}

static int migrate_pages_to(struct bench *b, struct migrate *m, int way)
{
	struct node_mask from = { { 0 } }, to = { { 0 } };
	long left;

	node_mask_add(&from, m->mover.nodes[!way]);
	node_mask_add(&to, m->mover.nodes[way]);
	left = syscall(SYS_migrate_pages, 0, NODE_MASK_BITS, from.words, to.words);
	if (left < 0)
		return bench_fail(b, -errno, "migrate_pages: %s", strerror(errno));
	m->mover.moved += (size_t)left < m->pages ? m->pages - (size_t)left : 0;
	return 0;
}

static int mbind_to(struct bench *b, struct migrate *m, int way)
{
	struct node_mask to = { { 0 } };

	node_mask_add(&to, m->mover.nodes[way]);
	if (syscall(SYS_mbind, m->memory, m->bytes, MPOL_BIND, to.words, NODE_MASK_BITS,
		    MPOL_MF_MOVE) < 0)
		return bench_fail(b, -errno, "mbind: %s", strerror(errno));
	return 0;
}

static int move_to(struct bench *b, struct migrate *m, int way)
{
	switch (m->call) {
	case CALL_MOVE_PAGES:
		return mover_move(b, &m->mover, way);
	case CALL_MIGRATE_PAGES:
		return migrate_pages_to(b, m, way);
	}
	return mbind_to(b, m, way);
}

static void observe(void *arg, size_t thread, uint64_t seq)
{
	struct migrate *m = arg;
	const uint64_t words = m->b->page_bytes / sizeof(uint64_t);

	for (uint64_t i = 0; i < 16; i++) {
		const uint64_t random = bench_pattern_word(m->b, seq * 16 + i);
		const uint64_t page = random % m->pages;
		const uint64_t word = bench_pattern_word(m->b, page);
		const volatile uint64_t *at = (const uint64_t *)m->memory + page * words;
		const uint64_t start = cycles_now();
		const uint64_t seen = at[(random >> 32) % words];

		latency_note(m->latency, thread, start);
		if (seen != word)
			atomic_store(&m->wrong_page, (int64_t)page);
	}
}

static int prepare(struct bench *b, struct migrate *m)
{
	const size_t batch = bench_param(b, "batch");
	int nodes[2], ret;

	if (batch > m->pages)
		return bench_fail(b, -EINVAL,
			"batch=%zu is more than the %zu pages of size: give at most %zu",
			batch, m->pages, m->pages);
	ret = nodes_choose(b, bench_param(b, "from"), bench_param(b, "to"), nodes);
	if (ret == 0)
		ret = backing_map(b, bench_param(b, "kind"), m->bytes, &m->memory);
	if (ret == 0)
		ret = mover_init(b, &m->mover, m->memory, m->bytes, batch, nodes);
	return ret < 0 ? ret : mover_move(b, &m->mover, 0);
}

static int start_observers(struct bench *b, struct migrate *m)
{
	const size_t n = bench_param(b, "observers");
	const int ret = latency_new(b, n, &m->latency);

	return ret < 0 ? ret : companions_start_with(b, n, observe, m, &m->observers);
}

static int migrate_setup(struct bench *b)
{
	struct migrate *m = calloc(1, sizeof(*m));
	int ret;

	if (!m)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = m;
	m->b = b;
	m->bytes = bench_param(b, "size");
	m->pages = m->bytes / b->page_bytes;
	m->call = (unsigned int)bench_param(b, "call");
	m->wrong_page = -1;
	b->units_per_op = 2 * m->pages;
	ret = prepare(b, m);
	if (ret == 0)
		ret = companions_start(b, bench_param(b, "threads"), &m->companions);
	return ret < 0 ? ret : start_observers(b, m);
}

static int migrate_run(struct bench *b, uint64_t n)
{
	struct migrate *m = b->state;
	uint64_t start;

	m->mover.moved = 0;
	latency_begin(m->latency);
	start = bench_now_ns();
	for (uint64_t i = 0; i < n; i++) {
		for (int way = 1; way >= 0; way--) {
			const int ret = move_to(b, m, way);
			const uint64_t now = bench_now_ns();

			if (ret < 0)
				return ret;
			b->phase_ns[way ? PHASE_THERE : PHASE_BACK] += now - start;
			start = now;
		}
	}
	latency_end(m->latency);
	return 0;
}

/* The kernel's own count tells of the moves; where the pages are tells of the last. */
static int check_moved(struct bench *b, const struct migrate *m, uint64_t asked)
{
	if (m->call != CALL_MBIND && !bench_enough(m->mover.moved, asked))
		return bench_fail(b, -EIO, "%s moved only %llu of %llu pages",
			calls[m->call], (unsigned long long)m->mover.moved,
			(unsigned long long)asked);
	return mover_check_counted(b, asked);
}

static int check_content(struct bench *b, struct migrate *m)
{
	const int64_t wrong = bench_pattern_check(b, m->memory, m->bytes);
	const int64_t seen = atomic_load(&m->wrong_page);

	if (seen >= 0)
		return bench_fail(b, -EIO, "an observer saw another content in page %lld",
			(long long)seen);
	if (wrong >= 0)
		return bench_fail(b, -EIO, "page %lld came back with another content",
			(long long)wrong);
	return 0;
}

static int migrate_verify(struct bench *b, uint64_t n)
{
	struct migrate *m = b->state;
	int ret = check_moved(b, m, n * b->units_per_op), back;

	latency_report(b, m->latency, 0);
	if (ret == 0)
		ret = mover_check_home(b, &m->mover);
	if (ret == 0)
		ret = check_content(b, m);
	if (ret == 0)
		ret = companions_check(b, m->companions);
	if (ret == 0)
		ret = companions_check(b, m->observers);
	back = mover_move(b, &m->mover, 0);
	return ret < 0 ? ret : back;
}

static void migrate_teardown(struct bench *b)
{
	struct migrate *m = b->state;

	if (!m)
		return;
	companions_stop(m->companions);
	companions_stop(m->observers);
	if (m->memory)
		munmap(m->memory, m->bytes);
	latency_free(m->latency);
	mover_clear(&m->mover);
	free(m);
}

const struct workload workload_migrate = {
	.name = "migrate",
	.summary = "move pages to another memory node and back",
	.path = "move_pages, migrate_pages, mbind: migrate_pages_batch, try_to_migrate",
	.unit = "page",
	.revision = 1,
	.params = params,
	.phases = phases,
	.metrics = metrics,
	.footprint = migrate_footprint,
	.disk = backing_disk,
	.setup = migrate_setup,
	.run = migrate_run,
	.verify = migrate_verify,
	.teardown = migrate_teardown,
};
