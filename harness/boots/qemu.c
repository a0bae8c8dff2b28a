// SPDX-License-Identifier: GPL-2.0-or-later
#include "qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "boots/channel.h"
#include "boots/disk.h"

#define MIB ((uint64_t)1 << 20)

static const struct qemu_machine machines[] = {
	{
		.arch = "x86_64",
		.host = "x86_64",
		.program = "qemu-system-x86_64",
		.package = "qemu-system-x86",
		.machine = "q35",
		.cpu = { [ACCEL_TCG] = "max", [ACCEL_KVM] = "host" },
		.console = "ttyS0",
		.early = "earlyprintk=serial,ttyS0,115200",
	},
	{
		.arch = "arm64",
		.host = "aarch64",
		.program = "qemu-system-aarch64",
		.package = "qemu-system-arm",
		.machine = "virt,gic-version=3",
		/* As in Ampere's Altra. */
		.cpu = { [ACCEL_TCG] = "neoverse-n1", [ACCEL_KVM] = "host" },
		.console = "ttyAMA0",
		.early = "earlycon=pl011,0x9000000",
	},
	{
		.arch = "riscv64",
		.host = "riscv64",
		.program = "qemu-system-riscv64",
		.package = "qemu-system-misc",
		.machine = "virt",
		.cpu = { [ACCEL_TCG] = "rv64", [ACCEL_KVM] = "host" },
		.console = "ttyS0",
		.early = "earlycon=uart8250,mmio,0x10000000",
		/*
		 * Each node brings an interrupt controller, and those of PCI
		 * devices are on the last: 6.12 then waits for its first disk
		 * for ever.
		 */
		.nodes = 1,
	},
	{
		.arch = "ppc64le",
		.host = "ppc64le",
		.program = "qemu-system-ppc64",
		.package = "qemu-system-ppc",
		/* TCG has no transactional memory. */
		.machine = "pseries,cap-htm=off",
		.cpu = { [ACCEL_TCG] = "power9", [ACCEL_KVM] = "host" },
		.console = "hvc0",
		/*
		 * QEMU before 9.1 lets a tlbie and its ptesync complete while another CPU
		 * still uses the translation; litmus finds that, on any kernel.
		 */
		.in_turn = true,
	},
};

const struct qemu_machine *qemu_find_machine(const char *arch)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (strcmp(machines[i].arch, arch) == 0)
			return &machines[i];
	}
	return NULL;
}

struct args {
	char **items;
	size_t count;
};

/* Takes value over; NULL for an option without one. */
static void add(struct args *a, const char *option, char *value)
{
	a->items = mem_resize(a->items, a->count + 3, sizeof(*a->items));
	a->items[a->count++] = mem_text(option);
	if (value)
		a->items[a->count++] = value;
	a->items[a->count] = NULL;
}

/* Within an option's value a comma is written twice. */
static char *escape(const char *path)
{
	char *escaped = mem_zeroed(2 * strlen(path) + 1, 1), *to = escaped;

	for (; *path; path++) {
		if (*path == ',')
			*to++ = ',';
		*to++ = *path;
	}
	return escaped;
}

static void add_nodes(struct args *a, const struct qemu_guest *g)
{
	const unsigned int cpus = g->cpus < g->nodes ? 1 : g->cpus / g->nodes;

	for (unsigned int i = 0; i < g->nodes; i++) {
		char *of_cpus = i < g->cpus ? mem_format("cpus=%u-%u,", i * cpus,
						      i * cpus + cpus - 1)
					    : mem_text("");

		add(a, "-object",
			mem_format("memory-backend-ram,id=memory%u,size=%" PRIu64 "M", i,
				g->memory_bytes / g->nodes / MIB));
		add(a, "-numa",
			mem_format("node,nodeid=%u,%smemdev=memory%u", i, of_cpus, i));
		free(of_cpus);
	}
}

static void add_channel(struct args *a, const struct qemu_guest *g)
{
	char *path = escape(g->channel);

	/*
	 * unsafe: what the guest has synced is in the host's page cache, which
	 * outlives QEMU; only a host that goes down would lose it, and then the
	 * boot is done again. Errors are the guest's to see: by default a full
	 * disk would stop it in silence.
	 */
	add(a, "-drive",
		mem_format(
			"if=none,id=channel,format=raw,cache=unsafe,werror=report,file=%s",
			path));
	add(a, "-device", mem_text("virtio-blk-pci,drive=channel,serial=" CHANNEL_SERIAL));
	free(path);
}

/* What the guest writes goes to a file without a name that QEMU makes. */
static void add_disk(struct args *a, const struct qemu_guest *g)
{
	char *path = escape(g->disk);

	add(a, "-drive",
		mem_format(
			"if=none,id=disk,format=raw,snapshot=on,cache=unsafe,werror=report,file=%s",
			path));
	add(a, "-device", mem_text("virtio-blk-pci,drive=disk,serial=" DISK_SERIAL));
	free(path);
}

static void add_plugin(struct args *a, const struct qemu_guest *g)
{
	char *plugin = escape(g->plugin), *counts = escape(g->counts);
	char *map = g->system_map ? escape(g->system_map) : NULL;

	add(a, "-plugin",
		mem_format("file=%s,out=%s%s%s", plugin, counts, map ? ",map=" : "",
			map ? map : ""));
	free(plugin);
	free(counts);
	free(map);
}

