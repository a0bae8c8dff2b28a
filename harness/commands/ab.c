// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: two kernels, or one with the switch on and off, in guests. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/mem.h"
#include "commands/ab_parts.h"
#include "commands/commands.h"
#include "commands/interrupt.h"

enum {
	OPTION_ARCH = 256,
	OPTION_CPU,
	OPTION_PAGES,
	OPTION_BOOTS,
	OPTION_BLOCKS,
	OPTION_SUITE,
	OPTION_CPUS,
	OPTION_NODES,
	OPTION_MEMORY,
	OPTION_SAMPLES,
	OPTION_TIME,
	OPTION_SEED,
	OPTION_KEEP,
	OPTION_TREE,
	OPTION_PATCHES,
};

static const struct argp_option options[] = {
	{ "output", 'o', "DIR", 0,
		"Keep everything in DIR (results/runs/ab/BASE-CAND-ARCH). An experiment that was "
		"interrupted there goes on",
		0 },
	{ "boots", OPTION_BOOTS, "N", 0, "Boots of each arm (10)", 0 },
	{ "blocks", OPTION_BLOCKS, "N", 0,
		"Where both arms are one image: blocks of both in each boot (1)", 0 },
	{ "suite", OPTION_SUITE, "NAME", 0,
		"What to run in the guests (guest: quick in smaller pieces)", 0 },
	{ "samples", OPTION_SAMPLES, "N", 0, "Samples of each workload in a block (2)", 0 },
	{ "time", OPTION_TIME, "TIME", 0, "Time for these samples, as 500ms or 2s (500ms)",
		0 },
	{ "cpus", OPTION_CPUS, "N", 0, "CPUs of a guest (4)", 0 },
	{ "nodes", OPTION_NODES, "N", 0, "Its NUMA nodes (2; riscv64: 1)", 0 },
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

static void take_word(struct ab_arguments *a, const char *word)
{
	if (!a->names[ARM_BASE])
		a->names[ARM_BASE] = word;
	else if (!a->names[ARM_CAND])
		a->names[ARM_CAND] = word;
	else
		words_add(&a->workloads, word);
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
	case 'o':
		a->folder = arg;
		break;
	case OPTION_BOOTS:
		a->n_boots = (unsigned int)parse_number("boots", arg, 1, 1000, state);
		break;
	case OPTION_BLOCKS:
		a->n_blocks = (unsigned int)parse_number("blocks", arg, 1, 100, state);
		break;
	case OPTION_SUITE:
		a->suite = arg;
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
	case ARGP_KEY_ARG:
		take_word(a, arg);
		break;
	case ARGP_KEY_END:
		if (!a->names[ARM_CAND])
			argp_usage(state);
		break;
	default:
		return parse_guest(key, arg, state);
	}
	return 0;
}

/* What was not given. */
static int complete(struct ab_arguments *a, struct err *err)
{
	struct utsname machine;

	uname(&machine);
	if (!a->arch && kernel_arch_find(machine.machine, &a->arch, err) < 0)
		return -EINVAL;
	if (kernel_arch_pages(a->arch, a->pages, &a->pages_kib, err) < 0)
		return -EINVAL;
	if (!a->nodes) {
		const struct qemu_machine *m = qemu_find_machine(a->arch->name);

		a->nodes = m && m->nodes ? m->nodes : 2;
	}
	if (a->cpus % a->nodes)
		return err_set(err, -EINVAL,
			"%u CPUs do not come out even on %u nodes: give "
			"--cpus and --nodes that do",
			a->cpus, a->nodes);
	if (!a->suite && a->workloads.count == 0)
		a->suite = "guest";
	a->own_folder = a->folder
				? mem_text(a->folder)
				: mem_format("results/runs/ab/%s-%s-%s", a->names[ARM_BASE],
					  a->names[ARM_CAND], a->arch->name);
	return 0;
}

int cmd_ab(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "BASE CAND [WORKLOAD[:key=value,...]...]",
		.doc = "Builds two variants of a kernel, boots them in QEMU in random order, and "
		       "compares.\v"
		       "BASE and CAND are variants ('shootdown kernel list'). Where they are one "
		       "image and differ in sysctls only, each boot measures both in blocks of "
		       "random order; otherwise each has boots of its own.\n\n"
		       "Examples:\n"
		       "  shootdown ab nobatch batch\n"
		       "  shootdown ab nobatch batch --arch arm64 --pages 64K\n"
		       "  shootdown ab stock stock --patches my-series/ -o my-series.ab\n"
		       "  shootdown ab nobatch batch swap:threads=max --cpus 8 --boots 20\n\n"
		       "Under emulation (TCG) counts are judged and durations are not. Exit codes "
		       "are those of compare-results: 0 clean, 1 regression, 2 usage or I/O, 3 "
		       "something is missing (a boot failed), 4 inconclusive if asked for; 130 "
		       "interrupted: the same command goes on.",
	};
	struct ab_arguments a = {
		.n_boots = 10,
		.n_blocks = 1,
		.n_samples = 2,
		.time_ns = 500000000,
		.cpus = 4,
		.memory_bytes = (uint64_t)512 << 20,
		.jobs = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN),
	};
	struct err err = { "" };
	int ret, code = EXIT_USAGE;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	interrupt_catch();
	ret = complete(&a, &err);
	if (ret == 0)
		ret = ab_run(&a, &code, &err);
	if (ret == -EINTR) {
		fprintf(stderr,
			"shootdown ab: interrupted; the same command goes on from here\n");
		code = EXIT_STOPPED;
	} else if (ret < 0) {
		fprintf(stderr, "shootdown ab: %s\n", err.text);
		code = EXIT_USAGE;
	}
	free(a.own_folder);
	words_clear(&a.workloads);
	return code;
}
