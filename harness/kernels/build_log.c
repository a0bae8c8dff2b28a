// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/build_log.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * Shapes of an error. Group 1 is the place, group 2 what is said; a shape with
 * one group is taken as a whole. Warnings become errors with -Werror and then
 * say so, hence the words between colon and "error:".
 */
static const struct shape {
	const char *pattern;
	int groups;
} shapes[] = {
	{ "^([^ :]+:[0-9]+)(:[0-9]+)?: (fatal )?error: (.*)$", 4 },
	{ "^([^ :]+:[0-9]+): (Error: .*)$", 2 },
	{ "^([^ :]+:[0-9]+): (syntax error.*|unknown (statement|option|symbol).*)$", 2 },
	{ "^(.*: undefined reference to .*)$", 1 },
	{ "^(ERROR: modpost: .*)$", 1 },
	{ "^(.*objtool: .*error.*|error: objtool: .*)$", 1 },
	{ "^(.*No space left on device.*)$", 1 },
	{ "^(.*: (command )?not found)$", 1 },
	{ "^(.*: Cannot allocate memory|.*Killed signal terminated program.*)$", 1 },
};
#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* What is left when nobody said why. */
static const char gave_up[] = "^(make[^:]*: \\*\\*\\* .*)$";

static char *cut_tree(const char *text, const char *tree)
{
	size_t length = strlen(tree);

	if (length && strncmp(text, tree, length) == 0 && text[length] == '/')
		text += length + 1;
	return mem_text(text);
}

static char *group_text(const char *line, const regmatch_t *group)
{
	return mem_format("%.*s", (int)(group->rm_eo - group->rm_so), line + group->rm_so);
}

static char *match_line(
	const char *line, const regex_t *regex, int groups, const char *tree)
{
	regmatch_t found[5];
	char *place, *said, *text;

	if (regexec(regex, line, 5, found, 0) != 0)
		return NULL;
	if (groups == 1)
		return cut_tree(line, tree);
	place = group_text(line, &found[1]);
	said = group_text(line, &found[groups]);
	text = mem_format("%s: %s", place, said);
	free(place);
	free(said);
	place = cut_tree(text, tree);
	free(text);
	return place;
}

/* The first line that matches one of the shapes. */
static char *find(const char *log, const struct shape *list, size_t n, const char *tree)
{
	char *copy = mem_text(log), *rest = copy, *line, *found = NULL;
	regex_t *regexes = mem_zeroed(n, sizeof(*regexes));

	for (size_t i = 0; i < n; i++)
		if (regcomp(&regexes[i], list[i].pattern, REG_EXTENDED) != 0)
			abort();
	while (!found && (line = strsep(&rest, "\n")))
		for (size_t i = 0; i < n && !found; i++)
			found = match_line(line, &regexes[i], list[i].groups, tree);
	for (size_t i = 0; i < n; i++)
		regfree(&regexes[i]);
	free(regexes);
	free(copy);
	return found;
}

char *build_log_first_error(const char *log, const char *tree)
{
	const struct shape last = { gave_up, 1 };
	char *found = find(log, shapes, N_SHAPES, tree);

	return found ? found : find(log, &last, 1, tree);
}

bool build_log_is_step(const char *line)
{
	return line[0] == ' ' && line[1] == ' ' && isupper((unsigned char)line[2]) &&
	       isupper((unsigned char)line[3]);
}
