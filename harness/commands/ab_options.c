// SPDX-License-Identifier: GPL-2.0-or-later
/* What the commands that boot guests are told about them. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/duration.h"
#include "commands/ab_parts.h"
#include "commands/interrupt.h"

enum {
	OPTION_ARCH = 256,
	OPTION_CPU,
	OPTION_PAGES,
	OPTION_BOOTS,
	OPTION_BLOCKS,
	OPTION_CPUS,
	OPTION_NODES,
	OPTION_MEMORY,
	OPTION_SAMPLES,
	OPTION_TIME,
	OPTION_SEED,
	OPTION_PROFILE,
	OPTION_KEEP,
	OPTION_TREE,
	OPTION_PATCHES,
};

static const struct argp_option options[] = {
	{ "boots", OPTION_BOOTS, "N", 0, "Boots of each arm (10)", 0 },
	{ "blocks", OPTION_BLOCKS, "N", 0,
		"Where both arms are one image: blocks of both in each boot (1)", 0 },
	{ "samples", OPTION_SAMPLES, "N", 0, "Samples of each workload in a block (2)", 0 },
	{ "time", OPTION_TIME, "TIME", 0, "Time for these samples, as 500ms or 2s (500ms)",
		0 },
	{ "cpus", OPTION_CPUS, "N", 0, "CPUs of a guest (4)", 0 },
	{ "nodes", OPTION_NODES, "N", 0,
		"Its NUMA nodes (2; of one CPU, and of riscv64: 1)", 0 },
	{ "memory", OPTION_MEMORY, "SIZE", 0, "Its memory, as 512M or 2G (512M)", 0 },
	{ "arch", OPTION_ARCH, "NAME", 0, "Its architecture (this machine's)", 0 },
	{ "cpu", OPTION_CPU, "MODEL", 0,
		"Its CPU, by QEMU's name, as cortex-a72 (arm64: neoverse-n1)", 0 },
	{ "pages", OPTION_PAGES, "SIZE", 0,
		"Its pages, as 64K, where the architecture has a choice", 0 },
	{ "seed", OPTION_SEED, "N", 0, "Of the random order; recorded (random)", 0 },
	{ "tree", OPTION_TREE, "DIR", 0, "Take the kernel source of both arms from DIR",
		0 },
	{ "patches", OPTION_PATCHES, "DIR", 0,
		"Apply a series to CAND, on top of its variant's", 0 },
	{ "profile", OPTION_PROFILE, NULL, 0,
		"Profile each workload in each block, after it is measured", 0 },
	{ "keep", OPTION_KEEP, NULL, 0, "Keep initramfs and channel of each boot", 0 },
	{ "jobs", 'j', "N", 0, "Compile N files at a time (the number of CPUs)", 0 },
	{ 0 },
};

static uint64_t parse_number(const char *name, const char *text, uint64_t min, uint64_t max,
	struct argp_state *state)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno || value < min || value > max)
		argp_error(state, "--%s=%s: give a number from %llu to %llu", name, text,
			(unsigned long long)min, (unsigned long long)max);
	return value;
}

static uint64_t parse_memory(const char *text, struct argp_state *state)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);
	const bool gib = *end == 'G' || *end == 'g';

	if (!isdigit((unsigned char)text[0]) || value > 65536 ||
		(!gib && *end != 'M' && *end != 'm') || end[1])
		argp_error(state, "--memory=%s: give a size as 512M or 2G", text);
	value <<= gib ? 30 : 20;
	if (value < (uint64_t)128 << 20)
		argp_error(state, "--memory=%s: a guest needs 128M", text);
	return value;
}

static error_t parse_guest(int key, char *arg, struct argp_state *state)
{
	struct ab_arguments *a = state->input;
	struct err err;

	switch (key) {
	case OPTION_CPUS:
		a->cpus = (unsigned int)parse_number("cpus", arg, 1, 512, state);
		break;
	case OPTION_NODES:
		a->nodes = (unsigned int)parse_number("nodes", arg, 1, 64, state);
		break;
	case OPTION_MEMORY:
		a->memory_bytes = parse_memory(arg, state);
		break;
	case OPTION_ARCH:
		if (kernel_arch_find(arg, &a->arch, &err) < 0)
			argp_error(state, "--arch: %s", err.text);
		break;
	case OPTION_CPU:
		a->cpu = arg;
		break;
	case OPTION_PAGES:
		a->pages = arg;
		break;
	case OPTION_PROFILE:
		a->profile = true;
		break;
	case OPTION_KEEP:
		a->keep = true;
		break;
	case OPTION_TREE:
		a->tree = arg;
		break;
	case OPTION_PATCHES:
		a->patches = arg;
		break;
	case 'j':
		a->jobs = (unsigned int)parse_number("jobs", arg, 1, 4096, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct ab_arguments *a = state->input;

	switch (key) {
	case OPTION_BOOTS:
		a->n_boots = (unsigned int)parse_number("boots", arg, 1, 1000, state);
		break;
	case OPTION_BLOCKS:
		a->n_blocks = (unsigned int)parse_number("blocks", arg, 1, 100, state);
		break;
	case OPTION_SAMPLES:
		a->n_samples = (unsigned int)parse_number("samples", arg, 1, 1000, state);
		break;
	case OPTION_TIME:
		if (!duration_parse(arg, &a->time_ns))
			argp_error(state, "--time=%s: give a time as 500ms, 5s or 2m", arg);
		break;
	case OPTION_SEED:
		a->seed = parse_number("seed", arg, 0, INT64_MAX, state);
		a->has_seed = true;
		break;
	default:
		return parse_guest(key, arg, state);
	}
	return 0;
}

const struct argp ab_argp = { .options = options, .parser = parse };

static unsigned int or_default(unsigned int given, unsigned int preset)
{
	return given ? given : preset;
}

int ab_complete(struct ab_arguments *a, struct err *err)
{
	struct utsname machine;

	a->n_boots = or_default(a->n_boots, 10);
	a->n_blocks = or_default(a->n_blocks, 1);
	a->n_samples = or_default(a->n_samples, 2);
	a->cpus = or_default(a->cpus, 4);
	a->jobs = or_default(a->jobs, (unsigned int)sysconf(_SC_NPROCESSORS_ONLN));
	if (!a->time_ns)
		a->time_ns = 500000000;
	if (!a->memory_bytes)
		a->memory_bytes = (uint64_t)512 << 20;
	uname(&machine);
	if (!a->arch && kernel_arch_find(machine.machine, &a->arch, err) < 0)
		return -EINVAL;
	if (kernel_arch_pages(a->arch, a->pages, &a->pages_kib, err) < 0)
		return -EINVAL;
	if (!a->nodes) {
		const struct qemu_machine *m = qemu_find_machine(a->arch->name);

		a->nodes = m && m->nodes ? m->nodes : a->cpus > 1 ? 2 : 1;
	}
	if (a->cpus > a->nodes && a->cpus % a->nodes)
		return err_set(err, -EINVAL,
			"%u CPUs do not come out even on %u nodes: give "
			"--cpus and --nodes that do",
			a->cpus, a->nodes);
	return 0;
}
