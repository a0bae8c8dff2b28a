// SPDX-License-Identifier: GPL-2.0-or-later
/* compare-results: two result files side by side. */
#include <argp.h>
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
#include "verdicts/record_find.h"

/* The others are those of compare_exit_code(). */
enum { EXIT_TROUBLE = 2 };

enum {
	OPT_METRIC = 256,
	OPT_WORKLOAD,
	OPT_ALLOW,
	OPT_SHOW,
	OPT_COLOR,
	OPT_OUT,
	OPT_PAIR,
	OPT_ALPHA,
	OPT_CORRECTION,
	OPT_MIN_N,
	OPT_MIN_EFFECT,
	OPT_FAIL_ON,
	OPT_EXPLAIN,
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum out { OUT_TEXT, OUT_JSON, OUT_CSV, OUT_MARKDOWN, OUT_LKML, OUT_JUNIT, OUT_KTAP };

struct arguments {
	struct compare_options compare;
	struct effect_rule *effects;
	size_t n_effects;
	int color, out;
	unsigned int fail_on;
	const char *explain;  /* glob of metrics, or NULL */
	const char *sides[2]; /* as given */
};

const char *argp_program_version = "compare-results " SHOOTDOWN_VERSION;

static const struct argp_option option_table[] = {
	{ "metric", OPT_METRIC, "GLOB", 0, "Show the metrics of that name, primary or not",
		0 },
	{ "workload", OPT_WORKLOAD, "GLOB", 0, "Show the workloads of that name", 0 },
	{ "allow-mismatch", OPT_ALLOW, "KEY[,KEY]", 0,
		"Compare although these identity keys differ", 0 },
	{ "show", OPT_SHOW, "primary|changed|all", 0, "Which rows (primary)", 0 },
	{ "pair", OPT_PAIR, "auto|block|none", 0, "Which boots belong together (auto)", 0 },
	{ "alpha", OPT_ALPHA, "P", 0, "How often identical kernels may differ (0.05)", 0 },
	{ "correction", OPT_CORRECTION, "holm|bh|none", 0,
		"For the number of metrics that decide (holm)", 0 },
	{ "min-n", OPT_MIN_N, "N", 0, "Boots of each side that a verdict takes (6)", 0 },
	{ "min-effect", OPT_MIN_EFFECT, "METRIC=V", 0,
		"The smallest effect that matters: 3%, 0.05 (in the unit), or 3%,0.05", 0 },
	{ "fail-on", OPT_FAIL_ON, "WHAT[,WHAT]", 0,
		"Of regression, missing, inconclusive (the first two)", 0 },
	{ "explain", OPT_EXPLAIN, "METRIC", 0,
		"Print the computation of this metric's rows, and no table", 0 },
	{ "color", OPT_COLOR, "auto|always|never", 0, "Colours (auto)", 0 },
	{ "out", OPT_OUT, "FORM", 0,
		"text, json, csv, markdown, lkml, junit or ktap (text)", 0 },
	{ 0 },
};

static const char *const show_words[] = { "primary", "changed", "all", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };
static const char *const out_words[] = { "text", "json", "csv", "markdown", "lkml", "junit",
	"ktap", NULL };
static const char *const pair_words[] = { "auto", "block", "none", NULL };
static const char *const correction_words[] = { "holm", "bh", "none", NULL };

static void refuse_word(struct argp_state *state, const char *option, const char *word,
	const char *const *words)
{
	char *list = mem_text(words[0]), *longer;

	for (int i = 1; words[i]; i++) {
		longer = mem_format("%s, %s", list, words[i]);
		free(list);
		list = longer;
	}
	argp_error(state, "--%s: \"%s\" is none of %s", option, word, list);
	free(list);
}

/* The index of a word; ends the program where there is none. */
static int choose(struct argp_state *state, const char *option, const char *word,
	const char *const *words)
{
	int i = 0;

	while (words[i] && strcmp(words[i], word) != 0)
		i++;
	if (!words[i])
		refuse_word(state, option, word, words);
	return i;
}

static unsigned int parse_fail_on(struct argp_state *state, const char *list)
{
	static const char *const words[] = { "regression", "missing", "inconclusive",
		NULL };
	char *copy = mem_text(list), *rest = copy, *word;
	unsigned int fail_on = 0;

	while ((word = strsep(&rest, ",")))
		fail_on |= 1U << choose(state, "fail-on", word, words);
	free(copy);
	return fail_on;
}

static double parse_alpha(struct argp_state *state, const char *text)
{
	char *end;
	double alpha = strtod(text, &end);

	if (end == text || *end || !(alpha > 0 && alpha < 0.5))
		argp_error(state, "--alpha: \"%s\" is not above 0 and below 0.5", text);
	return alpha;
}

static size_t parse_min_n(struct argp_state *state, const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 2 || n > 1000)
		argp_error(state, "--min-n: \"%s\" is no number from 2 to 1000", text);
	return (size_t)n;
}

