// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown history: what nightly results say, and what people decided about them. */
#include <argp.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/deliver.h"
#include "commands/history_parts.h"
#include "commands/terminal.h"
#include "verdicts/history_text.h"
#include "verdicts/history_tree.h"

enum { OPT_SERIES = 256, OPT_ALLOW, OPT_MIN_EFFECT, OPT_BISECT, OPT_OUT, OPT_ORIGIN };

enum form { FORM_TEXT, FORM_JSON, FORM_OPENMETRICS, FORM_KCIDB, N_FORMS };

static const char *const form_words[N_FORMS] = { [FORM_TEXT] = "text",
	[FORM_JSON] = "json",
	[FORM_OPENMETRICS] = "openmetrics",
	[FORM_KCIDB] = "kcidb" };

struct out {
	enum form form;
	const char *path; /* NULL: standard output */
};

struct arguments {
	struct series_rules rules;
	bool bisect;
	struct out *outs;
	size_t n_outs;
	const char *origin;
	const char *folder;
};

static const struct argp_option option_table[] = {
	{ "series", OPT_SERIES, "GLOB", 0,
		"The series whose key or metric matches (those of metrics that decide)",
		0 },
	{ "min-effect", OPT_MIN_EFFECT, "METRIC=V", 0,
		"The smallest effect that matters: 3%, 0.05 (in the unit), or 3%,0.05", 0 },
	{ "allow-mismatch", OPT_ALLOW, "KEY[,KEY]", 0,
		"These identity keys may differ within a night and from night to night",
		0 },
	{ "bisect-hint", OPT_BISECT, NULL, 0,
		"Print the good and the bad commit of each change", 0 },
	{ "out", OPT_OUT, "FORM[:PATH]", 0,
		"text, json, openmetrics or kcidb, to a file or to standard output; may be "
		"given more than once (text)",
		0 },
	{ "origin", OPT_ORIGIN, "NAME", 0, "Who reports to KCIDB (shootdown)", 0 },
	{ 0 },
};

void history_add_effect(
	struct argp_state *state, struct series_rules *rules, const char *text)
{
	struct effect_rule *effects = (struct effect_rule *)rules->effects;
	struct err err;

	effects = mem_resize(effects, rules->n_effects + 1, sizeof(*effects));
	rules->effects = effects;
	if (effect_parse(text, &effects[rules->n_effects], &err) < 0)
		argp_error(state, "--min-effect: %s", err.text);
	rules->n_effects++;
}

void history_clear_effects(struct series_rules *rules)
{
	for (size_t i = 0; i < rules->n_effects; i++)
		free(rules->effects[i].metric);
	free((struct effect_rule *)rules->effects);
}

static void add_out(struct argp_state *state, struct arguments *a, const char *text)
{
	const size_t length = strcspn(text, ":");
	struct out out = { .form = FORM_TEXT,
		.path = text[length] ? text + length + 1 : NULL };

	while (out.form < N_FORMS &&
		(strlen(form_words[out.form]) != length ||
			strncmp(form_words[out.form], text, length) != 0))
		out.form++;
	if (out.form == N_FORMS)
		argp_error(state,
			"--out: \"%.*s\" is none of text, json, openmetrics, kcidb",
			(int)length, text);
	if (out.path && !*out.path)
		argp_error(state, "--out=%s: no path after the colon", text);
	for (size_t i = 0; i < a->n_outs; i++)
		if (!out.path && !a->outs[i].path)
			argp_error(state,
				"--out: two forms for standard output: give one "
				"a path, as --out %s:FILE",
				text);
	a->outs = mem_resize(a->outs, a->n_outs + 1, sizeof(*a->outs));
	a->outs[a->n_outs++] = out;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_SERIES:
		a->rules.pattern = arg;
		return 0;
	case OPT_ALLOW:
		a->rules.allow_mismatch = arg;
		return 0;
	case OPT_MIN_EFFECT:
		history_add_effect(state, &a->rules, arg);
		return 0;
	case OPT_BISECT:
		a->bisect = true;
		return 0;
	case OPT_OUT:
		add_out(state, a, arg);
		return 0;
	case OPT_ORIGIN:
		if (!history_is_origin(arg))
			argp_error(state, "--origin: \"%s\" is not of a-z, 0-9 and _", arg);
		a->origin = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->folder)
			argp_error(state, "one folder, not more");
		a->folder = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->folder)
			argp_error(state, "a folder of nightly results is needed");
		if (a->n_outs == 0)
			add_out(state, a, form_words[FORM_TEXT]);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int history_trouble(const char *line)
{
	fprintf(stderr, "shootdown history: %s\n", line);
	return EXIT_USAGE;
}

int history_read(const char *folder, const struct series_rules *rules, struct history *ret)
{
	struct err err;

	if (history_load(folder, (long)(time(NULL) / 86400), rules, ret, &err) < 0)
		return history_trouble(err.text);
	history_judge(ret);
	return 0;
}

static int render(const struct history *h, const struct arguments *a, const struct out *out,
	char **ret)
{
	const struct history_options options = {
		.folder = a->folder,
		.width = out->path ? 0 : terminal_width(),
		.color = !out->path && terminal_color(),
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.bisect = a->bisect,
	};

	switch (out->form) {
	case FORM_JSON:
		return history_json(h, ret);
	case FORM_OPENMETRICS:
		return history_openmetrics(h, ret);
	case FORM_KCIDB:
		return history_kcidb(h, a->origin, ret);
	default:
		return history_text(h, &options, ret);
	}
}

static int put_history(const struct history *h, const struct arguments *a)
{
	struct err err;

	for (size_t i = 0; i < a->n_outs; i++) {
		char *text;
		int ret = render(h, a, &a->outs[i], &text);

		if (ret < 0)
			return history_trouble(strerror(-ret));
		ret = deliver(a->outs[i].path, text, &err);
		free(text);
		if (ret < 0)
			return history_trouble(err.text);
	}
	return EXIT_OK;
}

static int show(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse,
		.args_doc = "DIR\naccept DIR --series GLOB --why TEXT\nanchor DIR --night "
			    "DATE --why TEXT",
		.doc = "What the nightly results in DIR say: a folder for each machine, "
		       "and in it one for each night (results/README.md).\v"
		       "Exit status: 0 no regression; 1 a regression that is open; 2 usage, "
		       "or something of the newest night cannot be read; 3 something of it "
		       "is missing or of another machine, or there is nothing to judge; 4 "
		       "a suspect that was not measured again. In the order 2, 3, 1, 4.",
	};
	struct arguments a = { .origin = "shootdown" };
	struct history h;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ret = history_read(a.folder, &a.rules, &h);
	if (ret == EXIT_OK) {
		ret = put_history(&h, &a);
		if (ret == EXIT_OK)
			ret = history_exit_code(&h);
		history_clear(&h);
	}
	history_clear_effects(&a.rules);
	free(a.outs);
	return ret;
}

int cmd_history(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	/* argp takes the program's name for its usage line from argv[0]. */
	if (argc > 1 && strcmp(argv[1], "accept") == 0) {
		argv[1] = mem_text("shootdown history accept");
		return history_accept(argc - 1, argv + 1);
	}
	if (argc > 1 && strcmp(argv[1], "anchor") == 0) {
		argv[1] = mem_text("shootdown history anchor");
		return history_anchor(argc - 1, argv + 1);
	}
	return show(argc, argv);
}
