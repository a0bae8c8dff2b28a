// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks that read /proc and /sys: memory, kernel, and what it counts. */
#include "capability_parts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cpulist.h"
#include "environment.h"
#include "environment_parts.h"
#include "interrupts.h"
#include "kernel_config.h"
#include "setting.h"
#include "vmstat.h"

static bool exists(const char *root, const char *path)
{
	char *full = mem_format("%s%s", root, path);
	bool there = access(full, F_OK) == 0;

	free(full);
	return there;
}

void capability_cpus(const char *root, struct capability *c)
{
	struct cpulist online;
	char *text;

	if (cpulist_read(root, "/sys/devices/system/cpu/online", &online) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, "mount sysfs on /sys",
			"/sys/devices/system/cpu/online cannot be read");
		return;
	}
	text = cpulist_format(&online);
	if (online.count < 2)
		capability_say(c, CAPABILITY_LIMITED,
			"take a machine or guest with more CPUs",
			"only CPU %s: no other CPU has anything to flush", text);
	else
		capability_say(
			c, CAPABILITY_OK, NULL, "%zu online (%s)", online.count, text);
	free(text);
	cpulist_clear(&online);
}

void capability_nodes(const char *root, struct capability *c)
{
	static const char fix[] =
		"boot with numa=fake=2 (x86), or use a guest with two nodes";
	struct cpulist nodes;
	char *text;

	if (cpulist_read(root, "/sys/devices/system/node/has_memory", &nodes) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, fix,
			"this kernel knows no nodes: no migration between them");
		return;
	}
	text = cpulist_format(&nodes);
	if (nodes.count < 2)
		capability_say(c, CAPABILITY_UNAVAILABLE, fix,
			"only node %s has memory: no migration between nodes", text);
	else
		capability_say(
			c, CAPABILITY_OK, NULL, "%zu with memory (%s)", nodes.count, text);
	free(text);
	cpulist_clear(&nodes);
}

static bool has_zram(const char *root)
{
	return exists(root, "/sys/class/zram-control") || exists(root, "/sys/block/zram0");
}

void capability_swap(const char *root, struct capability *c)
{
	char *swap = environment_swap(root);

	if (strcmp(swap, "unknown") == 0)
		capability_say(c, CAPABILITY_UNAVAILABLE, "a kernel with CONFIG_SWAP",
			"/proc/swaps cannot be read");
	else if (strcmp(swap, "none") != 0)
		capability_say(c, CAPABILITY_OK, NULL, "%s", swap);
	else if (*root == '\0' && geteuid() == 0)
		capability_say(c, has_zram(root) ? CAPABILITY_OK : CAPABILITY_LIMITED, NULL,
			"none; a run turns on a zram swap if it can, and takes it away "
			"again");
	else
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"run as root where zram can be had, or turn on swap",
			"none: workloads that page out are skipped");
	free(swap);
}

void capability_zram(const char *root, struct capability *c)
{
	if (exists(root, "/sys/class/zram-control/hot_add"))
		capability_say(c, CAPABILITY_OK, NULL, "devices can be added");
	else if (exists(root, "/sys/block/zram0"))
		capability_say(c, CAPABILITY_LIMITED, NULL,
			"no hot_add: only devices that are there and not in use");
	else
		capability_say(c, CAPABILITY_LIMITED, "modprobe zram",
			"the module zram is not loaded; a run as root tries to");
}

void capability_thp(const char *root, struct capability *c)
{
	static const char folder[] = "/sys/kernel/mm/transparent_hugepage";
	char *enabled, *shmem, *path = mem_format("%s/enabled", folder);
	int r = setting_read(root, path, &enabled);

	free(path);
	if (r < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"a kernel with CONFIG_TRANSPARENT_HUGEPAGE",
			"this kernel has no transparent huge pages");
		return;
	}
	path = mem_format("%s/shmem_enabled", folder);
	if (setting_read(root, path, &shmem) < 0)
		shmem = mem_text("not there");
	capability_say(c, CAPABILITY_OK, NULL, "%s; shared memory: %s", enabled, shmem);
	free(path);
	free(enabled);
	free(shmem);
}

void capability_cgroup(const char *root, struct capability *c)
{
	static const char fix[] =
		"boot with systemd.unified_cgroup_hierarchy=1, or mount cgroup2 "
		"on /sys/fs/cgroup";
	char *controllers;

	if (file_read_line(root, "/sys/fs/cgroup/cgroup.controllers", &controllers) == 0) {
		if (strstr(controllers, "memory"))
			capability_say(c, CAPABILITY_OK, NULL, "version 2 with memory");
		else
			capability_say(c, CAPABILITY_LIMITED, "a kernel with CONFIG_MEMCG",
				"version 2 without memory: no memory.reclaim");
		free(controllers);
	} else if (exists(root, "/sys/fs/cgroup/memory")) {
		capability_say(c, CAPABILITY_LIMITED, fix,
			"memory is under version 1: no memory.reclaim");
	} else {
		capability_say(
			c, CAPABILITY_UNAVAILABLE, fix, "not mounted: no memory.reclaim");
	}
}