/*
 * A guest of one CPU that is counted lives in a time made of its instructions:
 * 2^3 ns each, and none while it sleeps. What its clock interrupts is then the
 * same in each boot, and so are the counts, but for a little. With more CPUs that
 * takes turns on one of the host's: other interleavings than those to be measured.
 */
static void add_time(struct args *a, const struct qemu_guest *g)
{
	const bool by_instructions = g->plugin && g->cpus == 1;
	const bool in_turn = by_instructions || g->machine->in_turn;

	if (g->accel == ACCEL_KVM)
		add(a, "-accel", mem_text("kvm"));
	else
		add(a, "-accel", mem_format("tcg,thread=%s", in_turn ? "single" : "multi"));
	if (by_instructions) {
		add(a, "-icount", mem_text("shift=3,sleep=off"));
		add(a, "-rtc", mem_text("clock=vm"));
	}
}

char **qemu_argv(const struct qemu_guest *g)
{
	struct args a = { 0 };

	add(&a, g->machine->program, NULL);
	add(&a, "-nodefaults", NULL);
	add(&a, "-no-user-config", NULL);
	add(&a, "-no-reboot", NULL);
	add(&a, "-display", mem_text("none"));
	add(&a, "-machine", mem_text(g->machine->machine));
	add_time(&a, g);
	add(&a, "-cpu", mem_text(g->cpu ? g->cpu : g->machine->cpu[g->accel]));
	/* A node is a socket: the kernel warns of a socket in several nodes. */
	add(&a, "-smp",
		mem_format(
			"%u,sockets=%u", g->cpus, g->cpus < g->nodes ? g->cpus : g->nodes));
	add(&a, "-m", mem_format("%" PRIu64 "M", g->memory_bytes / MIB));
	add_nodes(&a, g);
	/* A panic that the console no longer shows: QEMU ends with status 1. */
	add(&a, "-device", mem_text("pvpanic-pci"));
	add(&a, "-action", mem_text("panic=exit-failure"));
	add(&a, "-device", mem_text("virtio-rng-pci"));
	add(&a, "-serial", mem_format("file:%s", g->console));
	add_channel(&a, g);
	if (g->disk)
		add_disk(&a, g);
	if (g->plugin)
		add_plugin(&a, g);
	add(&a, "-kernel", mem_text(g->kernel));
	add(&a, "-initrd", mem_text(g->initrd));
	add(&a, "-append", mem_text(g->command_line));
	return a.items;
}

void qemu_free_argv(char **argv)
{
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}

char *qemu_command_line(const struct qemu_machine *m, const char *run_id, const char *file,
	const char *more)
{
	char *copy = mem_text(file), *rest = copy, *line;
	char *words = mem_format("console=%s%s%s shootdown.run=%s", m->console,
		m->early ? " " : "", m->early ? m->early : "", run_id);

	while ((line = strsep(&rest, "\n")) != NULL) {
		char *longer;

		if (line[0] == '\0' || line[0] == '#')
			continue;
		longer = mem_format("%s %s", words, line);
		free(words);
		words = longer;
	}
	free(copy);
	copy = mem_format("%s%s%s", words, *more ? " " : "", more);
	free(words);
	return copy;
}

int qemu_check(const struct qemu_guest *g, struct err *err)
{
	if (g->plugin && g->accel == ACCEL_KVM)
		return err_set(err, -EINVAL,
			"instructions can be counted in an emulated guest only: with KVM they "
			"are executed by the processor, and QEMU sees none of them");
	if (g->cpus < 1 || g->nodes < 1 || (g->cpus > g->nodes && g->cpus % g->nodes != 0))
		return err_set(err, -EINVAL,
			"a guest of %u CPUs on %u nodes: each node has as many", g->cpus,
			g->nodes);
	if (g->machine->nodes && g->nodes > g->machine->nodes)
		return err_set(err, -EINVAL,
			"a guest of %s has %u node at most: --nodes=%u", g->machine->arch,
			g->machine->nodes, g->nodes);
	if (g->memory_bytes == 0 || g->memory_bytes % (g->nodes * MIB) != 0)
		return err_set(err, -EINVAL,
			"a guest's memory of %" PRIu64
			" bytes: not whole MiB for each of %u nodes",
			g->memory_bytes, g->nodes);
	return 0;
}

/*
 * Magic words at fixed places: x86 boot protocol, arm64 and riscv Image, the
 * machine of a little-endian ELF file, ELF.
 */
static const struct {
	const char *arch;
	size_t offset;
	const char *magic;
	size_t bytes;
} magics[] = {
	{ "x86_64", 0x202, "HdrS", 4 },
	{ "arm64", 0x38, "ARM\x64", 4 },
	{ "riscv64", 0x38, "RSC\x05", 4 },
	{ "ppc64le", 18, "\x15\0\1", 3 },
	{ "another architecture", 0, "\177ELF", 4 },
};

int image_arch(const char *path, const char **ret_arch, struct err *err)
{
	char head[1024] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return err_set(err, -errno, "%s: %m", path);
	got = read(fd, head, sizeof(head));
	if (got < 0)
		err_set(err, -errno, "%s: %m", path);
	close(fd);
	if (got < 0)
		return -EIO;
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (memcmp(head + magics[i].offset, magics[i].magic, magics[i].bytes) ==
			0) {
			*ret_arch = magics[i].arch;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "%s: no kernel image that can be booted", path);
}
