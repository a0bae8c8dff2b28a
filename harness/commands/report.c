// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown report: a page and its pictures, from what was measured. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/report.h"
#include "plots/report.h"
#include "verdicts/history_tree.h"
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

/* What ab wrote there, or NULL. */
static char *read_mail(const char *folder)
{
	char *path = mem_format("%s/lkml.txt", folder), *text = NULL;

	file_read("", path, &text, NULL);
	free(path);
	return text;
}

/* sweep may be NULL. */
static int write_experiment(const char *folder, const struct manifest *m,
	const struct record *const arms[2], const struct sweep *sweep, struct err *err)
{
	struct report r = {
		.names = { arm_name(m, ARM_BASE), arm_name(m, ARM_CAND) },
		.arms = { arms[ARM_BASE], arms[ARM_CAND] },
		.manifest = m,
		.sweep = sweep,
	};
	struct comparison *c;
	char *page = mem_format("%s/report.html", folder), *mail = read_mail(folder);
	int ret = compare_records(
		arms[ARM_BASE], arms[ARM_CAND], &(struct compare_options){ 0 }, &c);

	if (ret < 0) {
		err_set(err, ret, "%s", strerror(-ret));
	} else {
		r.comparison = c;
		r.mail = mail;
		ret = write_and_say(&r, page, err);
		comparison_free(c);
	}
	report_clear(&r);
	free(mail);
	free(page);
	return ret;
}

int report_experiment(const char *folder, const struct manifest *m,
	const struct record *const arms[2], struct err *err)
{
	return write_experiment(folder, m, arms, NULL, err);
}

static int load_arm(
	const char *folder, const char *name, struct record **ret, struct err *err)
{
	char *path = mem_format("%s/%s.json", folder, name);
	int code = record_load(path, ret, err);

	if (code == -ENOENT)
		err_set(err, code,
			"%s: this experiment is not finished: the same command goes on",
			folder);
	free(path);
	return code;
}

/* An experiment's manifest and both arms. */
struct experiment_files {
	struct manifest manifest;
	struct record *arms[2];
};

static void experiment_files_clear(struct experiment_files *x)
{
	manifest_clear(&x->manifest);
	record_free(x->arms[ARM_BASE]);
	record_free(x->arms[ARM_CAND]);
}

static int load_experiment(
	const char *folder, struct experiment_files *ret, struct err *err)
{
	struct experiment_files x = { 0 };
	int status = manifest_load(folder, &x.manifest, err);

	if (status == 0)
		status = load_arm(folder, "base", &x.arms[ARM_BASE], err);
	if (status == 0)
		status = load_arm(folder, "cand", &x.arms[ARM_CAND], err);
	if (status < 0)
		experiment_files_clear(&x);
	else
		*ret = x;
	return status;
}

