// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/compare_arguments.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/quote.h"

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
	OPT_PUBLISHED,
};

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
	{ "published", OPT_PUBLISHED, "FILE", 0,
		"Lay figures of results/published beside the ratios found", 0 },
	{ "color", OPT_COLOR, "auto|always|never", 0, "Colours (auto)", 0 },
	{ "out", OPT_OUT, "FORM[:PATH]", 0,
		"text, json, csv, markdown, lkml, junit, ktap or html (text); several with a "
		"PATH each",
		0 },
	{ 0 },
};

static const char *const show_words[] = { "primary", "changed", "all", NULL };
static const char *const color_words[] = { "auto", "always", "never", NULL };
static const char *const form_words[] = { "text", "json", "csv", "markdown", "lkml",
	"junit", "ktap", "html", NULL };
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

static void add_effect(
	struct argp_state *state, struct compare_arguments *a, const char *text)
{
	struct err err;

	a->effects = mem_resize(a->effects, a->n_effects + 1, sizeof(*a->effects));
	if (effect_parse(text, &a->effects[a->n_effects], &err) < 0)
		argp_error(state, "--min-effect: %s", err.text);
	a->n_effects++;
}

static void add_out(struct argp_state *state, struct compare_arguments *a, const char *text)
{
	const char *colon = strchr(text, ':');
	char *form = mem_format("%.*s", (int)strcspn(text, ":"), text);
	struct compare_out out = { .path = colon ? colon + 1 : NULL };

	out.form = (enum compare_form)choose(state, "out", form, form_words);
	if (out.path && *out.path == '\0')
		argp_error(state, "--out=%s: no path after the colon", text);
	if (out.form == FORM_HTML && !out.path)
		argp_error(state, "--out=html has pictures beside it: give a path, as "
				  "html:verdict.html");
	for (size_t i = 0; i < a->n_outs; i++)
		if (!out.path && !a->outs[i].path)
			argp_error(state, "--out: two forms for standard output: give one "
					  "of them a path, as junit:verdict.xml");
	a->outs = mem_resize(a->outs, a->n_outs + 1, sizeof(*a->outs));
	a->outs[a->n_outs++] = out;
	free(form);
}

/* The options that steer the verdict. */
static error_t parse_verdict_option(int key, char *arg, struct argp_state *state)
{
	struct compare_arguments *a = state->input;

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

static void set_once(
	struct argp_state *state, const char *option, const char **to, const char *arg)
{
	if (*to)
		argp_error(state, "--%s is given twice: one pattern names all, as '*a*'",
			option);
	*to = arg;
}

static error_t parse_shown_option(int key, char *arg, struct argp_state *state)
{
	struct compare_arguments *a = state->input;

	switch (key) {
	case OPT_METRIC:
		set_once(state, "metric", &a->compare.metric, arg);
		return 0;
	case OPT_WORKLOAD:
		set_once(state, "workload", &a->compare.workload, arg);
		return 0;
	case OPT_ALLOW:
		a->compare.allow_mismatch = arg;
		return 0;
	case OPT_SHOW:
		a->compare.show = (enum compare_show)choose(state, "show", arg, show_words);
		return 0;
	case OPT_PUBLISHED:
		a->published = arg;
		return 0;
	default:
		return parse_verdict_option(key, arg, state);
	}
}

/* For what repeats the comparison: an option, or one side where there is no name. */
static void remember(struct compare_arguments *a, int key, const char *arg)
{
	char *word;

	for (size_t i = 0; option_table[i].name; i++) {
		if (option_table[i].key != key)
			continue;
		word = mem_format("--%s=%s", option_table[i].name, arg);
		quote_add(&a->repeat, word);
		free(word);
		return;
	}
	quote_add(&a->repeat, arg);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare_arguments *a = state->input;
	error_t ret;

	switch (key) {
	case OPT_COLOR:
		a->color = (enum compare_color)choose(state, "color", arg, color_words);
		return 0;
	case OPT_OUT:
		add_out(state, a, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= 2)
			argp_error(state, "two results, not more");
		a->sides[state->arg_num] = arg;
		remember(a, key, arg);
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "two results are needed: BASE and CAND");
		return 0;
	default:
		ret = parse_shown_option(key, arg, state);
		if (ret == 0)
			remember(a, key, arg);
		return ret;
	}
}

void compare_arguments_parse(int argc, char **argv, struct compare_arguments *ret)
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
	struct compare_arguments a = { .color = COLOR_AUTO, .fail_on = FAIL_DEFAULT };

	quote_add(&a.repeat, "compare-results");
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	a.compare.effects = a.effects;
	a.compare.n_effects = a.n_effects;
	if (a.n_outs == 0) {
		a.outs = mem_zeroed(1, sizeof(*a.outs));
		a.n_outs = 1;
	}
	*ret = a;
}

void compare_arguments_clear(struct compare_arguments *a)
{
	for (size_t i = 0; i < a->n_effects; i++)
		free(a->effects[i].metric);
	free(a->effects);
	free(a->outs);
	free(a->repeat);
}
