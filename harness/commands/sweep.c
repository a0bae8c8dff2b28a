// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown sweep: one metric against one parameter. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/sweep_parts.h"

/* For cpus=...: small, as an emulated page may take milliseconds. */
#define GUEST_WORKLOAD "swap:size=256K,threads=max"

enum { OPTION_METRIC = 256 };

static const struct argp_option options[] = {
	{ "output", 'o', "DIR", 0,
		"Keep results, table and picture in DIR (results/runs/sweep/...). A sweep of "
		"guests that was interrupted there goes on",
		0 },
	{ "metric", OPTION_METRIC, "NAME", 0,
		"What is shown against the parameter, as dsb_ish_per_page (of guests flushes or "
		"interrupts, else time)",
		0 },
	{ 0 },
};

static void take_word(struct sweep_arguments *a, const char *word)
{
	if (!a->text)
		a->text = word;
	else if (!a->ab.names[ARM_BASE])
		a->ab.names[ARM_BASE] = word;
	else if (!a->ab.names[ARM_CAND])
		a->ab.names[ARM_CAND] = word;
	else
		words_add(&a->ab.workloads, word);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sweep_arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->ab;
		break;
	case 'o':
		a->ab.folder = arg;
		break;
	case OPTION_METRIC:
		a->metric = arg;
		break;
	case ARGP_KEY_ARG:
		take_word(a, arg);
		break;
	case ARGP_KEY_END:
		if (!a->text)
			argp_usage(state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Options that the running kernel cannot follow. */
static bool is_about_guests(const struct ab_arguments *a)
{
	return a->arch || a->cpu || a->pages || a->cpus || a->nodes || a->memory_bytes ||
	       a->n_boots || a->n_blocks || a->has_seed || a->profile || a->keep ||
	       a->tree || a->patches || a->jobs;
}

static int check_native(const struct sweep_arguments *a, struct err *err)
{
	if (!a->list.workload)
		return err_set(err, -EINVAL,
			"%s=... is of guests: name two variants, as in 'shootdown sweep %s "
			"nobatch batch'",
			a->list.param, a->text);
	if (is_about_guests(&a->ab))
		return err_set(err, -EINVAL,
			"this sweeps the running kernel, and there is an option that is of "
			"guests: name two variants, as in 'shootdown sweep %s nobatch batch'",
			a->text);
	return 0;
}

static int check_guests(struct sweep_arguments *a, struct err *err)
{
	if (!a->ab.names[ARM_CAND])
		return err_set(err, -EINVAL,
			"give two variants, or none: %s alone is "
			"nothing to compare",
			a->ab.names[ARM_BASE]);
	if (!a->list.workload && strcmp(a->list.param, "cpus") != 0)
		return err_set(err, -EINVAL,
			"'%s' is no property of guests that can be swept: give cpus=2,4,8, or "
			"a workload's parameter, as swap:threads=0,1,2",
			a->list.param);
	if (a->list.workload ? a->ab.workloads.count > 0 : a->ab.workloads.count > 1)
		return err_set(err, -EINVAL,
			"a sweep has one workload: '%s' is one too many",
			a->ab.workloads.items[a->ab.workloads.count - 1]);
	if (a->list.workload)
		return 0;
	if (a->ab.cpus)
		return err_set(err, -EINVAL, "--cpus is what is swept: leave it out");
	if (a->ab.workloads.count == 0)
		words_add(&a->ab.workloads, GUEST_WORKLOAD);
	/* One node goes with any number of CPUs. */
	if (!a->ab.nodes)
		a->ab.nodes = 1;
	return 0;
}

/* The default folder, and room in it: a finished sweep is set aside. */
static int choose_folder(struct sweep_arguments *a, struct err *err)
{
	const char *of = a->list.workload ? a->list.workload : "guest";

	if (a->ab.folder) {
		a->ab.own_folder = mem_text(a->ab.folder);
		return 0;
	}
	if (a->ab.names[ARM_BASE])
		a->ab.own_folder = mem_format("results/runs/sweep/%s-%s-%s-%s-%s", of,
			a->list.param, a->ab.names[ARM_BASE], a->ab.names[ARM_CAND],
			a->ab.arch->name);
	else
		a->ab.own_folder =
			mem_format("results/runs/sweep/%s-%s", of, a->list.param);
	return sweep_is_done(a->ab.own_folder) ? ab_set_aside(a->ab.own_folder, err) : 0;
}

static int sweep(struct sweep_arguments *a, int *ret_code, struct err *err)
{
	const bool guests = a->ab.names[ARM_BASE];
	int ret = sweep_list_parse(a->text, &a->list, err);

	if (ret == 0)
		ret = guests ? check_guests(a, err) : check_native(a, err);
	if (ret == 0 && guests)
		ret = ab_complete(&a->ab, err);
	if (ret == 0)
		ret = choose_folder(a, err);
	if (ret < 0)
		return ret;
	interrupt_catch();
	return guests ? sweep_guests(a, ret_code, err) : sweep_native(a, ret_code, err);
}

int cmd_sweep(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ .argp = &ab_argp, .header = "Of guests (samples and time of both):" },
		{ 0 }
	};
	static const struct argp argp = {
		.options = options,
		.children = children,
		.parser = parse,
		.args_doc = "WORKLOAD:param=a,b,c[,key=value...] [BASE CAND]\n"
			    "cpus=2,4,8 BASE CAND [WORKLOAD[:key=value,...]]",
		.doc = "Measures one metric against one parameter: a table and a picture.\v"
		       "A word between commas without '=' is one more value of the parameter "
		       "before it; exactly one parameter has several. Alone it sweeps the "
		       "running kernel. With two variants ('shootdown kernel list') it is an "
		       "experiment as of 'shootdown ab', whose workloads are the points; with "
		       "cpus=... each point is an experiment of its own, of swap:size=256K,"
		       "threads=max where no workload is named. It then says from which value "
		       "on CAND is better, at all points, by more than the smallest effect "
		       "that matters.\n\n"
		       "Examples:\n"
		       "  shootdown sweep swap:threads=0,1,max\n"
		       "  shootdown sweep swap:threads=max,size=256K,1M,16M -o sizes/\n"
		       "  shootdown sweep migrate:threads=max,batch=1,8,32 nobatch batch\n"
		       "  shootdown sweep cpus=1,2,4,8,16 nobatch batch --arch arm64 --boots 2\n\n"
		       "Exit codes: 0 measured; 2 usage, input or output; 3 a point has no "
		       "value; 130 interrupted: of guests, the same command goes on.",
	};
	struct sweep_arguments a = { .ab.command = "sweep" };
	struct err err = { "" };
	int ret, code = EXIT_USAGE;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ret = sweep(&a, &code, &err);
	if (ret == -EINTR) {
		fprintf(stderr, "shootdown sweep: interrupted%s\n",
			a.ab.names[ARM_BASE] ? "; the same command goes on from here" : "");
		code = EXIT_STOPPED;
	} else if (ret < 0) {
		fprintf(stderr, "shootdown sweep: %s\n", err.text);
		code = EXIT_USAGE;
	}
	free(a.ab.own_folder);
	words_clear(&a.ab.workloads);
	sweep_list_clear(&a.list);
	return code;
}
