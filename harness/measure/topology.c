// SPDX-License-Identifier: GPL-2.0-or-later
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct topology {
	hwloc_topology_t hwloc;
	struct cpulist cpus, memory_nodes;
	char *text;
};

static void take_set(hwloc_const_bitmap_t set, struct cpulist *ret)
{
	int id;

	for (id = hwloc_bitmap_first(set); id >= 0; id = hwloc_bitmap_next(set, id)) {
		ret->ids = mem_resize(ret->ids, ret->count + 1, sizeof(int));
		ret->ids[ret->count++] = id;
	}
}

/*
 * hwloc knows the cpuset of the cgroup as what is allowed, but not the
 * affinity that the process was started with (taskset).
 */
static void find_cpus(struct topology *t)
{
	hwloc_bitmap_t usable =
		hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t->hwloc));
	hwloc_bitmap_t bound = hwloc_bitmap_alloc();

	if (!usable || !bound)
		abort();
	hwloc_bitmap_and(usable, usable, hwloc_topology_get_topology_cpuset(t->hwloc));
	if (hwloc_get_cpubind(t->hwloc, bound, HWLOC_CPUBIND_THREAD) == 0)
		hwloc_bitmap_and(usable, usable, bound);
	take_set(usable, &t->cpus);
	hwloc_bitmap_free(bound);
	hwloc_bitmap_free(usable);
}

/* Nodes without memory are legal, and so are nodes without CPUs. */
static void find_memory_nodes(struct topology *t)
{
	hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_nodeset(t->hwloc);
	hwloc_bitmap_t with_memory = hwloc_bitmap_alloc();
	hwloc_obj_t node = NULL;

	if (!with_memory)
		abort();
	while ((node = hwloc_get_next_obj_by_type(t->hwloc, HWLOC_OBJ_NUMANODE, node)))
		if (node->attr->numanode.local_memory > 0 &&
			hwloc_bitmap_isset(allowed, node->os_index))
			hwloc_bitmap_set(with_memory, node->os_index);
	take_set(with_memory, &t->memory_nodes);
	hwloc_bitmap_free(with_memory);
}

static void add_word(char **text, const char *word)
{
	char *longer = *text ? mem_format("%s, %s", *text, word) : mem_text(word);

	free(*text);
	*text = longer;
}

static void add_count(struct topology *t, hwloc_obj_type_t type, const char *one)
{
	int n = hwloc_get_nbobjs_by_type(t->hwloc, type);
	char *word;

	if (n <= 0) /* on some machines the firmware tells of no package or core */
		return;
	word = mem_format("%d %s%s", n, one, n == 1 ? "" : "s");
	add_word(&t->text, word);
	free(word);
}

static char *format_bytes(uint64_t bytes)
{
	return bytes >= 1 << 20 && bytes % (1 << 20) == 0
		       ? mem_format("%lluM", (unsigned long long)bytes >> 20)
		       : mem_format("%lluK", (unsigned long long)bytes >> 10);
}

/* Sizes differ between the kinds of cores of one machine: each one that comes up. */
static void add_cache(struct topology *t, hwloc_obj_type_t type, const char *name)
{
	int n = hwloc_get_nbobjs_by_type(t->hwloc, type);
	uint64_t *sizes = mem_zeroed(n > 0 ? (size_t)n : 1, sizeof(*sizes));

	for (int i = 0; i < n; i++)
		sizes[i] = hwloc_get_obj_by_type(t->hwloc, type, (unsigned int)i)
				   ->attr->cache.size;
	for (int i = 0; i < n; i++) {
		int same = 0;
		char *size, *word;

		for (int k = 0; k < i && same == 0; k++)
			same = sizes[k] == sizes[i];
		if (same || sizes[i] == 0)
			continue;
		for (int k = i; k < n; k++)
			same += sizes[k] == sizes[i];
		size = format_bytes(sizes[i]);
		word = mem_format("%s %s x%d", name, size, same);
		add_word(&t->text, word);
		free(size);
		free(word);
	}
	free(sizes);
}

static void describe(struct topology *t)
{
	add_count(t, HWLOC_OBJ_PACKAGE, "package");
	add_count(t, HWLOC_OBJ_CORE, "core");
	add_count(t, HWLOC_OBJ_PU, "thread");
	add_count(t, HWLOC_OBJ_NUMANODE, "node");
	add_cache(t, HWLOC_OBJ_L1CACHE, "L1d");
	add_cache(t, HWLOC_OBJ_L2CACHE, "L2");
	add_cache(t, HWLOC_OBJ_L3CACHE, "L3");
}

