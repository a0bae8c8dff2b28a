// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/topology.h"

/* hwloc makes up a machine from this variable. */
static struct topology *made_up(const char *machine)
{
	struct topology *t;
	struct err err = { "" };

	setenv("HWLOC_SYNTHETIC", machine, 1);
	cr_assert_eq(topology_open(&t, &err), 0, "%s", err.text);
	unsetenv("HWLOC_SYNTHETIC");
	return t;
}

Test(topology, nearest_come_first)
{
	struct topology *t = made_up("pack:2 [numa(memory=1GB)] l3:2 core:2 pu:2");
	static const int near_5[] = { 4, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15 };
	int *others, unset = 0;
	size_t n = 99;

	cr_assert_eq(topology_cpus(t)->count, 16);
	cr_assert_eq(topology_memory_nodes(t)->count, 2);
	cr_assert_eq(topology_others(t, 5, &others, &n), 0);
	cr_assert_eq(n, 15);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(others[i], near_5[i], "place %zu: %d", i, others[i]);
	free(others);
	others = &unset;
	cr_assert_eq(topology_others(t, 16, &others, &n), -EINVAL);
	cr_assert_eq(topology_others(t, -1, &others, &n), -EINVAL);
	cr_assert_eq(others, &unset);
	topology_close(t);
}

Test(topology, nearest_nodes_come_first)
{
	struct topology *t = made_up("pack:4 [numa(memory=1GB)] core:1 pu:2");
	static const int near_5[] = { 2, 0, 1, 3 };
	int *nodes, unset = 0;
	size_t n = 99;

	cr_assert_eq(topology_near_nodes(t, 5, &nodes, &n), 0);
	cr_assert_eq(n, 4);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(nodes[i], near_5[i], "place %zu: %d", i, nodes[i]);
	free(nodes);
	nodes = &unset;
	cr_assert_eq(topology_near_nodes(t, 8, &nodes, &n), -EINVAL);
	cr_assert_eq(nodes, &unset);
	topology_close(t);
}

Test(topology, text_tells_machines_apart)
{
	static const struct {
		const char *machine, *text;
	} cases[] = {
		{ "pack:2 [numa(memory=1GB)] l3:1(size=16777216) l2:2(size=524288) core:1 "
		  "pu:2",
			"2 packages, 4 cores, 8 threads, 2 nodes, L2 512K x4, L3 16M x2" },
		{ "pu:1", "1 thread, 1 node" }, /* hwloc finds nothing but the CPU */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct topology *t = made_up(cases[i].machine);

		cr_assert_str_eq(topology_text(t), cases[i].text);
		topology_close(t);
	}
}

Test(topology, one_cpu_has_no_others)
{
	struct topology *t = made_up("pu:1");
	int *others;
	size_t n = 99;

	cr_assert_eq(topology_others(t, 0, &others, &n), 0);
	cr_assert_eq(n, 0);
	free(others);
	topology_close(t);
}

Test(topology, is_this_machines_and_heeds_affinity)
{
	struct topology *t;
	struct err err = { "" };
	cpu_set_t allowed, one;
	int first = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	cr_assert_eq(topology_open(&t, &err), 0, "%s", err.text);
	cr_assert_eq(topology_cpus(t)->count, (size_t)CPU_COUNT(&allowed));
	cr_assert_geq(topology_memory_nodes(t)->count, 1);
	topology_close(t);

	while (!CPU_ISSET(first, &allowed))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	cr_assert_eq(topology_open(&t, &err), 0, "%s", err.text);
	cr_assert_eq(topology_cpus(t)->count, 1);
	cr_assert_eq(topology_cpus(t)->ids[0], first);
	topology_close(t);
}
