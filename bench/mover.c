// SPDX-License-Identifier: GPL-2.0-or-later
#include "mover.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nodes.h"

/* What automatic NUMA balancing would move is none of a workload's work. */
static int keep_from_balancing(struct bench *b, const struct mover *m)
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

static int make_lists(struct bench *b, struct mover *m)
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

int mover_init(struct bench *b, struct mover *m, unsigned char *memory, size_t bytes,
	size_t batch, const int nodes[2])
{
	int ret;

	m->memory = memory;
	m->bytes = bytes;
	m->pages = bytes / b->page_bytes;
	m->nodes[0] = nodes[0];
	m->nodes[1] = nodes[1];
	m->batch = batch;
	if (batch == 0)
		m->batch = m->pages < MOVER_BATCH_MAX ? m->pages : MOVER_BATCH_MAX;
	ret = make_lists(b, m);
	return ret < 0 ? ret : keep_from_balancing(b, m);
}

void mover_clear(struct mover *m)
{
	free(m->addresses);
	free(m->status);
	free(m->targets[0]);
	free(m->targets[1]);
}

/*
 * The status of a page that a call gave up is left as it was: the other node,
 * from the way before.
 */
int mover_move(struct bench *b, struct mover *m, int way)
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

int mover_check_home(struct bench *b, struct mover *m)
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

int mover_check_counted(struct bench *b, uint64_t asked)
{
	uint64_t counted;

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