void capability_interrupts(const char *root, struct capability *c)
{
	struct interrupts in;
	struct err err = { "" };
	size_t n_tlb = 0, n_ipi = 0;

	if (interrupts_read(root, &in, &err) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < in.n_rows; i++) {
		enum interrupt_class class = interrupt_classify(&in.rows[i]);

		n_tlb += class == INTERRUPT_TLB;
		n_ipi += class != INTERRUPT_TLB && class != INTERRUPT_NOT_IPI;
	}
	if (n_tlb > 0 && environment_flushes_by_hypercall(root, &in))
		capability_say(c, CAPABILITY_LIMITED,
			"compare kernels in guests: shootdown ab nobatch batch",
			"this hypervisor flushes by hypercall: shootdowns are not counted");
	else if (n_tlb > 0)
		capability_say(c, CAPABILITY_OK, NULL, "shootdowns are counted (TLB)");
	else if (n_ipi > 0)
		capability_say(c, CAPABILITY_LIMITED, NULL,
			"no TLB row on this architecture; %zu rows of other IPIs", n_ipi);
	else
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL,
			"/proc/interrupts has no row of an IPI");
	interrupts_clear(&in);
}

void capability_vmstat_tlb(const char *root, struct capability *c)
{
	struct vmstat v;
	struct err err = { "" };
	uint64_t value;

	if (vmstat_read(root, &v, &err) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL, "%s", err.text);
		return;
	}
	if (vmstat_find(&v, "nr_tlb_remote_flush", &value) == 0)
		capability_say(c, CAPABILITY_OK, NULL, "flushes are counted");
	else
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"on x86: a kernel with CONFIG_DEBUG_TLBFLUSH",
			"this kernel does not count flushes");
	vmstat_clear(&v);
}

void capability_batching(const char *root, struct capability *c)
{
	char *text, *source;

	if (kernel_config_read(root, &text, &source) < 0) {
		capability_say(c, CAPABILITY_LIMITED,
			"install the kernel's /boot/config-RELEASE, or modprobe configs",
			"unknown: the kernel's configuration is nowhere to be read");
		return;
	}
	if (kernel_config_find(text, "CONFIG_ARCH_WANT_BATCHED_UNMAP_TLB_FLUSH") == 'y')
		capability_say(
			c, CAPABILITY_OK, NULL, "this kernel batches (by %s)", source);
	else
		capability_say(c, CAPABILITY_LIMITED, NULL,
			"this kernel does not batch (by %s): one arm of a comparison",
			source);
	free(text);
	free(source);
}

void capability_switch(const char *root, struct capability *c)
{
	char *value;

	if (file_read_line(root, "/proc/sys/vm/batched_unmap_tlb_flush", &value) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"build one: shootdown kernel build batch nobatch",
			"no vm.batched_unmap_tlb_flush: one kernel shows one behaviour");
		return;
	}
	capability_say(c, CAPABILITY_OK, NULL, "vm.batched_unmap_tlb_flush is %s", value);
	free(value);
}

/* kernel/events/core.c: -1 all, 0 no raw tracepoints, 1 no CPU events, 2 user mode only. */
void capability_paranoid(const char *root, struct capability *c)
{
	static const char fix[] = "run as root, or sysctl kernel.perf_event_paranoid=-1";
	char *value;
	long level;

	if (file_read_line(root, "/proc/sys/kernel/perf_event_paranoid", &value) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"a kernel with CONFIG_PERF_EVENTS",
			"this kernel has no perf events");
		return;
	}
	level = strtol(value, NULL, 10);
	if (*root == '\0' && geteuid() == 0)
		capability_say(c, CAPABILITY_OK, NULL,
			"perf_event_paranoid is %s, which does not bind root", value);
	else if (level < 0)
		capability_say(
			c, CAPABILITY_OK, NULL, "perf_event_paranoid is %s: all", value);
	else
		capability_say(c, level > 2 ? CAPABILITY_UNAVAILABLE : CAPABILITY_LIMITED,
			fix, "perf_event_paranoid is %s: %s", value,
			level > 2   ? "no events at all"
			: level > 1 ? "user mode of own processes only, no tracepoint"
				    : "own processes only, no tracepoint");
	free(value);
}
