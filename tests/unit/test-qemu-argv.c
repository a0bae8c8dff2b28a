// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/qemu.h"

static struct qemu_guest guest(void)
{
	return (struct qemu_guest){
		.machine = qemu_find_machine("x86_64"),
		.accel = ACCEL_TCG,
		.cpus = 4,
		.nodes = 2,
		.memory_bytes = (uint64_t)512 << 20,
		.kernel = "k,1",
		.initrd = "i",
		.console = "a,b/console.log",
		.channel = "a,b/channel.img",
		.command_line = "console=ttyS0 quiet",
	};
}

/* The value of the nth occurrence of an option; NULL where there is none. */
static const char *option(char **argv, const char *name, int nth)
{
	for (size_t i = 0; argv[i]; i++) {
		if (strcmp(argv[i], name) == 0 && nth-- == 0)
			return argv[i + 1];
	}
	return NULL;
}

Test(qemu, says_all_about_the_guest)
{
	struct qemu_guest g = guest();
	char **argv = qemu_argv(&g);

	cr_assert_str_eq(argv[0], "qemu-system-x86_64");
	cr_assert_str_eq(option(argv, "-accel", 0), "tcg,thread=multi");
	cr_assert_str_eq(option(argv, "-cpu", 0), "max");
	cr_assert_str_eq(option(argv, "-smp", 0), "4,sockets=2");
	cr_assert_str_eq(option(argv, "-m", 0), "512M");
	cr_assert_str_eq(
		option(argv, "-object", 0), "memory-backend-ram,id=memory0,size=256M");
	cr_assert_str_eq(option(argv, "-numa", 0), "node,nodeid=0,cpus=0-1,memdev=memory0");
	cr_assert_str_eq(option(argv, "-numa", 1), "node,nodeid=1,cpus=2-3,memdev=memory1");
	cr_assert_null(option(argv, "-numa", 2));
	cr_assert_str_eq(option(argv, "-kernel", 0), "k,1");
	cr_assert_str_eq(option(argv, "-append", 0), "console=ttyS0 quiet");
	/* A comma is doubled where it would end a value, and only there. */
	cr_assert_str_eq(option(argv, "-serial", 0), "file:a,b/console.log");
	cr_assert(strstr(option(argv, "-drive", 0), "file=a,,b/channel.img"));
	cr_assert_not_null(option(argv, "-no-reboot", 0));
	cr_assert_null(option(argv, "-netdev", 0));
	cr_assert_null(option(argv, "-plugin", 0));
	qemu_free_argv(argv);
}

Test(qemu, leaves_the_disk_as_it_was)
{
	struct qemu_guest g = guest();
	char **argv = qemu_argv(&g);

	cr_assert_null(option(argv, "-drive", 1), "the channel is all without one");
	qemu_free_argv(argv);
	g.disk = "a,b/disk.img";
	argv = qemu_argv(&g);
	cr_assert(strstr(option(argv, "-drive", 1), "snapshot=on"));
	cr_assert(strstr(option(argv, "-drive", 1), "file=a,,b/disk.img"));
	qemu_free_argv(argv);
}

Test(qemu, counts_where_it_emulates)
{
	struct qemu_guest g = guest();
	struct err err = { "" };
	char **argv;

	g.plugin = "p,1/counting.so";
	g.counts = "a,b/counts.txt";
	argv = qemu_argv(&g);
	cr_assert_str_eq(
		option(argv, "-plugin", 0), "file=p,,1/counting.so,out=a,,b/counts.txt");
	qemu_free_argv(argv);
	g.system_map = "m,1";
	argv = qemu_argv(&g);
	cr_assert_str_eq(option(argv, "-plugin", 0),
		"file=p,,1/counting.so,out=a,,b/counts.txt,map=m,,1");
	qemu_free_argv(argv);
	cr_assert_eq(qemu_check(&g, &err), 0);
	g.accel = ACCEL_KVM;
	cr_assert_eq(qemu_check(&g, &err), -EINVAL);
	cr_assert(strstr(err.text, "with KVM"), "%s", err.text);
}