static bool is_there(const char *folder, const char *file)
{
	char *path = mem_format("%s/%s", folder, file);
	const bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static int report_folder(const char *folder, const struct sweep *sweep, struct err *err)
{
	struct experiment_files x;
	int ret = load_experiment(folder, &x, err);

	if (ret < 0)
		return ret;
	ret = write_experiment(
		folder, &x.manifest, (const struct record *const *)x.arms, sweep, err);
	experiment_files_clear(&x);
	return ret;
}

/* A sweep over experiments: "cpus-1" is the first of them. */
static int report_points(const char *folder, const struct sweep *sweep, struct err *err)
{
	char *point = mem_format(
		"%s-%s", sweep->param, sweep->n_points ? sweep->points[0].label : "");
	char *point_folder = mem_format("%s/%s", folder, point);
	char *page = mem_format("%s/report.html", folder);
	struct experiment_files x;
	int ret = load_experiment(point_folder, &x, err);

	if (ret == 0) {
		struct report r = {
			.names = { sweep->names[ARM_BASE],
				sweep->names[ARM_CAND] ? sweep->names[ARM_CAND] : "" },
			.arms = { x.arms[ARM_BASE], x.arms[ARM_CAND] },
			.manifest = &x.manifest,
			.sweep = sweep,
			.point = point,
		};

		ret = write_and_say(&r, page, err);
		report_clear(&r);
		experiment_files_clear(&x);
	}
	free(point);
	free(point_folder);
	free(page);
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

static int report_result(
	const char *file, const char *page, const struct sweep *sweep, struct err *err)
{
	struct record *record;
	struct report r = { .names = { basename(file) }, .sweep = sweep };
	int ret = record_load(file, &record, err);

	if (ret < 0)
		return ret;
	r.arms[ARM_BASE] = record;
	ret = write_and_say(&r, page, err);
	report_clear(&r);
	record_free(record);
	return ret;
}

static int report_newest(const char *path, struct err *err)
{
	char *file, *page;
	int ret = record_find(path, &file, err);

	if (ret < 0)
		return ret;
	page = page_of(file);
	ret = report_result(file, page, NULL, err);
	free(file);
	free(page);
	return ret;
}

static int report_sweep(const char *folder, struct err *err)
{
	char *path = mem_format("%s/sweep.json", folder), *text;
	struct sweep sweep = { 0 };
	int ret = file_read("", path, &text, NULL);

	if (ret < 0) {
		err_set(err, ret, "%s: %s", path, strerror(-ret));
	} else {
		ret = sweep_parse(path, text, &sweep, err);
		free(text);
	}
	if (ret == 0 && is_there(folder, "manifest.json")) {
		ret = report_folder(folder, &sweep, err);
	} else if (ret == 0 && is_there(folder, "result.json")) {
		char *file = mem_format("%s/result.json", folder);
		char *page = mem_format("%s/report.html", folder);

		ret = report_result(file, page, &sweep, err);
		free(file);
		free(page);
	} else if (ret == 0) {
		ret = report_points(folder, &sweep, err);
	}
	sweep_clear(&sweep);
	free(path);
	return ret;
}

/* A tree of nightly results: MACHINE/DATE/. */
static int report_nights(const char *folder, bool fleet, struct err *err)
{
	char *page = mem_format("%s/%s.html", folder, fleet ? "fleet" : "report");
	const char *name = basename(folder);
	struct history h;
	int ret = history_load(
		folder, (long)(time(NULL) / 86400), &(struct series_rules){ 0 }, &h, err);

	if (ret == 0) {
		struct report r = {
			.names = { *name ? name : folder }, .history = &h, .fleet = fleet
		};

		history_judge(&h);
		ret = write_and_say(&r, page, err);
		report_clear(&r);
		history_clear(&h);
	}
	free(page);
	return ret;
}

static int report(const char *path, struct err *err)
{
	char *newest;

	if (is_there(path, "sweep.json"))
		return report_sweep(path, err);
	if (is_there(path, "manifest.json"))
		return report_folder(path, NULL, err);
	if (record_find(path, &newest, err) < 0)
		return report_nights(path, false, err);
	free(newest);
	return report_newest(path, err);
}

enum { OPT_FLEET = 256 };

struct arguments {
	const char *path;
	bool fleet;
};

static const struct argp_option option_table[] = {
	{ "fleet", OPT_FLEET, NULL, 0,
		"Of a tree of nightly results: all machines side by side, with tonight's "
		"verdicts and the curves of their series, as DIR/fleet.html",
		0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	if (key == OPT_FLEET)
		a->fleet = true;
	else if (key == ARGP_KEY_ARG && !a->path)
		a->path = arg;
	else if (key == ARGP_KEY_ARG || (key == ARGP_KEY_END && !a->path))
		argp_usage(state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse,
		.args_doc = "DIR|FILE",
		.doc = "Writes a page of HTML that needs nothing else, and its pictures as PNG and "
		       "SVG.\v"
		       "DIR is an experiment of shootdown ab, a sweep, or a tree of nightly results "
		       "(see shootdown history): the page is DIR/report.html, and the "
		       "pictures lie in DIR/report-pictures. Or it is a folder of results, of "
		       "which the newest is taken, or a result's FILE: the page lies beside it. "
		       "Pictures take python3-matplotlib; without it the page has its tables.",
	};
	struct arguments a = { 0 };
	struct err err = { "" };

	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	ret = a.fleet ? report_nights(a.path, true, &err) : report(a.path, &err);
	if (ret < 0) {
		fprintf(stderr, "shootdown report: %s\n", err.text);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}
