// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown report: a page and its pictures, from what was measured. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/report.h"
#include "plots/report.h"
#include "verdicts/record_find.h"

static int write_and_say(struct report *r, const char *page, struct err *err)
{
	int ret = report_write(r, page, err);

	if (ret == 0 && r->no_pictures)
		fprintf(stderr, "shootdown: %s\n", r->no_pictures);
	if (ret == 0)
		printf("Report: %s\n", page);
	return ret;
}

/* Of an option that says which variants; "base" where the manifest has none. */
static const char *arm_name(const struct manifest *m, int arm)
{
	static const char *const keys[] = { [ARM_BASE] = "base", [ARM_CAND] = "cand" };
	const struct field *f = fields_find(&m->options, keys[arm]);

	return f && f->text ? f->text : keys[arm];
}

int report_experiment(const char *folder, const struct manifest *m,
	const struct record *const arms[2], struct err *err)
{
	struct report r = {
		.names = { arm_name(m, ARM_BASE), arm_name(m, ARM_CAND) },
		.arms = { arms[ARM_BASE], arms[ARM_CAND] },
		.manifest = m,
	};
	struct comparison *c;
	char *page = mem_format("%s/report.html", folder);
	int ret = compare_records(
		arms[ARM_BASE], arms[ARM_CAND], &(struct compare_options){ 0 }, &c);

	if (ret < 0) {
		err_set(err, ret, "%s", strerror(-ret));
	} else {
		r.comparison = c;
		ret = write_and_say(&r, page, err);
		comparison_free(c);
	}
	report_clear(&r);
	free(page);
	return ret;
}

static int load_arm(
	const char *folder, const char *name, struct record **ret, struct err *err)
{
	char *path = mem_format("%s/%s.json", folder, name);
	int code = record_load(path, ret, err);

	if (code == -ENOENT)
		err_set(err, code,
			"%s: this experiment is not finished: the same shootdown ab goes on",
			folder);
	free(path);
	return code;
}

static int report_folder(const char *folder, const struct manifest *m, struct err *err)
{
	struct record *arms[2] = { NULL, NULL };
	int ret = load_arm(folder, "base", &arms[ARM_BASE], err);

	if (ret == 0)
		ret = load_arm(folder, "cand", &arms[ARM_CAND], err);
	if (ret == 0)
		ret = report_experiment(folder, m, (const struct record *const *)arms, err);
	record_free(arms[ARM_BASE]);
	record_free(arms[ARM_CAND]);
	return ret;
}

/* "runs/host/x.json" -> "runs/host/x.html" */
static char *page_of(const char *file)
{
	const size_t length = strlen(file);

	if (length > 5 && strcmp(file + length - 5, ".json") == 0)
		return mem_format("%.*s.html", (int)length - 5, file);
	return mem_format("%s.html", file);
}

static int report_result(const char *path, struct err *err)
{
	struct record *record = NULL;
	struct report r = { 0 };
	char *file, *page;
	int ret = record_find(path, &file, err);

	if (ret < 0)
		return ret;
	page = page_of(file);
	ret = record_load(file, &record, err);
	if (ret == 0) {
		r.names[ARM_BASE] = basename(file);
		r.arms[ARM_BASE] = record;
		ret = write_and_say(&r, page, err);
	}
	report_clear(&r);
	record_free(record);
	free(file);
	free(page);
	return ret;
}

static int report(const char *path, struct err *err)
{
	struct manifest m = { 0 };
	int ret = manifest_load(path, &m, err);

	if (ret == -ENOENT || ret == -ENOTDIR)
		return report_result(path, err);
	if (ret == 0)
		ret = report_folder(path, &m, err);
	manifest_clear(&m);
	return ret;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **path = state->input;

	if (key == ARGP_KEY_ARG && !*path)
		*path = arg;
	else if (key == ARGP_KEY_ARG || (key == ARGP_KEY_END && !*path))
		argp_usage(state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "DIR|FILE",
		.doc = "Writes a page of HTML that needs nothing else, and its pictures as PNG and "
		       "SVG.\v"
		       "DIR is an experiment of shootdown ab: the page is DIR/report.html, and the "
		       "pictures lie in DIR/report-pictures. Or it is a folder of results, of "
		       "which the newest is taken, or a result's FILE: the page lies beside it. "
		       "Pictures take python3-matplotlib; without it the page has its tables.",
	};
	const char *path = NULL;
	struct err err = { "" };

	argp_parse(&argp, argc, argv, 0, NULL, &path);
	if (report(path, &err) < 0) {
		fprintf(stderr, "shootdown report: %s\n", err.text);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}
