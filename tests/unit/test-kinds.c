// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One machine of each kind that people measure on, and what every reader makes of it.
 * tests/fixtures/README.md says where they are from.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "made-root.h"
#include "measure/cpu_nodes.h"
#include "measure/environment.h"
#include "measure/event_set.h"
#include "measure/interrupts.h"
#include "measure/topology.h"
#include "recorded.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static const struct kind {
	const char *name;
	const char *identity, *set;     /* of its CPU; of events */
	const char *model, *hypervisor; /* of the record's identity */
	const char *topology;           /* likewise */
	const char *cpus, *nodes;       /* that may be used; of each of them, or "" */
	size_t n_columns;               /* of /proc/interrupts */
	int64_t tlb, call, other;       /* counted so far by all CPUs; -1: no such row */
	const char *cpuinfo;            /* a recorded one of that kind, or NULL */
	const char *recorded_identity;
} kinds[] = {
	{ "altra", "0x41-0xd0c", "arm64.events", "Neoverse-N1", "none",
		"1 package, 4 cores, 4 threads, 1 node, L1d 64K x4, L2 1M x4", "0-3",
		"0 0 0 0", 4, -1, 10000, 30, "cpuinfo-aarch64-ampere-altra-max-128.txt",
		"0x41-0xd0c" },
	{ "kunpeng920", "0x48-0xd01", "kunpeng.events", "Kunpeng-920", "none",
		"2 packages, 8 cores, 8 threads, 4 nodes, L1d 64K x8, L2 512K x8, L3 32M x4",
		"0-7", "0 0 1 1 2 2 3 3", 8, -1, 36000, 108,
		"cpuinfo-aarch64-kunpeng920-128.txt", "0x48-0xd01" },
	{ "intel", "GenuineIntel-6-106", "intel-icelake.events",
		"Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", "none",
		"1 package, 2 cores, 4 threads, 1 node, L1d 48K x2, L2 1280K x2, L3 48M x1",
		"0-3", "0 0 0 0", 4, 5000, 10000, -1, "cpuinfo-x86_64-offline-cpu0.txt",
		"GenuineIntel-6-63" },
	{ "amd", "AuthenticAMD-25-1", "amd-zen.events", "AMD EPYC 7543 32-Core Processor",
		"none",
		"1 package, 4 cores, 4 threads, 2 nodes, L1d 32K x4, L2 512K x4, L3 32M x2",
		"0-3", "0 0 1 1", 4, 5000, 10000, -1, "cpuinfo-x86_64-epyc7451-96.txt",
		"AuthenticAMD-23-1" },
	{ "power9", "POWER9", "power.events", "POWER9, altivec supported", "none",
		"2 packages, 2 cores, 8 threads, 2 nodes, L1d 32K x2, L2 512K x2, L3 10M x2",
		"0-7", "0 0 0 0 8 8 8 8", 8, -1, -1, 1620, "cpuinfo-ppc64le-power9-176.txt",
		"POWER9" },
	{ "raspberry-pi", "0x41-0xd08", "arm64.events", "Cortex-A72", "none",
		"1 package, 4 cores, 4 threads, 1 node, L1d 32K x4, L2 1M x1", "0-3", "", 4,
		-1, 10000, 30, "cpuinfo-aarch64-rpi5.txt", "0x41-0xd0b" },
	{ "virtual-machine", "GenuineIntel-6-85", "intel-haswell.events",
		"Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", "kvm",
		"2 packages, 2 cores, 2 threads, 1 node, L1d 32K x2, L2 4M x2, L3 16M x2",
		"0-1", "0 0", 2, 1500, 3000, -1, "cpuinfo-aarch64-wsl2-8cx.txt",
		"0x41-0xd4b" },
	/* It sees the host's interrupts, and may use two of its CPUs. */
	{ "container", "AuthenticAMD-23-49", "amd-zen.events",
		"AMD EPYC 7302 16-Core Processor", "none",
		"1 package, 4 cores, 4 threads, 1 node, L1d 32K x4, L2 512K x4, L3 16M x2",
		"2-3", "0 0", 4, 5000, 10000, -1, NULL, NULL },
};

/* Lines "PATH:TEXT", as grep -r prints them; those of one path are one file. */
static char *root_of(const char *kind)
{
	char *path = mem_format("tests/fixtures/kinds/%s.txt", kind), *text, *rest, *line;
	char *root = made_root(), *file = NULL;

	cr_assert_eq(file_read("", path, &text, NULL), 0, "%s", path);
	rest = text;
	while ((line = strsep(&rest, "\n")) != NULL && *line) {
		const size_t name = strcspn(line, ":") + 1;
		char *longer = NULL;

		if (file && strncmp(file, line, name) == 0)
			longer = mem_format("%s%s\n", file, line + name);
		else if (file)
			made_root_add(root, file);
		free(file);
		file = longer ? longer : mem_format("%s\n", line);
	}
	made_root_add(root, file);
	free(file);
	free(text);
	free(path);
	return root;
}