/* What a cgroup forbids belongs to the machine all the same. */
static int load(hwloc_topology_t *ret, struct err *err)
{
	if (hwloc_topology_init(ret) < 0)
		return err_set(err, -ENOMEM, "hwloc cannot start");
	if (hwloc_topology_set_flags(*ret, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) < 0 ||
		hwloc_topology_load(*ret) < 0) {
		int r = errno ? -errno : -EIO;

		hwloc_topology_destroy(*ret);
		return err_set(
			err, r, "hwloc cannot make out this machine: %s", strerror(-r));
	}
	return 0;
}

int topology_open(struct topology **ret, struct err *err)
{
	struct topology *t = mem_zeroed(1, sizeof(*t));
	int r = load(&t->hwloc, err);

	if (r < 0) {
		free(t);
		return r;
	}
	find_cpus(t);
	find_memory_nodes(t);
	describe(t);
	if (t->cpus.count == 0) {
		topology_close(t);
		return err_set(
			err, -EIO, "hwloc finds no CPU that this process may run on");
	}
	*ret = t;
	return 0;
}

void topology_close(struct topology *t)
{
	if (!t)
		return;
	hwloc_topology_destroy(t->hwloc);
	free(t->cpus.ids);
	free(t->memory_nodes.ids);
	free(t->text);
	free(t);
}

const struct cpulist *topology_cpus(const struct topology *t)
{
	return &t->cpus;
}

const struct cpulist *topology_memory_nodes(const struct topology *t)
{
	return &t->memory_nodes;
}

const char *topology_text(const struct topology *t)
{
	return t->text;
}

int topology_others(const struct topology *t, int cpu, int **ret_cpus, size_t *ret_count)
{
	hwloc_obj_t self, *near;
	unsigned int n;
	int *cpus;
	size_t count = 0;

	if (cpu < 0 || cpulist_index(&t->cpus, cpu) < 0)
		return -EINVAL;
	self = hwloc_get_pu_obj_by_os_index(t->hwloc, (unsigned int)cpu);
	n = (unsigned int)hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_PU);
	near = mem_zeroed(n, sizeof(hwloc_obj_t));
	n = hwloc_get_closest_objs(t->hwloc, self, near, n);
	cpus = mem_zeroed(n, sizeof(*cpus));
	for (unsigned int i = 0; i < n; i++)
		if (cpulist_index(&t->cpus, (int)near[i]->os_index) >= 0)
			cpus[count++] = (int)near[i]->os_index;
	free(near);
	*ret_cpus = cpus;
	*ret_count = count;
	return 0;
}

/* The node whose CPUs cpu is one of, with memory or not; NULL where none is. */
static hwloc_obj_t node_of(const struct topology *t, int cpu)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(t->hwloc, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, (unsigned int)cpu))
			return node;
	return NULL;
}

/* From one node to another; where the firmware is silent all others are alike. */
static uint64_t latency(
	const struct hwloc_distances_s *distances, hwloc_obj_t from, hwloc_obj_t to)
{
	int row = -1, column = -1;

	for (unsigned int i = 0; distances && i < distances->nbobjs; i++) {
		if (distances->objs[i] == from)
			row = (int)i;
		if (distances->objs[i] == to)
			column = (int)i;
	}
	if (row < 0 || column < 0)
		return from != to;
	return distances
		->values[(unsigned int)row * distances->nbobjs + (unsigned int)column];
}

int topology_near_nodes(
	const struct topology *t, int cpu, int **ret_nodes, size_t *ret_count)
{
	struct hwloc_distances_s *distances = NULL;
	const size_t count = t->memory_nodes.count;
	unsigned int n_distances = 1;
	uint64_t *far;
	int *nodes;
	hwloc_obj_t own;

	if (cpu < 0 || cpulist_index(&t->cpus, cpu) < 0)
		return -EINVAL;
	own = node_of(t, cpu);
	if (hwloc_distances_get_by_name(
		    t->hwloc, "NUMALatency", &n_distances, &distances, 0) < 0)
		distances = NULL;
	nodes = mem_zeroed(count, sizeof(*nodes));
	far = mem_zeroed(count, sizeof(*far));
	for (size_t i = 0; i < count; i++) {
		const int id = t->memory_nodes.ids[i];
		const uint64_t this = latency(distances, own,
			hwloc_get_numanode_obj_by_os_index(t->hwloc, (unsigned int)id));
		size_t at = i;

		for (; at > 0 && far[at - 1] > this; at--) {
			far[at] = far[at - 1];
			nodes[at] = nodes[at - 1];
		}
		far[at] = this;
		nodes[at] = id;
	}
	if (distances)
		hwloc_distances_release(t->hwloc, distances);
	free(far);
	*ret_nodes = nodes;
	*ret_count = count;
	return 0;
}
