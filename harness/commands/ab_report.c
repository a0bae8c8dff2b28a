// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: what became of the boots, and the comparison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/ab_parts.h"
#include "commands/commands.h"
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

static int compare(const struct ab_arguments *a, struct record *const arms[2])
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
		code = compare_exit_code(c, FAIL_DEFAULT);
	}
	comparison_free(c);
	return code;
}

int ab_report(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2])
{
	const size_t n_failed = ab_print_failures(m);
	int code = EXIT_NOTHING;

	if (arms[ARM_BASE]->n_runs && arms[ARM_CAND]->n_runs)
		code = compare(a, arms);
	else
		printf("No boot of %s ended well: there is nothing to compare.\n",
			a->names[arms[ARM_BASE]->n_runs ? ARM_CAND : ARM_BASE]);
	printf("%zu of %zu boots ended well. Everything is in %s\n",
		m->plan.n_boots - n_failed, m->plan.n_boots, a->own_folder);
	/* What is missing weighs more than what the rest says. */
	return n_failed && code != EXIT_USAGE ? EXIT_NOTHING : code;
}
