// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown bisect: the first commit at which a metric is as it is at the bad one. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/bisect_parts.h"
#include "commands/commands.h"
#include "commands/interrupt.h"

/* What `git bisect run` takes for: cannot be tested; stop. */
#define EXIT_SKIP 125
#define EXIT_ABORT 255

#define FOLDER "results/runs/bisect"
#define METRIC "tlb_shootdowns_per_page"

enum {
	OPTION_GOOD = 256,
	OPTION_BAD,
	OPTION_METRIC,
	OPTION_WORKLOAD,
	OPTION_VARIANT,
	OPTION_FILE,
	OPTION_COMMIT,
	OPTION_HOST,
	OPTION_MACHINE,
	OPTION_HOST_TREE
};

static const struct argp_option options[] = {
	{ "good", OPTION_GOOD, "COMMIT", 0, "Where the metric is still good", 0 },
	{ "bad", OPTION_BAD, "COMMIT", 0, "Where it is not any more", 0 },
	{ "workload", OPTION_WORKLOAD, "WORKLOAD", 0,
		"What to run in the guests (swap:threads=max)", 0 },
	{ "metric", OPTION_METRIC, "NAME", 0, "What to look at (" METRIC ")", 0 },
	{ "variant", OPTION_VARIANT, "NAME", 0,
		"Configure and boot each commit like this variant (stock)", 0 },
	{ "variant-file", OPTION_FILE, "FILE", 0,
		"The tree holds variants and their patches, and is no kernel's: take FILE "
		"of each commit",
		0 },
	{ "commit", OPTION_COMMIT, "COMMIT", 0,
		"Judge this one and nothing else; the exit code is for git bisect run", 0 },
	{ "host", OPTION_HOST, "HOST", 0,
		"Measure on this lab machine, reached by ssh, in nights of shootdown nightly",
		0 },
	{ "machine", OPTION_MACHINE, "FILE", 0,
		"Its machine file, as of shootdown nightly; its variant tonight, for both",
		0 },
	{ "host-tree", OPTION_HOST_TREE, "DIR", 0,
		"Where HOST has a tree with these commits (as --tree)", 0 },
	{ "output", 'o', "DIR", 0,
		"Keep everything in DIR (" FOLDER "). What was measured there is not "
		"measured again",
		0 },
	{ 0 },
};

/* What is of guests only. */
static bool has_guest_options(const struct ab_arguments *a)
{
	return a->n_blocks || a->n_samples || a->time_ns || a->cpus || a->nodes ||
	       a->memory_bytes || a->arch || a->cpu || a->pages || a->has_seed ||
	       a->profile || a->keep || a->jobs;
}

