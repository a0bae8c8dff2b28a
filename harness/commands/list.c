// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown list: made from the tables that the workloads are run by. */
#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/list_suites.h"
#include "measure/spec.h"

static const struct argp_option options[] = {
	{ "json", 'j', NULL, 0, "Print JSON, for programs", 0 },
	{ "suites", 's', NULL, 0,
		"List the suites instead, with the time and memory that 'shootdown run --suite' "
		"takes here",
		0 },
	{ 0 },
};

struct arguments {
	bool json, suites;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)arg;
	if (key == 'j')
		a->json = true;
	else if (key == 's')
		a->suites = true;
	else if (key == ARGP_KEY_ARG)
		argp_usage(state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const char *const type_names[] = {
	[PARAM_COUNT] = "count",
	[PARAM_BYTES] = "bytes",
	[PARAM_CHOICE] = "choice",
	[PARAM_CPU] = "cpu",
	[PARAM_THREADS] = "threads",
	[PARAM_NODE] = "node",
	[PARAM_FILES] = "files",
};

/* "4096 to 1T", "read, write": what a user may type. Freed by the caller. */
static char *range_of(const struct param *p)
{
	char *text, *low, *high;

	switch (p->type) {
	case PARAM_CHOICE:
		text = mem_text(p->choices[0]);
		for (size_t i = 1; p->choices[i]; i++) {
			char *longer = mem_format("%s, %s", text, p->choices[i]);

			free(text);
			text = longer;
		}
		return text;
	case PARAM_CPU:
		return mem_text("an online CPU, auto");
	case PARAM_THREADS:
		return mem_text("0 to CPUs-1, max");
	case PARAM_NODE:
		return mem_text("a memory node, auto");
	case PARAM_FILES:
		return mem_text("paths joined by :");
	case PARAM_COUNT:
	case PARAM_BYTES:
		break;
	}
	low = param_format(p, p->min);
	high = param_format(p, p->max);
	text = mem_format("%s to %s", low, high);
	free(low);
	free(high);
	return text;
}

static void print_params(const struct param *p)
{
	for (; p->name; p++) {
		char *range = range_of(p);

		printf("    %-11s %-22s default %-5s %s\n", p->name, range, p->preset,
			p->help);
		free(range);
	}
}

static void print_text(void)
{
	for (size_t i = 0; workloads[i]; i++) {
		printf("%s%s: %s\n", i ? "\n" : "", workloads[i]->name,
			workloads[i]->summary);
		printf("    kernel path %s; counts in %ss\n", workloads[i]->path,
			workloads[i]->unit);
		print_params(workloads[i]->params);
	}
	printf("\nevery workload:\n");
	print_params(spec_common_params);
}

static json_t *params_json(const struct param *p)
{
	json_t *list = json_array();

	for (; p->name; p++) {
		char *range = range_of(p);
		json_t *one = json_pack("{ss ss ss ss* ss ss}", "name", p->name, "type",
			type_names[p->type], "default", p->preset, "unit", p->unit, "range",
			range, "help", p->help);

		if (p->type == PARAM_COUNT || p->type == PARAM_BYTES) {
			json_object_set_new(one, "min", json_integer((json_int_t)p->min));
			json_object_set_new(one, "max", json_integer((json_int_t)p->max));
		}
		json_array_append_new(list, one);
		free(range);
	}
	return list;
}

static void print_json(void)
{
	json_t *list = json_array(), *all;

	for (size_t i = 0; workloads[i]; i++)
		json_array_append_new(
			list, json_pack("{ss ss ss ss si so}", "name", workloads[i]->name,
				      "summary", workloads[i]->summary, "path",
				      workloads[i]->path, "unit", workloads[i]->unit,
				      "revision", (int)workloads[i]->revision, "params",
				      params_json(workloads[i]->params)));
	all = json_pack("{so so}", "workloads", list, "common_params",
		params_json(spec_common_params));
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

int cmd_list(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Lists the workloads with their parameters, ranges and defaults; or the "
		       "suites.\v"
		       "A workload is run as NAME:key=value,key=value, for example "
		       "'shootdown run swap:size=4M,threads=max'.",
	};
	struct arguments a = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (a.suites)
		return list_suites(a.json);
	if (a.json)
		print_json();
	else
		print_text();
	return EXIT_OK;
}