Test(qemu, one_counted_cpu_has_a_time_of_instructions)
{
	struct qemu_guest g = guest();
	char **argv;

	g.cpus = g.nodes = 1;
	argv = qemu_argv(&g);
	cr_assert_null(option(argv, "-icount", 0));
	qemu_free_argv(argv);
	g.plugin = "p";
	g.counts = "c";
	argv = qemu_argv(&g);
	cr_assert_str_eq(option(argv, "-icount", 0), "shift=3,sleep=off");
	cr_assert_str_eq(option(argv, "-accel", 0), "tcg,thread=single");
	qemu_free_argv(argv);
	g.cpus = 2;
	argv = qemu_argv(&g);
	cr_assert_null(option(argv, "-icount", 0));
	cr_assert_str_eq(option(argv, "-accel", 0), "tcg,thread=multi");
	qemu_free_argv(argv);
}

/* Its tlbie does not wait for CPUs that run at the same time. */
Test(qemu, emulated_cpus_of_powerpc_take_turns)
{
	struct qemu_guest g = guest();
	char **argv;

	g.machine = qemu_find_machine("ppc64le");
	argv = qemu_argv(&g);
	cr_assert_str_eq(option(argv, "-accel", 0), "tcg,thread=single");
	qemu_free_argv(argv);
}

Test(qemu, takes_the_hosts_cpu_only_where_it_runs_natively)
{
	struct qemu_guest g = guest();
	char **argv;

	g.accel = ACCEL_KVM;
	argv = qemu_argv(&g);
	cr_assert_str_eq(option(argv, "-accel", 0), "kvm");
	cr_assert_str_eq(option(argv, "-cpu", 0), "host");
	qemu_free_argv(argv);
}

Test(qemu, refuses_a_guest_that_cannot_be)
{
	static const struct {
		unsigned int cpus, nodes, mib;
		int ret;
	} cases[] = {
		{ 1, 1, 1, 0 },
		{ 4, 4, 400, 0 },
		{ 1, 2, 512, 0 },
		{ 0, 1, 512, -EINVAL },
		{ 4, 0, 512, -EINVAL },
		{ 2, 3, 512, -EINVAL },
		{ 4, 3, 300, -EINVAL },
		{ 4, 2, 511, -EINVAL },
		{ 1, 1, 0, -EINVAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct qemu_guest g = guest();

		g.cpus = cases[i].cpus;
		g.nodes = cases[i].nodes;
		g.memory_bytes = (uint64_t)cases[i].mib << 20;
		cr_assert_eq(qemu_check(&g, NULL), cases[i].ret, "case %zu", i);
	}
	cr_assert_null(qemu_find_machine("vax"));
}

Test(qemu, nodes_without_a_cpu_have_memory)
{
	struct qemu_guest g = guest();
	char **argv;

	g.cpus = 1;
	argv = qemu_argv(&g);
	cr_assert_str_eq(option(argv, "-smp", 0), "1,sockets=1");
	cr_assert_str_eq(option(argv, "-numa", 0), "node,nodeid=0,cpus=0-0,memdev=memory0");
	cr_assert_str_eq(option(argv, "-numa", 1), "node,nodeid=1,memdev=memory1");
	qemu_free_argv(argv);
}

Test(qemu, refuses_nodes_that_hang)
{
	struct qemu_guest g = guest();

	g.machine = qemu_find_machine("riscv64");
	cr_assert_eq(qemu_check(&g, NULL), -EINVAL);
	g.nodes = 1;
	cr_assert_eq(qemu_check(&g, NULL), 0);
}

Test(qemu, joins_the_command_line)
{
	char *line = qemu_command_line(qemu_find_machine("x86_64"), "id-7",
		"# why\n\npanic=-1\nnokaslr\n", "vm.batched_unmap_tlb_flush=0");

	cr_assert_str_eq(line, "console=ttyS0 earlyprintk=serial,ttyS0,115200 "
			       "shootdown.run=id-7 panic=-1 nokaslr "
			       "vm.batched_unmap_tlb_flush=0");
	free(line);
	line = qemu_command_line(qemu_find_machine("x86_64"), "id-7", "", "");
	cr_assert(strstr(line, "shootdown.run=id-7"));
	cr_assert_eq(line[strlen(line) - 1], '7');
	free(line);
}

Test(qemu, knows_a_kernel_by_its_header)
{
	static const struct {
		size_t offset;
		const char *magic, *arch;
	} cases[] = {
		{ 0x202, "HdrS", "x86_64" },
		{ 0x38, "ARM\x64", "arm64" },
		{ 0x38, "RSC\x05", "riscv64" },
		{ 0, "\177ELF", "another architecture" },
		{ 0, "#!/bin/sh", NULL },
	};
	char *path = mem_format("/tmp/image-%d", (int)getpid());

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char image[2048] = { 0 };
		const char *arch = NULL;
		int ret;

		memcpy(image + cases[i].offset, cases[i].magic, strlen(cases[i].magic));
		cr_assert_eq(file_replace(path, image, sizeof(image)), 0);
		ret = image_arch(path, &arch, NULL);
		cr_assert_eq(ret, cases[i].arch ? 0 : -EINVAL, "case %zu", i);
		if (cases[i].arch)
			cr_assert_str_eq(arch, cases[i].arch);
	}
	unlink(path);
	cr_assert_eq(image_arch(path, NULL, NULL), -ENOENT);
	free(path);
}

