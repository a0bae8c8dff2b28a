// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown run: measures the running kernel and writes a result. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/cost.h"
#include "commands/interrupt.h"
#include "commands/progress.h"
#include "commands/run_output.h"
#include "measure/perf_record.h"
#include "measure/session.h"

#define SAMPLES_MAX 10000

enum {
	OPTION_SUITE = 256,
	OPTION_SAMPLES,
	OPTION_TIME,
	OPTION_WARMUP,
	OPTION_NO_TRACE,
	OPTION_PROFILE,
	OPTION_NO_PROFILE,
	OPTION_PERF_DATA,
	OPTION_FOLDED,
	OPTION_GOVERNOR,
	OPTION_THP
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0,
		"Write the result to FILE; a folder gets <host>/<time>-<kernel>.json, and an "
		"earlier result of the same machine there is compared with",
		0 },
	{ "suite", OPTION_SUITE, "NAME", 0,
		"Run a list of workloads: quick, seeds, full, guest", 0 },
	{ "samples", OPTION_SAMPLES, "N", 0, "Samples of each workload (10)", 0 },
	{ "warmup", OPTION_WARMUP, "N", 0, "Samples before these that do not count (1)",
		0 },
	{ "time", OPTION_TIME, "TIME", 0,
		"Time for the samples of one workload, as 500ms, 5s or 2m (5s)", 0 },
	{ "no-trace", OPTION_NO_TRACE, NULL, 0,
		"Leave out the samples whose flushes are traced by reason", 0 },
	{ "profile", OPTION_PROFILE, "WHAT", 0,
		"What the last sample, which is not timed, profiles: thread, the measuring one, "
		"or machine, all CPUs (thread)",
		0 },
	{ "no-profile", OPTION_NO_PROFILE, NULL, 0, "Leave that sample out", 0 },
	{ "folded", OPTION_FOLDED, "DIR", 0,
		"Keep its call chains in DIR, as flame graphs take them", 0 },
	{ "perf-data", OPTION_PERF_DATA, "DIR", 0,
		"Have perf record that sample too, and keep its files in DIR for perf report",
		0 },
	{ "governor", OPTION_GOVERNOR, "NAME", 0,
		"Set the cpufreq governor meanwhile, as performance", 0 },
	{ "thp", OPTION_THP, "MODE", 0,
		"Set transparent huge pages meanwhile: always, madvise or never", 0 },
	{ 0 },
};

struct arguments {
	struct session_options session;
	const char *output, *suite;
	char **specs;
	size_t n_specs;
};

static unsigned int parse_number(
	const char *name, const char *text, unsigned int min, struct argp_state *state)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)text[0]) || *end || value < min || value > SAMPLES_MAX)
		argp_error(state, "%s=%s: give a number from %u to %d", name, text, min,
			SAMPLES_MAX);
	return (unsigned int)value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = arg;
		break;
	case OPTION_SUITE:
		a->suite = arg;
		break;
	case OPTION_SAMPLES:
		a->session.n_samples = parse_number("--samples", arg, 1, state);
		break;
	case OPTION_WARMUP:
		a->session.n_warmup = parse_number("--warmup", arg, 0, state);
		break;
	case OPTION_TIME:
		if (!duration_parse(arg, &a->session.budget_ns))
			argp_error(state, "--time=%s: give a time as 500ms, 5s or 2m", arg);
		break;
	case OPTION_NO_TRACE:
		a->session.no_trace = true;
		break;
	case OPTION_PROFILE:
		a->session.whole_machine = strcmp(arg, "machine") == 0;
		if (!a->session.whole_machine && strcmp(arg, "thread") != 0)
			argp_error(state, "--profile=%s: give thread or machine", arg);
		break;
	case OPTION_FOLDED:
		a->session.folded = arg;
		break;
	case OPTION_PERF_DATA:
		a->session.perf_data = arg;
		break;
	case OPTION_NO_PROFILE:
		a->session.no_profile = true;
		break;
	case OPTION_GOVERNOR:
		a->session.governor = arg;
		break;
	case OPTION_THP:
		a->session.thp = arg;
		break;
	case ARGP_KEY_ARG:
		a->specs = mem_resize(a->specs, a->n_specs + 1, sizeof(*a->specs));
		a->specs[a->n_specs++] = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static bool is_interrupted(void *arg)
{
	(void)arg;
	return interrupted != 0;
}

