// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: two kernels, or one with the switch on and off, in guests. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/quote.h"
#include "commands/ab_parts.h"
#include "commands/commands.h"
#include "commands/interrupt.h"

enum { OPTION_SUITE = 256 };

static const struct argp_option options[] = {
	{ "output", 'o', "DIR", 0,
		"Keep everything in DIR (results/runs/ab/BASE-CAND-ARCH). An experiment that was "
		"interrupted there goes on",
		0 },
	{ "suite", OPTION_SUITE, "NAME", 0,
		"What to run in the guests (guest: quick in smaller pieces)", 0 },
	{ 0 },
};

static void take_word(struct ab_arguments *a, const char *word)
{
	if (!a->names[ARM_BASE])
		a->names[ARM_BASE] = word;
	else if (!a->names[ARM_CAND])
		a->names[ARM_CAND] = word;
	else
		words_add(&a->workloads, word);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct ab_arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = a;
		break;
	case 'o':
		a->folder = arg;
		break;
	case OPTION_SUITE:
		a->suite = arg;
		break;
	case ARGP_KEY_ARG:
		take_word(a, arg);
		break;
	case ARGP_KEY_END:
		if (!a->names[ARM_CAND])
			argp_usage(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* What was not given. */
static int complete(struct ab_arguments *a, struct err *err)
{
	const int ret = ab_complete(a, err);

	if (ret < 0)
		return ret;
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
	static const struct argp_child children[] = { { .argp = &ab_argp }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.children = children,
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
	struct ab_arguments a = { .command = "ab" };
	struct err err = { "" };
	int ret, code = EXIT_USAGE;

	quote_add(&a.repeat, "shootdown");
	quote_add(&a.repeat, "ab");
	for (int i = 1; i < argc; i++)
		quote_add(&a.repeat, argv[i]);
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
	free(a.repeat);
	words_clear(&a.workloads);
	return code;
}
