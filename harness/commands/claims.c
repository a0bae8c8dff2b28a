// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown claims: what was published, and what was measured here. */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/mem.h"
#include "boots/manifest.h"
#include "kernels/variant.h"
#include "commands/commands.h"
#include "commands/terminal.h"
#include "verdicts/claims.h"
#include "verdicts/published.h"

#define EXPERIMENTS "results/runs/ab/*/manifest.json"

struct experiment_read {
	char *arms; /* "nobatch batch" */
	struct record *base, *cand;
};

struct claims {
	struct record **published;
	size_t n_published;
	struct experiment_read *experiments;
	size_t n_experiments;
};

static int load_published(struct claims *c, struct err *err)
{
	char *folder, *pattern;
	glob_t found = { 0 };
	int ret = data_path("results/published", &folder);

	if (ret < 0)
		return err_set(err, ret,
			"results/published is not found; SHOOTDOWN_DATA may "
			"name the folder with results/");
	pattern = mem_format("%s/*.json", folder);
	glob(pattern, 0, NULL, &found);
	c->published = mem_zeroed(found.gl_pathc + 1, sizeof(*c->published));
	for (size_t i = 0; ret == 0 && i < found.gl_pathc; i++) {
		ret = published_load(found.gl_pathv[i], &c->published[i], err);
		c->n_published += ret == 0;
	}
	globfree(&found);
	free(pattern);
	free(folder);
	return ret;
}

/* The names of its variants; freed by the caller. */
static int load_arms(const char *folder, char **ret, struct err *err)
{
	const struct field *base, *cand;
	struct manifest m;
	int code = manifest_load(folder, &m, err);

	if (code < 0)
		return code;
	base = fields_find(&m.options, "base");
	cand = fields_find(&m.options, "cand");
	if (!base || !base->text || !cand || !cand->text)
		code = err_set(err, -EPROTO, "%s: its manifest names no variants", folder);
	else
		*ret = mem_format("%s %s", base->text, cand->text);
	manifest_clear(&m);
	return code;
}

static int load_arm(
	const char *folder, const char *arm, struct record **ret, struct err *err)
{
	char *path = mem_format("%s/%s.json", folder, arm);
	const int code = record_load(path, ret, err);

	free(path);
	return code;
}

static int load_experiment(struct claims *c, const char *folder, struct err *err)
{
	struct experiment_read e = { 0 };
	int ret = load_arms(folder, &e.arms, err);

	if (ret == 0)
		ret = load_arm(folder, "base", &e.base, err);
	if (ret == 0)
		ret = load_arm(folder, "cand", &e.cand, err);
	if (ret < 0) {
		free(e.arms);
		record_free(e.base);
		return ret;
	}
	c->experiments =
		mem_resize(c->experiments, c->n_experiments + 1, sizeof(*c->experiments));
	c->experiments[c->n_experiments++] = e;
	return 0;
}

/* Those that are finished; an experiment that is not has no results yet. */
static int load_all(struct claims *c, struct err *err)
{
	glob_t found = { 0 };
	int ret = 0;

	glob(EXPERIMENTS, 0, NULL, &found);
	for (size_t i = 0; ret == 0 && i < found.gl_pathc; i++) {
		char *folder = mem_text(found.gl_pathv[i]);

		*strrchr(folder, '/') = '\0';
		ret = load_experiment(c, folder, err);
		if (ret == -ENOENT)
			ret = 0;
		free(folder);
	}
	globfree(&found);
	return ret;
}

static void clear(struct claims *c)
{
	for (size_t i = 0; i < c->n_published; i++)
		record_free(c->published[i]);
	for (size_t i = 0; i < c->n_experiments; i++) {
		free(c->experiments[i].arms);
		record_free(c->experiments[i].base);
		record_free(c->experiments[i].cand);
	}
	free(c->published);
	free(c->experiments);
}

static int print(const struct claims *c)
{
	struct claims_measured *measured =
		mem_zeroed(c->n_experiments + 1, sizeof(*measured));
	size_t n_claims;
	char *text;
	int ret;

	for (size_t i = 0; i < c->n_experiments; i++)
		measured[i] = (struct claims_measured){ c->experiments[i].arms,
			c->experiments[i].base, c->experiments[i].cand };
	ret = claims_text((const struct record *const *)c->published, c->n_published,
		measured, c->n_experiments, terminal_width(), &text, &n_claims);
	free(measured);
	if (ret < 0)
		return ret;
	fputs(text, stdout);
	printf("\n%zu published figures, %zu experiments\n", n_claims, c->n_experiments);
	free(text);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct words *folders = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	words_add(folders, arg);
	return 0;
}

int cmd_claims(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "[FOLDER...]",
		.doc = "Lays what was published (results/published) beside what experiments "
		       "here say of it.\v"
		       "Each FOLDER is one of 'shootdown ab', or of one number of CPUs of a "
		       "sweep; by default all below results/runs/ab. Each published figure "
		       "has a line: it agrees (the same direction, and at least half of the "
		       "change), differs, or cannot be judged here, and why. Where time is an "
		       "emulator's, a count that stands for it is shown. What was not measured "
		       "is listed with the command that measures it.\n\n"
		       "Exit codes: 0; 2 usage or I/O.",
	};
	struct claims c = { 0 };
	struct words folders = { 0 };
	struct err err = { "" };
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &folders);
	ret = load_published(&c, &err);
	for (size_t i = 0; ret == 0 && i < folders.count; i++)
		ret = load_experiment(&c, folders.items[i], &err);
	if (ret == 0 && folders.count == 0)
		ret = load_all(&c, &err);
	if (ret == 0)
		ret = print(&c);
	if (ret < 0)
		fprintf(stderr, "shootdown claims: %s\n",
			*err.text ? err.text : strerror(-ret));
	clear(&c);
	words_clear(&folders);
	return ret < 0 ? EXIT_USAGE : EXIT_OK;
}
