// SPDX-License-Identifier: GPL-2.0-or-later
/* compare-results: two result files side by side. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"
#include "verdicts/record.h"

/* 1 is kept for a regression, which this version does not decide. */
enum { EXIT_CLEAN = 0, EXIT_TROUBLE = 2, EXIT_INCOMPARABLE = 3 };

enum { OPT_METRIC = 256, OPT_WORKLOAD, OPT_ALLOW, OPT_SHOW, OPT_COLOR, OPT_OUT };

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum out { OUT_TEXT, OUT_JSON, OUT_CSV };

struct arguments {
	struct compare_options compare;
	int color, out;
	const char *sides[2]; /* as given */
};

const char *argp_program_version = "compare-results " SHOOTDOWN_VERSION;

static const struct argp_option options[] = {
	{ "metric", OPT_METRIC, "GLOB", 0, "Show the metrics of that name, primary or not",
		0 },
	{ "workload", OPT_WORKLOAD, "GLOB", 0, "Show the workloads of that name", 0 },
	{ "allow-mismatch", OPT_ALLOW, "KEY[,KEY]", 0,
		"Compare although these identity keys differ", 0 },
	{ "show", OPT_SHOW, "primary|changed|all", 0, "Which rows (primary)", 0 },
	{ "color", OPT_COLOR, "auto|always|never", 0, "Colours (auto)", 0 },
	{ "out", OPT_OUT, "text|json|csv", 0, "Form of the output (text)", 0 },
	{ 0 },
};

static const char *const show_words[] = { "primary", "changed", "all", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };
static const char *const out_words[] = { "text", "json", "csv", NULL };

/* The index of a word; ends the program where there is none. */
static int choose(struct argp_state *state, const char *option, const char *word,
	const char *const *words)
{
	int i = 0;

	while (words[i] && strcmp(words[i], word) != 0)
		i++;
	if (!words[i])
		argp_error(state, "--%s: \"%s\" is none of %s, %s, %s", option, word,
			words[0], words[1], words[2]);
	return i;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_METRIC:
		a->compare.metric = arg;
		return 0;
	case OPT_WORKLOAD:
		a->compare.workload = arg;
		return 0;
	case OPT_ALLOW:
		a->compare.allow_mismatch = arg;
		return 0;
	case OPT_SHOW:
		a->compare.show = (enum compare_show)choose(state, "show", arg, show_words);
		return 0;
	case OPT_COLOR:
		a->color = choose(state, "color", arg, color_words);
		return 0;
	case OPT_OUT:
		a->out = choose(state, "out", arg, out_words);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= 2)
			argp_error(state, "two results, not more");
		a->sides[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "two results are needed: BASE and CAND");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int trouble(const char *line)
{
	fprintf(stderr, "compare-results: %s\n", line);
	return EXIT_TROUBLE;
}

/* The newest *.json of a folder by its time, then its name; NULL: there is none. */
static char *newest_result(const char *folder)
{
	DIR *dir = opendir(folder);
	struct timespec newest = { 0 };
	struct dirent *entry;
	char *best = NULL;

	while (dir && (entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');
		char *path = mem_format("%s/%s", folder, entry->d_name);
		struct stat st;
		long order = 0;

		if (dot && strcmp(dot, ".json") == 0 && stat(path, &st) == 0 &&
			S_ISREG(st.st_mode)) {
			order = st.st_mtim.tv_sec != newest.tv_sec
					? st.st_mtim.tv_sec - newest.tv_sec
					: st.st_mtim.tv_nsec - newest.tv_nsec;
			if (!best || order > 0 || (order == 0 && strcmp(path, best) > 0)) {
				free(best);
				best = path;
				newest = st.st_mtim;
				continue;
			}
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	return best;
}

struct side {
	char *name; /* for the output: label, label and path, or path */
	struct record *record;
};

/* PATH or LABEL=PATH, where PATH is a file or a folder. */
static int load_side(const char *given, struct side *side, struct err *err)
{
	const char *path = given, *equals = strchr(given, '=');
	struct stat st;
	char *file;
	int ret;

	if (equals && stat(given, &st) < 0)
		path = equals + 1;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		file = newest_result(path);
		if (!file)
			return err_set(err, -ENOENT, "%s: no *.json in this folder", path);
	} else {
		file = mem_text(path);
	}
	ret = record_load(file, &side->record, err);
	side->name = path == given
			     ? mem_text(file)
			     : mem_format("%.*s (%s)", (int)(equals - given), given, file);
	free(file);
	return ret;
}

/* 0: no terminal, or none that tells its width. */
static size_t terminal_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
	return 0;
}

static bool wants_color(int color)
{
	const char *no_color = getenv("NO_COLOR");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

/* Refusals are no result: as text they go where errors go. */
static int print_comparison(
	const struct comparison *c, const struct arguments *a, const struct side *sides)
{
	struct render_options render = {
		.base_name = sides[0].name,
		.cand_name = sides[1].name,
		.width = terminal_width(),
		.color = wants_color(a->color),
	};
	FILE *to = !c->comparable && a->out != OUT_JSON ? stderr : stdout;
	char *text;
	int ret;

	if (a->out == OUT_JSON)
		ret = compare_render_json(c, &render, &text);
	else if (a->out == OUT_CSV && c->comparable)
		ret = compare_render_csv(c, &text);
	else
		ret = compare_render_text(c, &render, &text);
	if (ret < 0)
		return trouble(strerror(-ret));
	if (fputs(text, to) < 0 || fflush(to) != 0)
		ret = trouble(strerror(errno));
	free(text);
	return ret;
}

static int compare_sides(const struct arguments *a, const struct side *sides)
{
	struct comparison *c;
	int ret = compare_records(sides[0].record, sides[1].record, &a->compare, &c);

	if (ret < 0)
		return trouble(strerror(-ret));
	ret = print_comparison(c, a, sides);
	if (ret == 0 && c->comparable && c->n_paired == 0)
		fputs("compare-results: the two have no measurement in common\n", stderr);
	if (ret == 0 && (!c->comparable || c->n_paired == 0 || c->n_missing > 0))
		ret = EXIT_INCOMPARABLE;
	comparison_free(c);
	return ret;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "BASE CAND",
		.doc = "Compare two results of shootdown, each a file, a folder (its "
		       "newest "
		       "result) or LABEL=PATH.\v"
		       "Exit status: 0 compared; 2 usage, unreadable input or output; 3 "
		       "different machines, nothing in common, or something of BASE is "
		       "missing in CAND.",
	};
	struct arguments arguments = { .color = COLOR_AUTO };
	struct side sides[2] = { 0 };
	struct err err;
	int ret = 0;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = EXIT_TROUBLE;
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	for (int i = 0; i < 2 && ret == 0; i++)
		if (load_side(arguments.sides[i], &sides[i], &err) < 0)
			ret = trouble(err.text);
	if (ret == 0)
		ret = compare_sides(&arguments, sides);
	for (int i = 0; i < 2; i++) {
		record_free(sides[i].record);
		free(sides[i].name);
	}
	return ret;
}
