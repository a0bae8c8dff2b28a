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
#include "nodes.h"

enum { PHASE_THERE, PHASE_BACK };
static const char *const phases[] = { "there", "back", NULL };

enum { CALL_MOVE_PAGES, CALL_MIGRATE_PAGES, CALL_MBIND };
static const char *const calls[] = { "move_pages", "migrate_pages", "mbind", NULL };

#define BATCH_MAX 512

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
		.max = BATCH_MAX,
		.help = "pages of each move_pages call; 0: all, at most 512",
	},
	{
		.name = "kind",
		.type = PARAM_CHOICE,
		.preset = "anon",
		.choices = backing_names,
		.help = "private memory, shared memory, or a mapped file",
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
	size_t bytes, pages, batch;
	unsigned int call;
	int nodes[2]; /* from, to */
	void **addresses;
	int *targets[2]; /* batch times the same node: what move_pages wants */
	int *status;     /* one for each page */
	uint64_t moved;  /* in the last run(), as the calls told; not with mbind */
	const struct bench *b;
	_Atomic int64_t wrong_page; /* that an observer saw; -1: none */
	struct companions *companions, *observers;
};

static uint64_t migrate_footprint(const struct bench *b)
{
	return 2 * bench_param(b, "size");
}

static int choose_batch(struct bench *b, struct migrate *m)
{
	m->batch = bench_param(b, "batch");
	if (m->batch > m->pages)
		return bench_fail(b, -EINVAL,
			"batch=%zu is more than the %zu pages of size: give at most %zu",
			m->batch, m->pages, m->pages);
	if (m->batch == 0)
		m->batch = m->pages < BATCH_MAX ? m->pages : BATCH_MAX;
	return 0;
}

static int make_lists(struct bench *b, struct migrate *m)
{
	m->addresses = calloc(m->pages, sizeof(*m->addresses));
	m->status = calloc(m->pages, sizeof(*m->status));
	for (size_t i = 0; i < 2; i++)
		m->targets[i] = calloc(m->batch, sizeof(*m->targets[i]));
	if (!m->addresses || !m->status || !m->targets[0] || !m->targets[1])
		return bench_fail(
			b, -ENOMEM, "no memory for the lists of %zu pages", m->pages);
	for (size_t i = 0; i < m->pages; i++)
		m->addresses[i] = m->memory + i * b->page_bytes;
	for (size_t i = 0; i < 2 * m->batch; i++)
		m->targets[i % 2][i / 2] = m->nodes[i % 2];
	return 0;
}

/*
 * The status of a page that a call gave up is left as it was: the other node,
 * from the way before.
 */
static int move_pages_to(struct bench *b, struct migrate *m, int way)
{
	for (size_t at = 0; at < m->pages; at += m->batch) {
		const size_t n = m->pages - at < m->batch ? m->pages - at : m->batch;

		if (syscall(SYS_move_pages, 0, n, m->addresses + at, m->targets[way],
			    m->status + at, MPOL_MF_MOVE) < 0)
			return bench_fail(b, -errno, "move_pages: %s", strerror(errno));
		for (size_t i = at; i < at + n; i++)
			m->moved += m->status[i] == m->nodes[way];
	}
	return 0;
}

static int migrate_pages_to(struct bench *b, struct migrate *m, int way)
{
	struct node_mask from = { { 0 } }, to = { { 0 } };
	long left;

	node_mask_add(&from, m->nodes[!way]);
	node_mask_add(&to, m->nodes[way]);
	left = syscall(SYS_migrate_pages, 0, NODE_MASK_BITS, from.words, to.words);
	if (left < 0)
		return bench_fail(b, -errno, "migrate_pages: %s", strerror(errno));
	m->moved += (size_t)left < m->pages ? m->pages - (size_t)left : 0;
	return 0;
}

static int mbind_to(struct bench *b, struct migrate *m, int way)
{
	struct node_mask to = { { 0 } };

	node_mask_add(&to, m->nodes[way]);
	if (syscall(SYS_mbind, m->memory, m->bytes, MPOL_BIND, to.words, NODE_MASK_BITS,
		    MPOL_MF_MOVE) < 0)
		return bench_fail(b, -errno, "mbind: %s", strerror(errno));
	return 0;
}

static int move_to(struct bench *b, struct migrate *m, int way)
{
	switch (m->call) {
	case CALL_MOVE_PAGES:
		return move_pages_to(b, m, way);
	case CALL_MIGRATE_PAGES:
		return migrate_pages_to(b, m, way);
	}
	return mbind_to(b, m, way);
}

