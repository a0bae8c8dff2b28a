// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown sweep: the table, the data and the picture. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "commands/commands.h"
#include "commands/sweep_parts.h"
#include "commands/sweep_table.h"
#include "measure/spec.h"

#define PYTHON "/usr/bin/python3" /* that of python3-matplotlib: PATH may have others */

bool sweep_is_done(const char *folder)
{
	char *path = mem_format("%s/sweep.json", folder);
	const bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static const struct param *find_param(const char *workload, const char *name)
{
	for (size_t i = 0; workload && workloads[i]; i++) {
		if (strcmp(workloads[i]->name, workload) != 0)
			continue;
		for (const struct param *p = workloads[i]->params; p->name; p++)
			if (strcmp(p->name, name) == 0)
				return p;
	}
	return NULL;
}

/* Bytes as people type them. */
static void name_points(const struct sweep_list *list, struct curve *c)
{
	const struct param *param = find_param(list->workload, list->param);

	if (!param || param->type != PARAM_BYTES)
		return;
	for (size_t i = 0; i < c->n_points; i++) {
		if (!c->points[i].numeric)
			continue;
		free(c->points[i].label);
		c->points[i].label = param_format(param, (uint64_t)c->points[i].x);
	}
}

static const char *text_of(const struct fields *f, const char *name)
{
	const struct field *found = fields_find(f, name);

	return found && found->text ? found->text : "";
}

/* "x86_64, QEMU TCG CPU, emulated (tcg), Linux 6.12.117"; freed by the caller. */
static char *machine_text(const struct record *r)
{
	const char *accelerator = text_of(&r->identity, "accelerator");
	const bool tcg = strcmp(accelerator, "tcg") == 0;

	return mem_format("%s, %s%s, Linux %s", text_of(&r->identity, "arch"),
		text_of(&r->identity, "cpu_model"), tcg ? ", emulated (TCG)" : "",
		text_of(&r->subject, "kernel_release"));
}

static int save_json(const char *path, const struct curve *c,
	const struct curve_names *names, struct err *err)
{
	char *text;
	int ret = curve_json(c, names, &text);

	if (ret < 0)
		return err_set(err, ret, "%s: no memory", path);
	ret = file_replace(path, text, strlen(text));
	free(text);
	return ret < 0 ? err_set(err, ret, "%s: %s", path, strerror(-ret)) : 0;
}

/* Without it the table is as good as ever: a line, and no failure. */
static void draw(const char *json, const char *folder)
{
	char *script = NULL, *output = NULL;
	struct err err = { "" };
	int ret = data_path("harness/plots/sweep.py", &script);
	const char *const argv[] = { PYTHON, script, json, folder, NULL };

	if (ret == 0 && access(PYTHON, X_OK) < 0)
		ret = err_set(&err, -ENOENT,
			PYTHON " is missing: install the package python3-matplotlib");
	else if (ret == 0)
		ret = process_capture(
			&(struct process_spec){ .argv = argv }, &output, &err);
	else
		err_set(&err, ret, "harness/plots/sweep.py was not found");
	if (ret == 0)
		printf("The picture is %s/sweep.png (and .svg); results and data are beside it.\n",
			folder);
	else
		printf("No picture was drawn: %s\nThe data are in %s\n",
			output && output[0] ? output : err.text, json);
	free(output);
	free(script);
}

static int judge(const struct record *base, const struct curve *c)
{
	int code = EXIT_OK;

	for (size_t i = 0; i < c->n_points; i++)
		if (!c->points[i].known)
			code = EXIT_NOTHING;
	for (size_t i = 0; i < base->n_runs && !c->two_sided; i++)
		if (base->runs[i].status == RUN_FAILED ||
			base->runs[i].status == RUN_INVALID)
			code = EXIT_FOUND;
	return code;
}

static int report(
	const struct sweep_arguments *a, const struct record *base, const struct curve *c)
{
	char *machine = machine_text(base);
	char *json = mem_format("%s/sweep.json", a->ab.own_folder);
	const struct curve_names names = {
		.what = a->list.fixed ? a->list.fixed : a->ab.workloads.items[0],
		.base = a->ab.names[ARM_BASE] ? a->ab.names[ARM_BASE] : "value",
		.cand = c->two_sided ? a->ab.names[ARM_CAND] : NULL,
		.machine = machine,
	};
	struct err err;
	int code = judge(base, c);

	sweep_table_print(c, &names);
	if (save_json(json, c, &names, &err) == 0) {
		draw(json, a->ab.own_folder);
	} else {
		fprintf(stderr, "shootdown sweep: %s\n", err.text);
		code = EXIT_USAGE;
	}
	free(json);
	free(machine);
	return code;
}

/* Each reason once, as all points tend to have the same. */
static void print_reasons(const struct record *r)
{
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];
		bool told = false;

		for (size_t k = 0; run->reason && k < i; k++)
			told |= r->runs[k].reason &&
				strcmp(r->runs[k].reason, run->reason) == 0;
		if (run->reason && !told)
			printf("%s: %s%s%s\n", run->workload, run->reason,
				run->fix && run->fix[0] ? "; fix: " : "",
				run->fix ? run->fix : "");
	}
}

int sweep_report(const struct sweep_arguments *a, const struct record *base,
	const struct record *cand)
{
	struct curve c;
	struct err err;
	int ret = curve_make(base, cand, a->list.param, a->metric, &c, &err), code;

	if (ret < 0) {
		fprintf(stderr, "shootdown sweep: %s\n", err.text);
		print_reasons(base);
		return ret == -ENODATA ? EXIT_NOTHING : EXIT_USAGE;
	}
	name_points(&a->list, &c);
	code = report(a, base, &c);
	curve_clear(&c);
	return code;
}