static void check(const struct bisect_arguments *a, struct argp_state *state)
{
	if (!a->host != !a->machine || (a->host_tree && !a->host))
		argp_error(state, "--host HOST and --machine FILE go together");
	if (a->host && (a->file || has_guest_options(&a->ab)))
		argp_error(state, "--host: of guests' options --boots alone counts there, "
				  "and --variant-file does not");
	if (!a->good || !a->bad || !a->ab.tree)
		argp_error(state, "--tree, --good and --bad are needed");
	if (a->file && a->ab.names[ARM_BASE])
		argp_error(state, "--variant or --variant-file: one of them");
	if (a->ab.patches)
		argp_error(state, "--patches: a variant (--variant) has those that "
				  "each commit needs");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bisect_arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->ab;
		break;
	case OPTION_GOOD:
		a->good = arg;
		break;
	case OPTION_BAD:
		a->bad = arg;
		break;
	case OPTION_METRIC:
		a->metric = arg;
		break;
	case OPTION_WORKLOAD:
		words_add(&a->ab.workloads, arg);
		break;
	case OPTION_VARIANT:
		a->ab.names[ARM_BASE] = arg;
		break;
	case OPTION_FILE:
		a->file = arg;
		break;
	case OPTION_COMMIT:
		a->commit = arg;
		break;
	case OPTION_HOST:
		a->host = arg;
		break;
	case OPTION_MACHINE:
		a->machine = arg;
		break;
	case OPTION_HOST_TREE:
		a->host_tree = arg;
		break;
	case 'o':
		a->ab.folder = arg;
		break;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: a workload is given by --workload", arg);
		break;
	case ARGP_KEY_END:
		check(a, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Steps run elsewhere: git goes to the root of its tree. */
static int make_full(const char *path, char **ret, struct err *err)
{
	*ret = realpath(path, NULL);
	return *ret ? 0 : err_set(err, -errno, "%s: %m", path);
}

/* A variant is one of that machine's. */
static int complete_host(struct bisect_arguments *a, struct err *err)
{
	int code = make_full(a->machine, &a->own_machine, err);

	if (code < 0)
		return code;
	a->machine = a->own_machine;
	if (!a->host_tree)
		a->host_tree = a->ab.tree;
	return bisect_check_machine(a, err);
}

/* What was not given, and full paths. */
static int complete(struct bisect_arguments *a, struct err *err)
{
	const char *folder = a->ab.folder ? a->ab.folder : FOLDER;
	int code = ab_complete(&a->ab, err);

	if (code == 0 && file_make_dirs(folder) < 0)
		code = err_set(err, -EIO, "%s: cannot be made", folder);
	if (code == 0)
		code = make_full(folder, &a->ab.own_folder, err);
	if (code == 0)
		code = make_full(a->ab.tree, &a->own_tree, err);
	a->ab.tree = a->own_tree;
	if (a->ab.workloads.count == 0)
		words_add(&a->ab.workloads, "swap:threads=max");
	if (!a->metric)
		a->metric = METRIC;
	a->ab.folder = a->ab.own_folder;
	if (a->host)
		return code == 0 ? complete_host(a, err) : code;
	if (code == 0 && a->ab.names[ARM_BASE] && strchr(a->ab.names[ARM_BASE], '/')) {
		code = make_full(a->ab.names[ARM_BASE], &a->own_variant, err);
		a->ab.names[ARM_BASE] = a->own_variant;
	}
	if (!a->ab.names[ARM_BASE])
		a->ab.names[ARM_BASE] = "stock";
	a->ab.names[ARM_CAND] = a->ab.names[ARM_BASE];
	/* That guests are emulated is said once, by the first of several processes. */
	a->ab.again = a->commit != NULL;
	return code;
}

/*
 * This command as each step has it: what was given, then what is full or chosen
 * here, which argp lets stand last.
 */
static int find_first(const struct bisect_arguments *a, int argc, char **argv,
	int *ret_code, struct err *err)
{
	char *self, *folder = mem_format("--output=%s", a->ab.own_folder);
	char *tree = mem_format("--tree=%s", a->ab.tree);
	char *own = a->host ? mem_format("--machine=%s", a->machine)
			    : mem_format("--variant=%s", a->ab.names[ARM_BASE]);
	const char **words = mem_zeroed((size_t)argc + 8, sizeof(*words));
	size_t n = 0;
	int status, code = data_program("shootdown", &self);

	if (code < 0) {
		err_set(err, code, "the path of this program was not found");
	} else {
		words[n++] = self;
		words[n++] = "bisect";
		for (int i = 1; i < argc; i++)
			words[n++] = argv[i];
		words[n++] = folder;
		words[n++] = tree;
		if (!a->file)
			words[n++] = own;
		words[n++] = "--commit=BISECT_HEAD";
		code = bisect_run_git(a, words, &status, err);
		free(self);
	}
	if (code == 0)
		*ret_code = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_OK
									  : EXIT_NOTHING;
	free(words);
	free(own);
	free(tree);
	free(folder);
	return code;
}

static int act(const struct bisect_arguments *a, int argc, char **argv, int *ret_code,
	struct err *err)
{
	static const int codes[] = {
		[BISECT_GOOD] = 0, [BISECT_BAD] = 1, [BISECT_UNDECIDED] = EXIT_SKIP
	};
	enum bisect_answer answer;
	double difference;
	int code;

	if (a->commit) {
		code = bisect_step(a, &answer, err);
		if (code == 0)
			*ret_code = codes[answer];
		return code;
	}
	code = bisect_check_idle(a->ab.tree, err);
	if (code == 0)
		code = bisect_measure_ends(a, &difference, err);
	return code < 0 ? code : find_first(a, argc, argv, ret_code, err);
}

int cmd_bisect(int argc, char **argv)
{
	static const struct argp_child children[] = { { .argp = &ab_argp }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.children = children,
		.parser = parse,
		.doc = "Finds the commit that changed a metric: builds kernels of a git tree, "
		       "boots each in QEMU beside the good one, and has git bisect ask.\v"
		       "Each step begins with 3 boots of both kernels, and doubles them, up to "
		       "--boots, until the 99 % interval of their difference is on one side of "
		       "the middle between good and bad; else the commit is skipped, as is one "
		       "that does not build or boot. The tree's files are not touched.\n"
		       "With --host, each round is a night of a lab machine, which is reset "
		       "without asking.\n\n"
		       "Examples:\n"
		       "  shootdown bisect --tree ~/linux --good v6.11 --bad v6.12\n"
		       "  shootdown bisect --tree ~/linux --good v6.11 --bad HEAD \\\n"
		       "      --workload migrate:threads=max --metric tlb_shootdowns_per_page\n"
		       "  shootdown bisect --tree ~/linux --good v6.11 --bad HEAD \\\n"
		       "      --host altra --machine altra.machine --metric dsb_ish_per_page\n"
		       "  git bisect run shootdown bisect --tree . --good A --bad B "
		       "--commit HEAD\n\n"
		       "Exit codes: 0 found; 2 usage, or it cannot go on; 3 good and bad do not "
		       "differ, or too much had to be skipped; 130 interrupted: the same command "
		       "goes on. With --commit: 0 good, 1 bad, 125 skip, 255 cannot go on.",
	};
	struct bisect_arguments a = { .ab = { .command = "bisect" } };
	struct err err = { "" };
	int code, exit_code = EXIT_USAGE;

	/* 2 would be an answer to git. */
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--commit", strlen("--commit")) == 0)
			argp_err_exit_status = EXIT_ABORT;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	interrupt_catch();
	code = complete(&a, &err);
	if (code == 0)
		code = act(&a, argc, argv, &exit_code, &err);
	if (code < 0) {
		fprintf(stderr, "shootdown bisect: %s\n", err.text);
		exit_code = a.commit           ? EXIT_ABORT
			    : code == -EINTR   ? EXIT_STOPPED
			    : code == -ENODATA ? EXIT_NOTHING
					       : EXIT_USAGE;
	}
	free(a.ab.own_folder);
	free(a.own_tree);
	free(a.own_variant);
	free(a.own_machine);
	words_clear(&a.ab.workloads);
	return exit_code;
}
