// SPDX-License-Identifier: GPL-2.0-or-later
/* The main: finds the subcommand. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "commands/commands.h"

const char *argp_program_version = "shootdown " SHOOTDOWN_VERSION;

static const struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "ab", cmd_ab, "two kernels, or one with batching on and off, in guests" },
	{ "bisect", cmd_bisect, "the commit that changed a metric, in guests" },
	{ "claims", cmd_claims, "what was published, and what was measured here" },
	{ "doctor", cmd_doctor,
		"what this machine can measure, what it cannot, and the fix" },
	{ "history", cmd_history, "what nightly results say, and what was accepted" },
	{ "kernel", cmd_kernel, "build the kernels that are compared, and keep them" },
	{ "list", cmd_list, "workloads with their parameters, ranges and defaults" },
	{ "nightly", cmd_nightly, "tonight's kernel against a reference, on this machine" },
	{ "plan", cmd_plan, "how many boots it takes to find an effect" },
	{ "report", cmd_report, "a page with tables and pictures of what was measured" },
	{ "run", cmd_run, "measure the running kernel" },
	{ "sweep", cmd_sweep, "one metric against one parameter: a table and a picture" },
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *to)
{
	fputs("Usage: shootdown COMMAND [OPTION...]\n"
	      "What batching the TLB flush of unmapped pages does to this machine.\n\n",
		to);
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].help);
	fputs("\nTry first:\n"
	      "  shootdown doctor                    what can be measured here\n"
	      "  shootdown run                       the quick suite, about a minute\n"
	      "  shootdown run swap:threads=1 -o a.json\n"
	      "  compare-results a.json b.json\n\n"
	      "'shootdown COMMAND --help' tells more; so does man shootdown.\n",
		to);
}

static int unknown(const char *word)
{
	const char *names[N_COMMANDS];
	int near;

	for (size_t i = 0; i < N_COMMANDS; i++)
		names[i] = commands[i].name;
	near = nearest(word, names, N_COMMANDS);
	if (near >= 0)
		fprintf(stderr, "shootdown: unknown command '%s': did you mean '%s'?\n",
			word, names[near]);
	else
		fprintf(stderr,
			"shootdown: unknown command '%s': 'shootdown --help' lists all\n",
			word);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	argp_err_exit_status = EXIT_USAGE;
	if (argc < 2) {
		help(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
		help(stdout);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts(argp_program_version);
		return EXIT_OK;
	}
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		/* argp takes the program's name for its usage line from here. */
		argv[1] = mem_format("shootdown %s", commands[i].name);
		return commands[i].main(argc - 1, argv + 1);
	}
	return unknown(argv[1]);
}
