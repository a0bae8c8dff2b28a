// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/list_suites.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/commands.h"
#include "commands/cost.h"
#include "measure/session.h"
#include "measure/suite.h"

struct suite_cost {
	struct session_cost cost;
	size_t n_left_out; /* this machine has not what they need */
};

/* As `run --suite` has it when not told otherwise. */
static int cost_of(const char *name, struct suite_cost *ret, struct err *err)
{
	struct session *s;
	int status = session_open(&session_preset, &s, err);

	if (status < 0)
		return status;
	status = session_add_suite(s, name, err);
	if (status == 0) {
		session_cost(s, &ret->cost);
		session_notes(s, &ret->n_left_out);
	}
	session_close(s);
	return status;
}

static void print_suite(const char *name, const struct suite_cost *c)
{
	char *text = cost_text(&c->cost);

	printf("%-8s %s", name, text);
	if (c->n_left_out)
		printf("; %zu more are left out here", c->n_left_out);
	printf("\n");
	free(text);
}

static json_t *suite_json(const char *name, const struct suite_cost *c)
{
	return json_pack("{ss sI sI sI sI sI sI}", "name", name, "workloads",
		(json_int_t)c->cost.n_workloads, "left_out", (json_int_t)c->n_left_out,
		"fixed_iterations", (json_int_t)c->cost.n_endless, "time_ns",
		(json_int_t)c->cost.time_ns, "memory_bytes",
		(json_int_t)c->cost.memory_bytes, "swap_bytes",
		(json_int_t)c->cost.swap_bytes);
}

int list_suites(bool json)
{
	json_t *list = json_array();
	size_t n;
	char **names = suite_names(&n);
	int code = EXIT_OK;

	for (size_t i = 0; i < n; i++) {
		struct suite_cost c = { 0 };
		struct err err;

		if (cost_of(names[i], &c, &err) < 0) {
			fprintf(stderr, "shootdown list: %s\n", err.text);
			code = EXIT_USAGE;
		} else if (json) {
			json_array_append_new(list, suite_json(names[i], &c));
		} else {
			print_suite(names[i], &c);
		}
		free(names[i]);
	}
	if (json) {
		json_dumpf(list, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(list);
	free(names);
	return code;
}
