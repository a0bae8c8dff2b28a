// SPDX-License-Identifier: GPL-2.0-or-later
#include "nodes.h"

#include <errno.h>
#include <stdio.h>

void node_mask_add(struct node_mask *mask, int node)
{
	const size_t bits = 8 * sizeof(mask->words[0]);

	mask->words[(size_t)node / bits] |= 1ul << ((size_t)node % bits);
}

static bool has_memory(const struct bench *b, uint64_t node)
{
	for (size_t i = 0; i < b->n_nodes; i++)
		if ((uint64_t)b->nodes[i] == node)
			return true;
	return false;
}

static int check_asked(struct bench *b, uint64_t node)
{
	char reason[64];

	if (node == BENCH_NODE_AUTO || has_memory(b, node))
		return 0;
	snprintf(reason, sizeof(reason), "node %d is not there, or has no memory",
		(int)node);
	return bench_skip(b, reason,
		"give a node with memory (/sys/devices/system/node/has_memory), or auto");
}

int nodes_choose(struct bench *b, uint64_t from, uint64_t to, int ret[2])
{
	int status = check_asked(b, from);

	if (status == 0)
		status = check_asked(b, to);
	if (status < 0)
		return status;
	if (b->n_nodes < 2)
		return bench_skip(b, "there is one memory node: nowhere to migrate to",
			"a machine or guest with two: 'shootdown ab' gives one, or boot with "
			"numa=fake=2");
	if (from == to && from != BENCH_NODE_AUTO)
		return bench_fail(
			b, -EINVAL, "from and to are both node %d: give two", (int)from);
	if (from == BENCH_NODE_AUTO)
		from = (uint64_t)b->nodes[(uint64_t)b->nodes[0] == to];
	if (to == BENCH_NODE_AUTO)
		to = (uint64_t)b->nodes[(uint64_t)b->nodes[0] == from];
	ret[0] = (int)from;
	ret[1] = (int)to;
	return 0;
}
