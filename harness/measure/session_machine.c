// SPDX-License-Identifier: GPL-2.0-or-later
/* What a session's workloads need of the machine, checked or made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/meminfo.h"
#include "measure/session_parts.h"
#include "measure/swaps.h"

#define ZRAM_MIN_BYTES ((uint64_t)256 << 20)

void session_needs(const struct session *s, uint64_t *ret_memory, uint64_t *ret_swap)
{
	*ret_memory = *ret_swap = 0;
	for (size_t i = 0; i < s->n_specs; i++) {
		const size_t page_bytes = s->machine.page_bytes;
		const uint64_t memory = run_footprint(&s->specs[i], page_bytes);
		const uint64_t swap = run_swap(&s->specs[i], page_bytes);

		if (memory > *ret_memory)
			*ret_memory = memory;
		if (swap > *ret_swap)
			*ret_swap = swap;
	}
}

static uint64_t free_swap_bytes(void)
{
	struct swaps swaps = { 0 };
	uint64_t free_bytes = 0;

	if (swaps_read("", &swaps, NULL) < 0)
		return 0;
	for (size_t i = 0; i < swaps.count; i++)
		free_bytes += swaps.areas[i].size_bytes - swaps.areas[i].used_bytes;
	swaps_clear(&swaps);
	return free_bytes;
}

/* Swap that is there is used as it is; none is ours to make, where we may. */
static int provide_swap(struct session *s, uint64_t swap_bytes, struct err *err)
{
	const uint64_t free_bytes = free_swap_bytes();
	char device[64];
	struct err why;
	int ret;

	if (swap_bytes == 0 || free_bytes >= swap_bytes)
		return 0;
	if (free_bytes > 0)
		return err_set(err, -ENOSPC,
			"swap has %llu MiB free, and a workload needs %llu: give a smaller size, "
			"or add swap",
			(unsigned long long)(free_bytes >> 20),
			(unsigned long long)(swap_bytes >> 20));
	swap_bytes *= 2;
	ret = machine_add_zram_swap(s->changes,
		swap_bytes > ZRAM_MIN_BYTES ? swap_bytes : ZRAM_MIN_BYTES, device, &why);
	if (ret < 0) {
		snprintf(s->no_swap, sizeof(s->no_swap),
			"no swap is active, and none can be made: %.180s", why.text);
		s->plan.no_swap = s->no_swap;
		s->plan.no_swap_fix =
			"run as root (a zram swap is then made and taken down "
			"again), or turn swap on";
	}
	return 0;
}

/* One for all workloads, which each leave it empty. */
static void provide_cgroup(struct session *s)
{
	struct err why;
	bool needed = false;

	for (size_t i = 0; i < s->n_specs; i++)
		needed |= (run_needs(&s->specs[i]) & NEED_CGROUP) != 0;
	if (!needed)
		return;
	if (machine_add_cgroup(s->changes, &s->cgroup, &s->plan.cgroup_version, &why) ==
		0) {
		s->plan.cgroup = s->cgroup;
		return;
	}
	snprintf(s->no_cgroup, sizeof(s->no_cgroup), "no memory cgroup can be made: %.200s",
		why.text);
	s->plan.no_cgroup = s->no_cgroup;
	s->plan.no_cgroup_fix = "run as root on a kernel with CONFIG_MEMCG, with a cgroup "
				"hierarchy mounted for writing";
}

/* Found out by doing it once; what is dropped is read again. */
static void try_drop_caches(struct session *s)
{
	struct err why;
	bool needed = false;

	s->plan.machine = s->changes;
	for (size_t i = 0; i < s->n_specs; i++)
		needed |= (run_needs(&s->specs[i]) & NEED_COLD) != 0;
	if (!needed || machine_drop_caches(s->changes, &why) == 0)
		return;
	snprintf(s->no_cold, sizeof(s->no_cold),
		"the caches of files cannot be dropped: %.200s", why.text);
	s->plan.no_cold = s->no_cold;
}

static int check_memory(uint64_t memory_bytes, struct err *err)
{
	uint64_t available;

	if (meminfo_read("", "MemAvailable", &available) < 0 || memory_bytes <= available)
		return 0;
	return err_set(err, -ENOMEM,
		"a workload needs %llu MiB of memory, and %llu are available: give a smaller size",
		(unsigned long long)(memory_bytes >> 20),
		(unsigned long long)(available >> 20));
}

static int set_on_all_cpus(struct session *s, const char *value, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->online.count && ret == 0; i++) {
		char *path =
			mem_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
				s->online.ids[i]);

		ret = machine_set(s->changes, path, value, err);
		free(path);
	}
	return ret;
}

int session_change_machine(struct session *s, struct err *err)
{
	uint64_t memory_bytes, swap_bytes;
	int ret;

	session_needs(s, &memory_bytes, &swap_bytes);
	ret = check_memory(memory_bytes, err);
	if (ret == 0)
		ret = provide_swap(s, swap_bytes, err);
	if (ret == 0) {
		provide_cgroup(s);
		try_drop_caches(s);
	}
	if (ret == 0 && s->options.governor)
		ret = set_on_all_cpus(s, s->options.governor, err);
	if (ret == 0 && s->options.thp)
		ret = machine_set(s->changes, "/sys/kernel/mm/transparent_hugepage/enabled",
			s->options.thp, err);
	return ret;
}