static void check_events(const struct kind *k, const char *root)
{
	struct event_set set = { 0 };
	struct err err = { "" };
	char *text, *identity;

	cr_assert_eq(file_read(root, "/proc/cpuinfo", &text, NULL), 0);
	identity = event_set_identity(text);
	cr_expect_str_eq(identity ? identity : "none", k->identity, "%s", k->name);
	cr_expect_eq(event_set_find(root, &set, &err), 0, "%s: %s", k->name, err.text);
	cr_expect_str_eq(set.name ? set.name : "none", k->set, "%s", k->name);
	event_set_clear(&set);
	free(identity);
	free(text);
}

static void check_field(
	const struct kind *k, const struct record *r, const char *key, const char *expected)
{
	const struct field *f = fields_find(&r->identity, key);

	cr_expect_str_eq(
		f && f->text ? f->text : "none there", expected, "%s: %s", k->name, key);
}

static void check_identity(const struct kind *k, const char *root)
{
	struct record *r = record_new();
	struct err err = { "" };

	cr_assert_eq(environment_fill(root, r, &err), 0, "%s: %s", k->name, err.text);
	check_field(k, r, "cpu_model", k->model);
	check_field(k, r, "hypervisor", k->hypervisor);
	record_free(r);
}

static char *format_nodes(const int *nodes, size_t n)
{
	char *text = mem_text("");

	for (size_t i = 0; nodes && i < n; i++) {
		char *longer = mem_format("%s%s%d", text, i ? " " : "", nodes[i]);

		free(text);
		text = longer;
	}
	return text;
}

static void check_topology(const struct kind *k, const char *root)
{
	struct topology *t;
	struct err err = { "" };
	char *cpus, *nodes;
	int *by_cpu;

	setenv("HWLOC_FSROOT", root, 1);
	setenv("HWLOC_COMPONENTS", "-x86", 1); /* it asks the CPU that the test runs on */
	cr_assert_eq(topology_open(&t, &err), 0, "%s: %s", k->name, err.text);
	unsetenv("HWLOC_COMPONENTS");
	unsetenv("HWLOC_FSROOT");
	cpus = cpulist_format(topology_cpus(t));
	by_cpu = cpu_nodes_read(root, topology_cpus(t));
	nodes = format_nodes(by_cpu, topology_cpus(t)->count);
	cr_expect_str_eq(
		topology_text(t), k->topology, "%s: %s", k->name, topology_text(t));
	cr_expect_str_eq(cpus, k->cpus, "%s", k->name);
	cr_expect_str_eq(nodes, k->nodes, "%s", k->name);
	free(nodes);
	free(by_cpu);
	free(cpus);
	topology_close(t);
}

/* What all CPUs have counted: the growth since all of it was 0. */
static int64_t total(
	struct interrupts *in, const struct interrupts *zero, enum interrupt_class which)
{
	int64_t deltas[8], sum = 0;

	if (interrupts_delta(zero, in, which, deltas) == -ENODATA)
		return -1;
	for (size_t i = 0; i < in->n_cpus; i++)
		sum += deltas[i];
	return sum;
}

static void check_interrupts(const struct kind *k, const char *root)
{
	struct interrupts in, zero;
	struct err err = { "" };

	cr_assert_eq(interrupts_read(root, &in, &err), 0, "%s: %s", k->name, err.text);
	cr_assert_eq(interrupts_read(root, &zero, &err), 0);
	for (size_t i = 0; i < zero.n_rows; i++)
		memset(zero.rows[i].counts, 0,
			zero.rows[i].n_counts * sizeof(*zero.rows[i].counts));
	cr_assert_eq(in.n_cpus, k->n_columns, "%s", k->name);
	cr_expect_eq(in.n_refused, 0, "%s", k->name);
	cr_expect_eq(total(&in, &zero, INTERRUPT_TLB), k->tlb, "%s", k->name);
	cr_expect_eq(total(&in, &zero, INTERRUPT_CALL), k->call, "%s", k->name);
	cr_expect_eq(total(&in, &zero, INTERRUPT_OTHER_IPI), k->other, "%s", k->name);
	interrupts_clear(&zero);
	interrupts_clear(&in);
}

Test(kinds, each_reader_on_each)
{
	for (size_t i = 0; i < COUNT(kinds); i++) {
		char *root = root_of(kinds[i].name);

		check_events(&kinds[i], root);
		check_identity(&kinds[i], root);
		check_topology(&kinds[i], root);
		check_interrupts(&kinds[i], root);
		made_root_free(root);
	}
}

/* The CPU of a machine of that kind that somebody had. */
Test(kinds, recorded_ones_are_told)
{
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < COUNT(kinds); i++) {
		char *text, *identity;

		if (!kinds[i].cpuinfo)
			continue;
		text = recorded_text(dir, kinds[i].cpuinfo);
		identity = event_set_identity(text);
		cr_expect_str_eq(identity ? identity : "none", kinds[i].recorded_identity,
			"%s", kinds[i].cpuinfo);
		free(identity);
		free(text);
	}
}
