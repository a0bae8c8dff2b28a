// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: what became of the boots, and the comparison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/ab_parts.h"
#include "commands/commands.h"
#include "commands/report.h"
#include "commands/terminal.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"

static void print_indented(const char *text)
{
	for (const char *line = text; *line;) {
		const size_t length = strcspn(line, "\n");

		printf("    | %.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

size_t ab_print_failures(const struct manifest *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->plan.n_boots; i++) {
		const struct boot_entry *e = &m->entries[i];

		if (strcmp(e->result, guest_result_name(GUEST_OK)) == 0)
			continue;
		n++;
		printf("boot %u: %s in phase %s: %s\n", m->plan.boots[i].boot, e->result,
			e->phase, e->reason);
		print_indented(e->console_tail);
	}
	return n;
}

/* As a mail takes it: printed, and kept in the folder. */
static int print_lkml(const struct ab_arguments *a, const struct manifest *m,
	const struct comparison *c, const struct record *base)
{
	char *repeat = a->has_seed ? mem_text(a->repeat)
				   : mem_format("%s\n--seed=%llu", a->repeat,
					     (unsigned long long)m->seed);
	char *path = mem_format("%s/lkml.txt", a->own_folder), *text;
	const struct render_options options = {
		.base_name = a->names[ARM_BASE],
		.cand_name = a->names[ARM_CAND],
		.base = base,
		.repeat = repeat,
	};
	int ret = compare_render_lkml(c, &options, &text);

	if (ret == 0) {
		ret = file_replace(path, text, strlen(text));
		if (ret < 0)
			fprintf(stderr, "shootdown ab: %s: %s\n", path, strerror(-ret));
		else
			printf("\nFor a mail, and in %s:\n\n%s\n", path, text);
		free(text);
	}
	free(path);
	free(repeat);
	return ret;
}

static int compare(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2])
{
	const struct render_options options = {
		.base_name = a->names[ARM_BASE],
		.cand_name = a->names[ARM_CAND],
		.width = terminal_width(),
		.color = terminal_color(),
	};
	struct comparison *c;
	char *text;
	int code = EXIT_NOTHING;

	if (compare_records(
		    arms[ARM_BASE], arms[ARM_CAND], &(struct compare_options){ 0 }, &c) < 0)
		return EXIT_USAGE;
	if (compare_render_text(c, &options, &text) == 0) {
		fputs(text, stdout);
		free(text);
		ab_print_functions(a, c);
		code = print_lkml(a, m, c, arms[ARM_BASE]) < 0
			       ? EXIT_USAGE
			       : compare_exit_code(c, FAIL_DEFAULT);
	}
	comparison_free(c);
	return code;
}

static void write_page(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2])
{
	struct err err;

	/* Of an experiment that went well it is only a view: the exit code stays. */
	if (report_experiment(a->own_folder, m, (const struct record *const *)arms, &err) <
		0)
		fprintf(stderr, "shootdown ab: %s\n", err.text);
}

int ab_report(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2])
{
	const size_t n_failed = ab_print_failures(m);
	int code = EXIT_NOTHING;

	if (arms[ARM_BASE]->n_runs && arms[ARM_CAND]->n_runs)
		code = compare(a, m, arms);
	else
		printf("No boot of %s ended well: there is nothing to compare.\n",
			a->names[arms[ARM_BASE]->n_runs ? ARM_CAND : ARM_BASE]);
	printf("%zu of %zu boots ended well. Everything is in %s\n",
		m->plan.n_boots - n_failed, m->plan.n_boots, a->own_folder);
	if (arms[ARM_BASE]->n_runs && arms[ARM_CAND]->n_runs)
		write_page(a, m, arms);
	/* What is missing weighs more than what the rest says. */
	return n_failed && code != EXIT_USAGE ? EXIT_NOTHING : code;
}
