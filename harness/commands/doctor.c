// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown doctor: what this machine can measure, and what a killed run left. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/commands.h"
#include "commands/terminal.h"
#include "measure/capability.h"
#include "measure/counters.h"
#include "measure/event_set.h"
#include "measure/machine.h"

static const struct argp_option options[] = {
	{ "events", 'e', NULL, 0,
		"List the perf events: what each tells, and why it does not open here", 0 },
	{ "restore", 'r', NULL, 0, "Undo what a killed run left changed", 0 },
	{ 0 },
};

struct arguments {
	bool restore, events;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)arg;
	if (key == 'r')
		a->restore = true;
	else if (key == 'e')
		a->events = true;
	else if (key == ARGP_KEY_ARG)
		argp_usage(state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* Colour never carries what the word does not say. */
static const struct {
	const char *word, *colour;
} states[] = {
	[CAPABILITY_OK] = { "ok", "\033[32m" },
	[CAPABILITY_LIMITED] = { "limited", "\033[33m" },
	[CAPABILITY_UNAVAILABLE] = { "unavailable", "\033[31m" },
};

static void print_capabilities(void)
{
	struct capabilities all;
	bool colour = terminal_color();

	capabilities_find("", &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct capability *c = &all.items[i];

		printf("%-16s %s%-11s%s  %s\n", c->name,
			colour ? states[c->state].colour : "", states[c->state].word,
			colour ? "\033[0m" : "", c->found);
		if (c->fix)
			printf("%-16s %-11s  fix: %s\n", "", "", c->fix);
	}
	capabilities_clear(&all);
}

static void print_event(const struct counter_info *info, bool colour)
{
	const unsigned int state =
		info->unavailable ? CAPABILITY_UNAVAILABLE : CAPABILITY_OK;

	printf("%-18s %s%-11s%s  %s\n", info->name, colour ? states[state].colour : "",
		states[state].word, colour ? "\033[0m" : "", info->source);
	if (info->tells)
		printf("%-18s %-11s  %s\n", "", "", info->tells);
	if (info->unavailable)
		printf("%-18s %-11s  why: %s\n", "", "", info->unavailable);
}

static int print_events(void)
{
	struct counters *counters;
	struct event_set set;
	struct err err;
	char *watchdog;

	if (counters_open("", 1, &counters) < 0) {
		fprintf(stderr, "shootdown doctor: libperf cannot start\n");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < counters_count(counters); i++) {
		const struct counter_info info = counters_info(counters, i);

		print_event(&info, terminal_color());
	}
	counters_close(counters);
	if (event_set_find("", &set, &err) == 0)
		event_set_clear(&set);
	else
		printf("\n%s\n", err.text);
	if (file_read_line("", "/proc/sys/kernel/nmi_watchdog", &watchdog) == 0) {
		if (strcmp(watchdog, "1") == 0)
			printf("\nThe NMI watchdog has taken a counter of each CPU: sysctl "
			       "kernel.nmi_watchdog=0 gives it back.\n");
		free(watchdog);
	}
	return EXIT_OK;
}

static int print_left(void)
{
	struct machine_left left;
	struct err err = { "" };
	int exit_code = EXIT_OK;

	if (machine_find_left(MACHINE_RUN_DIR, &left, &err) < 0) {
		fprintf(stderr, "shootdown doctor: %s\n", err.text);
		return EXIT_USAGE;
	}
	if (left.running) {
		printf("\nA run is in progress; what it has changed it will undo:\n");
	} else if (left.count > 0) {
		printf("\nA run that was killed has left:\n");
		exit_code = EXIT_FOUND;
	} else {
		printf("\nNo run has left anything changed.\n");
	}
	for (size_t i = 0; i < left.count; i++)
		printf("  %s\n", left.lines[i]);
	if (exit_code == EXIT_FOUND)
		printf("Undo it as root with: shootdown doctor --restore\n");
	machine_left_clear(&left);
	return exit_code;
}

static int restore_left(void)
{
	struct machine_left left = { 0 };
	struct err err = { "" };
	int r = machine_find_left(MACHINE_RUN_DIR, &left, &err);

	if (r == 0)
		r = machine_restore_left(MACHINE_RUN_DIR, &err);
	if (r < 0)
		fprintf(stderr, "shootdown doctor: %s\n", err.text);
	else if (left.count == 0)
		printf("Nothing was left to undo.\n");
	for (size_t i = left.count; r == 0 && i-- > 0;)
		printf("undone: %s\n", left.lines[i]);
	machine_left_clear(&left);
	return r < 0 ? EXIT_USAGE : EXIT_OK;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct argp argp = { .options = options,
		.parser = parse,
		.doc = "Says what this machine can measure, what it cannot, why, and the "
		       "fix; and what a "
		       "killed run left changed.\v"
		       "Exit code: 0, or 1 where a killed run left something, or 2 for an "
		       "error." };
	struct arguments a = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (a.restore)
		return restore_left();
	if (a.events)
		return print_events();
	print_capabilities();
	return print_left();
}