/* What automatic NUMA balancing would move is none of this workload's work. */
static int keep_from_balancing(struct bench *b, const struct migrate *m)
{
	struct node_mask both = { { 0 } };

	node_mask_add(&both, m->nodes[0]);
	node_mask_add(&both, m->nodes[1]);
	if (syscall(SYS_mbind, m->memory, m->bytes, MPOL_BIND, both.words, NODE_MASK_BITS,
		    0) == 0)
		return 0;
	if (errno == ENOSYS)
		return bench_skip(b, "this kernel has no NUMA",
			"boot one built with CONFIG_NUMA and CONFIG_MIGRATION");
	return bench_fail(b, -errno, "mbind: %s", strerror(errno));
}

static void observe(void *arg, uint64_t seq)
{
	struct migrate *m = arg;
	const uint64_t words = m->b->page_bytes / sizeof(uint64_t);

	for (uint64_t i = 0; i < 16; i++) {
		const uint64_t random = bench_pattern_word(m->b, seq * 16 + i);
		const uint64_t page = random % m->pages;
		const volatile uint64_t *at = (const uint64_t *)m->memory + page * words;

		if (at[(random >> 32) % words] != bench_pattern_word(m->b, page))
			atomic_store(&m->wrong_page, (int64_t)page);
	}
}

static int prepare(struct bench *b, struct migrate *m)
{
	int ret = choose_batch(b, m);

	if (ret == 0)
		ret = nodes_choose(
			b, bench_param(b, "from"), bench_param(b, "to"), m->nodes);
	if (ret == 0)
		ret = backing_map(b, bench_param(b, "kind"), m->bytes, &m->memory);
	if (ret == 0)
		ret = make_lists(b, m);
	if (ret == 0)
		ret = keep_from_balancing(b, m);
	if (ret == 0)
		ret = move_pages_to(b, m, 0);
	return ret;
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
	if (ret < 0)
		return ret;
	return companions_start_with(
		b, bench_param(b, "observers"), observe, m, &m->observers);
}

static int migrate_run(struct bench *b, uint64_t n)
{
	struct migrate *m = b->state;
	uint64_t start = bench_now_ns();

	m->moved = 0;
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
	return 0;
}

/* The kernel's own count tells of the moves; where the pages are tells of the last. */
static int check_moved(struct bench *b, const struct migrate *m, uint64_t asked)
{
	uint64_t counted;

	if (m->call != CALL_MBIND && !bench_enough(m->moved, asked))
		return bench_fail(b, -EIO, "%s moved only %llu of %llu pages",
			calls[m->call], (unsigned long long)m->moved,
			(unsigned long long)asked);
	if (b->vmstat_delta(b, "pgmigrate_success", &counted) < 0)
		return bench_fail(b, -ENODATA,
			"no pgmigrate_success in /proc/vmstat to prove the moves");
	if (!bench_enough(counted, asked))
		return bench_fail(b, -EIO,
			"the kernel counts only %llu of %llu pages as migrated "
			"(pgmigrate_success)",
			(unsigned long long)counted, (unsigned long long)asked);
	return 0;
}

static int check_home(struct bench *b, struct migrate *m)
{
	size_t at_home = 0;

	if (syscall(SYS_move_pages, 0, m->pages, m->addresses, NULL, m->status, 0) < 0)
		return bench_fail(b, -errno, "move_pages: %s", strerror(errno));
	for (size_t i = 0; i < m->pages; i++)
		at_home += m->status[i] == m->nodes[0];
	if (!bench_enough(at_home, m->pages))
		return bench_fail(b, -EIO, "only %zu of %zu pages came back to node %d",
			at_home, m->pages, m->nodes[0]);
	return 0;
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

	if (ret == 0)
		ret = check_home(b, m);
	if (ret == 0)
		ret = check_content(b, m);
	if (ret == 0)
		ret = companions_check(b, m->companions);
	if (ret == 0)
		ret = companions_check(b, m->observers);
	back = move_pages_to(b, m, 0);
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
	free(m->addresses);
	free(m->status);
	free(m->targets[0]);
	free(m->targets[1]);
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
	.footprint = migrate_footprint,
	.setup = migrate_setup,
	.run = migrate_run,
	.verify = migrate_verify,
	.teardown = migrate_teardown,
};
