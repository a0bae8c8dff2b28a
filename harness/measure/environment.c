// SPDX-License-Identifier: GPL-2.0-or-later
#include "environment.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cpuinfo.h"
#include "cpulist.h"
#include "environment_parts.h"
#include "kernel_config.h"
#include "meminfo.h"
#include "setting.h"
#include "topology.h"

/* clang's version names it, gcc's is bare numbers. */
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Takes text over; NULL is left out. */
static void set_own(struct fields *f, const char *name, char *text)
{
	if (text)
		fields_set_text(f, name, text);
	free(text);
}

static void set_from(struct fields *f, const char *name, const char *root, const char *path)
{
	char *value;

	if (setting_read(root, path, &value) == 0)
		set_own(f, name, value);
}

static void set_number_from(
	struct fields *f, const char *name, const char *root, const char *path)
{
	char *value, *end;
	long long number;

	if (file_read_line(root, path, &value) < 0)
		return;
	errno = 0;
	number = strtoll(value, &end, 10);
	if (end != value && *end == '\0' && errno == 0)
		fields_set_number(f, name, number);
	free(value);
}

static const char *or_unknown(const char *text)
{
	return *text ? text : "unknown";
}

/* Not a recorded machine's where its kernel is older than 6.1. */
static char *find_arch(const char *root)
{
	struct utsname name;
	char *arch;

	if (*root == '\0' && uname(&name) == 0)
		return mem_text(name.machine);
	return file_read_line(root, "/proc/sys/kernel/arch", &arch) == 0
		       ? arch
		       : mem_text("unknown");
}

static void fill_cpu(struct fields *f, const char *root)
{
	struct cpuinfo cpu;
	struct cpulist online;

	if (cpuinfo_read(root, &cpu, NULL) == 0) {
		fields_set_text(f, "cpu_model", or_unknown(cpu.model));
		fields_set_text(f, "cpu_stepping", or_unknown(cpu.stepping));
		if (*cpu.microcode)
			fields_set_text(f, "microcode", cpu.microcode);
		cpuinfo_clear(&cpu);
	} else {
		fields_set_text(f, "cpu_model", "unknown");
		fields_set_text(f, "cpu_stepping", "unknown");
	}
	if (cpulist_read(root, "/sys/devices/system/cpu/online", &online) == 0) {
		set_own(f, "cpus_online", cpulist_format(&online));
		cpulist_clear(&online);
	}
}

static int fill_topology(struct fields *f, struct err *err)
{
	struct topology *t;
	int r = topology_open(&t, err);

	if (r < 0)
		return r;
	fields_set_text(f, "topology", topology_text(t));
	topology_close(t);
	return 0;
}

/* All cores' governors, each once; no cpufreq is a state of its own. */
static char *find_governor(const char *root)
{
	struct cpulist online;
	char *all = NULL;

	if (cpulist_read(root, "/sys/devices/system/cpu/online", &online) < 0)
		return mem_text("unknown");
	for (size_t i = 0; i < online.count; i++) {
		char *path =
			mem_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
				online.ids[i]);
		char *one, *longer;

		if (file_read_line(root, path, &one) == 0) {
			if (!all || !strstr(all, one)) {
				longer = mem_format(
					"%s%s%s", all ? all : "", all ? ", " : "", one);
				free(all);
				all = longer;
			}
			free(one);
		}
		free(path);
	}
	cpulist_clear(&online);
	return all ? all : mem_text("none");
}

/*
 * Only the host can know under which accelerator a guest runs; it says so on
 * the command line. Else: what can be told from within.
 */
static char *find_accelerator(
	const char *cmdline, const char *hypervisor, const char *cpu_model)
{
	static const char key[] = "shootdown.accelerator=";
	const char *told = strstr(cmdline, key);

	if (told) {
		told += strlen(key);
		return mem_format("%.*s", (int)strcspn(told, " \t\n"), told);
	}
	if (strncmp(cpu_model, "QEMU TCG", 8) == 0)
		return mem_text("tcg");
	if (strcmp(hypervisor, "none") == 0 || strcmp(hypervisor, "kvm") == 0)
		return mem_text(hypervisor);
	return mem_text("unknown");
}

static void fill_virtual(struct fields *f, const char *root, const char *cmdline)
{
	char *product = environment_product(root);
	char *hypervisor = environment_hypervisor(root, product);

	fields_set_text(f, "hypervisor", hypervisor);
	set_own(f, "accelerator",
		find_accelerator(cmdline, hypervisor, fields_find(f, "cpu_model")->text));
	set_own(f, "product", product);
	free(hypervisor);
}