static void add_effect(struct argp_state *state, struct arguments *a, const char *text)
{
	struct err err;

	a->effects = mem_resize(a->effects, a->n_effects + 1, sizeof(*a->effects));
	if (effect_parse(text, &a->effects[a->n_effects], &err) < 0)
		argp_error(state, "--min-effect: %s", err.text);
	a->n_effects++;
}

/* The options that steer the verdict. */
static error_t parse_verdict_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_PAIR:
		a->compare.pairing = (enum pairing)choose(state, "pair", arg, pair_words);
		return 0;
	case OPT_ALPHA:
		a->compare.alpha = parse_alpha(state, arg);
		return 0;
	case OPT_CORRECTION:
		a->compare.correction =
			(enum correction)choose(state, "correction", arg, correction_words);
		return 0;
	case OPT_MIN_N:
		a->compare.min_n = parse_min_n(state, arg);
		return 0;
	case OPT_MIN_EFFECT:
		add_effect(state, a, arg);
		return 0;
	case OPT_FAIL_ON:
		a->fail_on = parse_fail_on(state, arg);
		return 0;
	case OPT_EXPLAIN:
		a->explain = arg;
		a->compare.show = SHOW_ALL;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
		a->compare.effects = a->effects;
		a->compare.n_effects = a->n_effects;
		return 0;
	default:
		return parse_verdict_option(key, arg, state);
	}
}

static int trouble(const char *line)
{
	fprintf(stderr, "compare-results: %s\n", line);
	return EXIT_TROUBLE;
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
	ret = record_find(path, &file, err);
	if (ret < 0)
		return ret;
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

/* All but JSON words a refusal as text. */
static int render(const struct comparison *c, const struct arguments *a,
	const struct render_options *options, char **ret)
{
	if (!c->comparable)
		return a->out == OUT_JSON ? compare_render_json(c, options, ret)
					  : compare_render_text(c, options, ret);
	if (a->explain)
		return compare_explain(c, a->explain, ret);
	switch (a->out) {
	case OUT_JSON:
		return compare_render_json(c, options, ret);
	case OUT_CSV:
		return compare_render_csv(c, ret);
	case OUT_MARKDOWN:
		return compare_render_markdown(c, options, ret);
	case OUT_LKML:
		return compare_render_lkml(c, options, ret);
	case OUT_JUNIT:
		return compare_render_junit(c, options, ret);
	case OUT_KTAP:
		return compare_render_ktap(c, ret);
	default:
		return compare_render_text(c, options, ret);
	}
}

/* Refusals are no result: as text they go where errors go. */
static int print_comparison(
	const struct comparison *c, const struct arguments *a, const struct side *sides)
{
	char *repeat = mem_format("compare-results %s %s", a->sides[0], a->sides[1]), *text;
	const struct render_options options = {
		.base_name = sides[0].name,
		.cand_name = sides[1].name,
		.width = terminal_width(),
		.color = wants_color(a->color),
		.base = sides[0].record,
		.repeat = repeat,
	};
	FILE *to = !c->comparable && a->out != OUT_JSON ? stderr : stdout;
	int ret = render(c, a, &options, &text);

	free(repeat);
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
	if (ret == 0)
		ret = compare_exit_code(c, a->fail_on);
	comparison_free(c);
	return ret;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "BASE CAND",
		.doc = "Compare two results of shootdown, each a file, a folder (its "
		       "newest "
		       "result) or LABEL=PATH.\v"
		       "Exit status: 0 no regression; 1 a regression; 2 usage, "
		       "unreadable input or output; 3 different machines, nothing in "
		       "common, or something of BASE is missing in CAND; 4 inconclusive, "
		       "if asked for by --fail-on.",
	};
	struct arguments arguments = { .color = COLOR_AUTO, .fail_on = FAIL_DEFAULT };
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
	for (size_t i = 0; i < arguments.n_effects; i++)
		free(arguments.effects[i].metric);
	free(arguments.effects);
	return ret;
}
