// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "measure/cpu_nodes.h"
#include "made-root.h"
#include "recorded.h"

static int *nodes_of(const char *root, const char *cpus_text, size_t *ret_n)
{
	struct cpulist cpus;
	int *nodes;

	cr_assert_eq(cpulist_parse(cpus_text, &cpus), 0);
	nodes = cpu_nodes_read(root, &cpus);
	*ret_n = cpus.count;
	cpulist_clear(&cpus);
	return nodes;
}

#define NODE "/sys/devices/system/node/"

Test(cpu_nodes, are_told_or_not)
{
	static const struct {
		const char *files[4], *cpus, *nodes; /* nodes: a digit each, or NULL */
	} cases[] = {
		{ { NODE "online:0", NODE "node0/cpulist:0-3" }, "0-3", "0000" },
		{ { NODE "online:0,2", NODE "node0/cpulist:0-1", NODE "node2/cpulist:2,5" },
			"0-2,5", "0022" },
		/* A node of memory alone, as CXL has it. */
		{ { NODE "online:0-1", NODE "node0/cpulist:0-1", NODE "node1/cpulist:\n" },
			"0-1", "00" },
		{ { NODE "online:0-1", NODE "node0/cpulist:0-1" }, "1", "0" },
		{ { NODE "online:0", NODE "node0/cpulist:0-1" }, "0-2", NULL },
		{ { NODE "online:0", NODE "node0/cpulist:none" }, "0", NULL },
		{ { NODE "online:x" }, "0", NULL },
		{ { NULL }, "0", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *root = made_root();
		int *nodes;
		size_t n;

		for (size_t k = 0; k < 4 && cases[i].files[k]; k++)
			made_root_add(root, cases[i].files[k]);
		nodes = nodes_of(root, cases[i].cpus, &n);
		cr_expect_eq(nodes != NULL, cases[i].nodes != NULL, "case %zu", i);
		for (size_t k = 0; nodes && cases[i].nodes && k < n; k++)
			cr_expect_eq(nodes[k], cases[i].nodes[k] - '0', "case %zu: CPU %zu",
				i, k);
		free(nodes);
		made_root_free(root);
	}
}

/* A machine whose CPUs belong to four nodes in turn. */
Test(cpu_nodes, of_a_recorded_machine)
{
	char *text =
		recorded_text(recorded_or_skip(), "sysfs-x86_64-interleaved-nodes.txt");
	char *root = made_root(), *rest = text, *line;
	int *nodes;
	size_t n;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (strstr(line, "list:") || strstr(line, "node/online:"))
			made_root_add(root, line);
	nodes = nodes_of(root, "0-39", &n);
	cr_assert_not_null(nodes);
	for (size_t k = 0; k < n; k++)
		cr_expect_eq(nodes[k], (int)(k % 4));
	free(nodes);
	free(text);
	made_root_free(root);
}