static void fill_settings(struct fields *f, const char *root)
{
	set_own(f, "swap", environment_swap(root));
	set_from(f, "thp_enabled", root, "/sys/kernel/mm/transparent_hugepage/enabled");
	set_from(f, "thp_shmem", root, "/sys/kernel/mm/transparent_hugepage/shmem_enabled");
	set_own(f, "governor", find_governor(root));
	set_from(f, "boost", root, "/sys/devices/system/cpu/cpufreq/boost");
	set_from(f, "no_turbo", root, "/sys/devices/system/cpu/intel_pstate/no_turbo");
	set_own(f, "mitigations", environment_mitigations(root));
	set_number_from(f, "numa_balancing", root, "/proc/sys/kernel/numa_balancing");
	set_number_from(f, "swappiness", root, "/proc/sys/vm/swappiness");
	set_number_from(f, "page_cluster", root, "/proc/sys/vm/page-cluster");
}

static int fill_identity(struct fields *f, const char *root, const char *cmdline,
	const char *cmdline_identity, struct err *err)
{
	char *arch = find_arch(root);
	uint64_t memory;
	int r = 0;

	fields_set_text(f, "arch", arch);
	fill_cpu(f, root);
	if (*root == '\0') {
		r = fill_topology(f, err);
		fields_set_number(f, "page_bytes", sysconf(_SC_PAGESIZE));
	}
	if (meminfo_read(root, "MemTotal", &memory) == 0)
		fields_set_number(
			f, "memory_bytes", (int64_t)environment_round_memory(memory));
	fill_virtual(f, root, cmdline);
	fill_settings(f, root);
	set_own(f, "errata", environment_errata(root, arch));
	set_own(f, "broadcast_tlb_flush", environment_broadcast(root));
	fields_set_text(f, "cmdline", cmdline_identity);
	fields_set_text(f, "compiler", COMPILER);
	free(arch);
	return r;
}

/* FNV-1a: tells two configurations apart, and is no proof against forgery. */
static char *hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return mem_format("fnv1a:%016" PRIx64, hash);
}

static void fill_config(struct fields *f, const char *root)
{
	char *text, *source;
	char batched[2] = "";

	if (kernel_config_read(root, &text, &source) < 0) {
		fields_set_text(f, "config_hash", "unknown");
		return;
	}
	batched[0] = kernel_config_find(text, "CONFIG_ARCH_WANT_BATCHED_UNMAP_TLB_FLUSH");
	set_own(f, "config_hash", hash_text(text));
	set_own(f, "config_source", source);
	fields_set_text(f, "config_batched_unmap", batched);
	free(text);
}

static void fill_subject(struct fields *f, const char *root, const char *cmdline_variant)
{
	set_from(f, "kernel_release", root, "/proc/sys/kernel/osrelease");
	set_from(f, "kernel_version", root, "/proc/sys/kernel/version");
	fill_config(f, root);
	set_number_from(
		f, "batched_unmap_tlb_flush", root, "/proc/sys/vm/batched_unmap_tlb_flush");
	fields_set_text(f, "cmdline_variant", cmdline_variant);
	fields_set_text(f, "suite_version", SHOOTDOWN_VERSION);
}

/* The hottest zone; zones that fail to read are passed over. */
static void fill_temperature(struct fields *f, const char *root)
{
	int64_t hottest = INT64_MIN;

	for (int i = 0; i < 256; i++) {
		char *path = mem_format("/sys/class/thermal/thermal_zone%d/temp", i), *text;
		int r = file_read_line(root, path, &text);

		free(path);
		if (r == -ENOENT)
			break;
		if (r < 0)
			continue;
		if (strtoll(text, NULL, 10) > hottest)
			hottest = strtoll(text, NULL, 10);
		free(text);
	}
	if (hottest != INT64_MIN)
		fields_set_number(f, "temperature_millicelsius", hottest);
}

static void fill_state(struct fields *f, const char *root)
{
	uint64_t available;
	char *text;

	if (file_read_line(root, "/proc/loadavg", &text) == 0) {
		fields_set_number(
			f, "load_1min_percent", (int64_t)(strtod(text, NULL) * 100 + 0.5));
		free(text);
	}
	if (file_read_line(root, "/proc/uptime", &text) == 0) {
		fields_set_number(f, "uptime_s", strtoll(text, NULL, 10));
		free(text);
	}
	if (meminfo_read(root, "MemAvailable", &available) == 0)
		fields_set_number(f, "memory_available_bytes", (int64_t)available);
	fill_temperature(f, root);
	set_number_from(f, "frequency_khz", root,
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
}

int environment_fill(const char *root, struct record *record, struct err *err)
{
	char *cmdline, *identity, *variant;
	int r = file_read_line(root, "/proc/cmdline", &cmdline);

	if (r < 0)
		return err_set(err, r,
			"cannot read %s/proc/cmdline: %s (is /proc mounted?)", root,
			strerror(-r));
	environment_split_cmdline(cmdline, &identity, &variant);
	r = fill_identity(&record->identity, root, cmdline, identity, err);
	if (r == 0) {
		fill_subject(&record->subject, root, variant);
		fill_state(&record->state, root);
	}
	free(cmdline);
	free(identity);
	free(variant);
	return r;
}