Test(qemu, has_a_machine_for_each_architecture)
{
	static const struct {
		const char *arch, *program, *machine, *cpu, *words;
	} cases[] = {
		{ "x86_64", "qemu-system-x86_64", "q35", "max",
			"console=ttyS0 earlyprintk=serial,ttyS0,115200 shootdown.run=r" },
		{ "arm64", "qemu-system-aarch64", "virt,gic-version=3", "neoverse-n1",
			"console=ttyAMA0 earlycon=pl011,0x9000000 shootdown.run=r" },
		{ "riscv64", "qemu-system-riscv64", "virt", "rv64",
			"console=ttyS0 earlycon=uart8250,mmio,0x10000000 shootdown.run=r" },
		{ "ppc64le", "qemu-system-ppc64", "pseries,cap-htm=off", "power9",
			"console=hvc0 shootdown.run=r" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct qemu_guest g = guest();
		char **argv, *line;

		g.machine = qemu_find_machine(cases[i].arch);
		cr_assert_not_null(g.machine);
		argv = qemu_argv(&g);
		line = qemu_command_line(g.machine, "r", "", "");
		cr_assert_str_eq(argv[0], cases[i].program);
		cr_assert_str_eq(option(argv, "-machine", 0), cases[i].machine);
		cr_assert_str_eq(option(argv, "-cpu", 0), cases[i].cpu);
		cr_assert_str_eq(line, cases[i].words);
		free(line);
		qemu_free_argv(argv);
		g.cpu = "cortex-a72";
		argv = qemu_argv(&g);
		cr_assert_str_eq(option(argv, "-cpu", 0), "cortex-a72");
		qemu_free_argv(argv);
	}
}

Test(qemu, knows_a_kernel_of_powerpc_by_its_machine)
{
	static const char header[64] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x15\0\1";
	char *path = mem_format("/tmp/image-ppc-%d", (int)getpid());
	const char *arch = NULL;

	cr_assert_eq(file_replace(path, header, sizeof(header)), 0);
	cr_assert_eq(image_arch(path, &arch, NULL), 0);
	cr_assert_str_eq(arch, "ppc64le");
	unlink(path);
	free(path);
}