static void show_progress(void *arg, double done, const char *what)
{
	progress_show(arg, done, "%s", what);
}

/* Beforehand, how long it takes and what it needs. */
static int add_suite(struct session *s, const char *name, struct err *err)
{
	const int ret = session_add_suite(s, name, err);
	struct session_cost cost;
	char *text;

	if (ret < 0)
		return ret;
	session_cost(s, &cost);
	text = cost_text(&cost);
	fprintf(stderr, "shootdown run: suite %s: %s\n", name, text);
	free(text);
	return 0;
}

static int add_workloads(struct session *s, const struct arguments *a, struct err *err)
{
	const char *const *notes;
	size_t n_notes;
	int ret = 0;

	if (a->suite || a->n_specs == 0)
		ret = add_suite(s, a->suite ? a->suite : "quick", err);
	for (size_t i = 0; i < a->n_specs && ret == 0; i++)
		ret = session_add(s, a->specs[i], err);
	notes = session_notes(s, &n_notes);
	for (size_t i = 0; i < n_notes; i++)
		fprintf(stderr, "shootdown run: %s\n", notes[i]);
	return ret;
}

static int make_folder(const char *folder, struct err *err)
{
	const int ret = folder ? file_make_dirs(folder) : 0;

	return ret < 0 ? err_set(err, ret, "%s: %s", folder, strerror(-ret)) : 0;
}

/* What stands in the way of the profile's files is said before minutes are spent. */
static int prepare_files(const struct session_options *wanted, struct err *err)
{
	int ret = wanted->perf_data ? perf_record_find(err) : 0;

	if (ret == 0)
		ret = make_folder(wanted->perf_data, err);
	return ret == 0 ? make_folder(wanted->folded, err) : ret;
}

static int measure(struct arguments *a, struct record *record, struct err *err)
{
	struct progress progress;
	struct session *s;
	int ret;

	a->session.progress = show_progress;
	a->session.stop = is_interrupted;
	a->session.arg = &progress;
	ret = session_open(&a->session, &s, err);
	if (ret < 0)
		return ret;
	ret = add_workloads(s, a, err);
	if (ret == 0)
		ret = prepare_files(&a->session, err);
	if (ret == 0)
		ret = run_output_check(a->output, err);
	if (ret == 0) {
		interrupt_catch();
		progress_start(&progress);
		ret = session_run(s, record, err);
		progress_clear(&progress);
	}
	session_close(s);
	return ret;
}

static int finish(
	const struct record *record, const char *output, int ret, const struct err *err)
{
	int code;

	if (ret < 0 && ret != -EINTR) {
		fprintf(stderr, "shootdown run: %s\n", err->text);
		/* What was measured before is not thrown away. */
		if (record->n_runs > 0)
			run_output(record, output);
		return EXIT_USAGE;
	}
	code = run_output(record, output);
	if (ret == 0)
		return code;
	fprintf(stderr, "shootdown run: interrupted%s\n",
		output ? "; the result is marked incomplete" : "");
	return EXIT_STOPPED;
}

int cmd_run(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "[WORKLOAD[:key=value,...]...]",
		.doc = "Measures the running kernel.\v"
		       "Without a workload it runs the suite 'quick'. 'shootdown list' shows the "
		       "workloads and their parameters.\n\n"
		       "Examples:\n"
		       "  shootdown run swap:threads=max -o a.json\n"
		       "  shootdown run swap:size=4M,touch=write null --samples 20\n"
		       "  shootdown run --suite full --time 20s -o results/runs/\n\n"
		       "Exit codes: 0 measured (workloads may be skipped); 1 a workload failed or "
		       "its proof did; 2 usage, input or output; 3 every workload was skipped; "
		       "130 interrupted.",
	};
	struct arguments a = { .session = session_preset };
	struct record *record = record_new();
	struct err err = { "" };
	int ret, code;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ret = measure(&a, record, &err);
	code = finish(record, a.output, ret, &err);
	free(a.specs);
	record_free(record);
	return code;
}
