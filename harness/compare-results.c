// SPDX-License-Identifier: GPL-2.0-or-later
/* compare-results: two result files side by side. */
#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "commands/compare_arguments.h"
#include "commands/compare_output.h"
#include "verdicts/published.h"
#include "verdicts/record_find.h"

/* The others are those of compare_exit_code(). */
enum { EXIT_TROUBLE = 2 };

const char *argp_program_version = "compare-results " SHOOTDOWN_VERSION;

static int trouble(const char *line)
{
	fprintf(stderr, "compare-results: %s\n", line);
	return EXIT_TROUBLE;
}

/* PATH or LABEL=PATH, where PATH is a file or a folder. */
static int load_side(const char *given, struct compare_side *side, struct err *err)
{
	const char *path = given, *equals = strchr(given, '=');
	struct err others;
	struct stat st;
	char *file;
	int ret;

	if (equals && stat(given, &st) < 0)
		path = equals + 1;
	ret = record_find(path, &file, err);
	if (ret < 0)
		return ret;
	ret = record_load(file, &side->record, err);
	if (ret == 0 && strcmp(file, path) != 0 &&
		record_find_others(file, side->record, &others) < 0)
		fprintf(stderr, "compare-results: warning: %s\n", others.text);
	side->name = path == given
			     ? mem_text(file)
			     : mem_format("%.*s (%s)", (int)(equals - given), given, file);
	free(file);
	return ret;
}

static int compare_sides(const struct compare_arguments *a,
	const struct compare_side *sides, const struct record *published)
{
	struct comparison *c;
	struct err err;
	int ret = compare_records(sides[0].record, sides[1].record, &a->compare, &c);

	if (ret < 0)
		return trouble(strerror(-ret));
	if (compare_output(c, a, sides, published, &err) < 0)
		ret = trouble(err.text);
	else if (c->comparable && c->n_paired == 0)
		fputs("compare-results: the two have no measurement in common\n", stderr);
	if (ret == 0)
		ret = compare_exit_code(c, a->fail_on);
	comparison_free(c);
	return ret;
}

int main(int argc, char **argv)
{
	struct compare_arguments arguments;
	struct compare_side sides[2] = { 0 };
	struct record *published = NULL;
	struct err err;
	int ret = 0;

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = EXIT_TROUBLE;
	compare_arguments_parse(argc, argv, &arguments);
	for (int i = 0; i < 2 && ret == 0; i++)
		if (load_side(arguments.sides[i], &sides[i], &err) < 0)
			ret = trouble(err.text);
	if (ret == 0 && arguments.published &&
		published_load(arguments.published, &published, &err) < 0)
		ret = trouble(err.text);
	if (ret == 0)
		ret = compare_sides(&arguments, sides, published);
	for (int i = 0; i < 2; i++) {
		record_free(sides[i].record);
		free(sides[i].name);
	}
	record_free(published);
	compare_arguments_clear(&arguments);
	return ret;
}
