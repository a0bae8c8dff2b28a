// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/cpu_nodes.h"

#include <stdlib.h>

#include "base/mem.h"

#define NODES "/sys/devices/system/node/"

static void mark_node(
	const char *root, int node, const struct cpulist *cpus, int *nodes, size_t *known)
{
	char *path = mem_format(NODES "node%d/cpulist", node);
	struct cpulist members;

	/* One that went offline meanwhile has none. */
	if (cpulist_read(root, path, &members) == 0) {
		for (size_t i = 0; i < cpus->count; i++) {
			if (nodes[i] < 0 && cpulist_index(&members, cpus->ids[i]) >= 0) {
				nodes[i] = node;
				++*known;
			}
		}
		cpulist_clear(&members);
	}
	free(path);
}

int *cpu_nodes_read(const char *root, const struct cpulist *cpus)
{
	struct cpulist online;
	size_t known = 0;
	int *nodes;

	if (cpus->count == 0 || cpulist_read(root, NODES "online", &online) < 0)
		return NULL;
	nodes = mem_zeroed(cpus->count, sizeof(*nodes));
	for (size_t i = 0; i < cpus->count; i++)
		nodes[i] = -1;
	for (size_t i = 0; i < online.count; i++)
		mark_node(root, online.ids[i], cpus, nodes, &known);
	cpulist_clear(&online);
	if (known == cpus->count)
		return nodes;
	free(nodes);
	return NULL;
}
