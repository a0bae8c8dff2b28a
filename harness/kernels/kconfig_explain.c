// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a symbol did not take. A reader of Kconfig text that knows conditions
 * only: "depends on" of a definition and of the menus around it, and "if".
 */
#include "kernels/kconfig.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define DEPTH_MAX 32
#define CONDITIONS_MAX 64

/* A condition stands on the level of the block that it belongs to. */
struct condition {
	int level;
	char *text;
};

struct reader {
	const char *symbol;
	const struct kconfig *final;
	struct condition conditions[CONDITIONS_MAX];
	int n_conditions;
	int level;       /* of the enclosing menu, choice or if */
	bool in_config;  /* within a definition, of whatever symbol */
	bool is_wanted;  /* that of our symbol */
	int help_indent; /* of the help text being skipped; 0: not yet known; -1: none */
	int found;
	char **reason;
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static bool eval_or(const char **at, const struct kconfig *final, int depth);

/* SYMBOL, SYMBOL=VALUE, SYMBOL!=VALUE; anything else ($(macro)) is taken as true. */
static bool eval_symbol(const char **at, const struct kconfig *final)
{
	const char *start = *at, *value;
	char *name, *wanted;
	bool is, negated;

	while (is_name(**at))
		++*at;
	if (*at == start) {
		*at += strcspn(*at, "&|)");
		return true;
	}
	name = mem_format("%.*s", (int)(*at - start), start);
	value = kconfig_value(final, name);
	is = strcmp(value, "n") != 0 && strcmp(name, "n") != 0;
	*at = skip_blanks(*at);
	negated = strncmp(*at, "!=", 2) == 0;
	if (negated || **at == '=') {
		*at = skip_blanks(*at + (negated ? 2 : 1));
		start = *at;
		while (is_name(**at))
			++*at;
		wanted = mem_format("%.*s", (int)(*at - start), start);
		is = (strcmp(value, wanted) == 0) != negated;
		free(wanted);
	}
	free(name);
	return is;
}

static bool eval_not(const char **at, const struct kconfig *final, int depth)
{
	bool is;

	*at = skip_blanks(*at);
	if (**at == '!') {
		++*at;
		return depth > DEPTH_MAX || !eval_not(at, final, depth + 1);
	}
	if (**at != '(')
		return eval_symbol(at, final);
	++*at;
	is = depth > DEPTH_MAX || eval_or(at, final, depth + 1);
	*at = skip_blanks(*at);
	if (**at == ')')
		++*at;
	return is;
}

static bool eval_and(const char **at, const struct kconfig *final, int depth)
{
	bool is = eval_not(at, final, depth);

	while (strncmp(*at = skip_blanks(*at), "&&", 2) == 0) {
		*at += 2;
		/* Both sides are read, whatever the first is. */
		is &= eval_not(at, final, depth);
	}
	return is;
}

static bool eval_or(const char **at, const struct kconfig *final, int depth)
{
	bool is = eval_and(at, final, depth);

	while (strncmp(*at = skip_blanks(*at), "||", 2) == 0) {
		*at += 2;
		is |= eval_and(at, final, depth);
	}
	return is;
}

static void append(char **text, const char *separator, const char *more)
{
	char *longer =
		mem_format("%s%s%s", *text ? *text : "", *text ? separator : "", more);

	free(*text);
	*text = longer;
}

/* "needs A && !B: A is n, B is y" */
static void say_false(struct reader *r, const char *condition)
{
	char *text = mem_format("needs %s:", condition);
	const char *separator = " ";

	for (const char *at = condition; *at;) {
		size_t length = 0;
		char *name, *item;

		while (is_name(at[length]))
			length++;
		if (!length) {
			at++;
			continue;
		}
		name = mem_format("%.*s", (int)length, at);
		item = mem_format("%s is %s", name, kconfig_value(r->final, name));
		append(&text, separator, item);
		separator = ", ";
		free(name);
		free(item);
		at += length;
	}
	append(r->reason, "; ", text);
	free(text);
}

/* Leaves the definition being read; if it was ours, says what it lacks. */
static void end_config(struct reader *r)
{
	for (int i = 0; r->is_wanted && i < r->n_conditions; i++) {
		const char *at = r->conditions[i].text;

		if (!eval_or(&at, r->final, 0))
			say_false(r, r->conditions[i].text);
	}
	r->found += r->is_wanted;
	/* Conditions of a definition stand one level below the menu around it. */
	while (r->n_conditions && r->conditions[r->n_conditions - 1].level > r->level)
		free(r->conditions[--r->n_conditions].text);
	r->in_config = r->is_wanted = false;
}

/* A copy with single blanks between its words, and none at its ends. */
static char *squeeze(const char *text)
{
	char *copy = mem_zeroed(strlen(text) + 1, 1), *end = copy;

	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		size_t length = strcspn(text, " \t");

		if (end > copy)
			*end++ = ' ';
		memcpy(end, text, length);
		end += length;
		text += length;
	}
	return copy;
}

static void add_condition(struct reader *r, int level, const char *text)
{
	if (r->n_conditions == CONDITIONS_MAX)
		return;
	r->conditions[r->n_conditions++] = (struct condition){ level, squeeze(text) };
}

/* The rest of the line after a keyword, or NULL where the line has another. */
static const char *after(const char *line, const char *keyword)
{
	size_t length = strlen(keyword);

	if (strncmp(line, keyword, length) != 0 || is_name(line[length]))
		return NULL;
	return skip_blanks(line + length);
}

static void take_line(struct reader *r, const char *line)
{
	const char *rest;

	if ((rest = after(line, "config")) || (rest = after(line, "menuconfig"))) {
		size_t length = strlen(r->symbol);

		end_config(r);
		r->in_config = true;
		r->is_wanted =
			strncmp(rest, r->symbol, length) == 0 && !is_name(rest[length]);
	} else if ((rest = after(line, "if"))) {
		end_config(r);
		add_condition(r, ++r->level, rest);
	} else if (after(line, "menu") || after(line, "choice")) {
		end_config(r);
		r->level++;
	} else if (after(line, "endif") || after(line, "endmenu") ||
		   after(line, "endchoice")) {
		end_config(r);
		r->level--;
		end_config(r);
	} else if ((rest = after(line, "depends")) && (rest = after(rest, "on"))) {
		add_condition(r, r->level + r->in_config, rest);
	} else if (after(line, "comment") || after(line, "source")) {
		/* What follows a comment is its own. */
		end_config(r);
		r->in_config = true;
	} else if (after(line, "help")) {
		r->help_indent = 0;
	}
}

/* Columns before the first character, tabs as Kconfig has them. */
static int indent_of(const char *line)
{
	int columns = 0;

	for (; *line == ' ' || *line == '\t'; line++)
		columns = *line == '\t' ? (columns / 8 + 1) * 8 : columns + 1;
	return columns;
}

static bool is_help(struct reader *r, const char *line)
{
	int indent = indent_of(line);

	if (r->help_indent < 0 || !*skip_blanks(line))
		return r->help_indent >= 0;
	if (r->help_indent == 0 && indent > 0)
		r->help_indent = indent;
	if (indent > 0 && indent >= r->help_indent)
		return true;
	r->help_indent = -1;
	return false;
}

int kconfig_explain(
	const char *text, const char *symbol, const struct kconfig *final, char **reason)
{
	struct reader r = {
		.symbol = symbol, .final = final, .help_indent = -1, .reason = reason
	};
	char *copy = mem_text(text), *line = copy, *next;

	for (; line; line = next) {
		/* A backslash at its end joins a line to the next. */
		while ((next = strchr(line, '\n')) && next > line && next[-1] == '\\')
			next[-1] = next[0] = ' ';
		if (next)
			*next++ = '\0';
		if (is_help(&r, line))
			continue;
		line[strcspn(line, "#")] = '\0';
		take_line(&r, skip_blanks(line));
	}
	end_config(&r);
	while (r.n_conditions)
		free(r.conditions[--r.n_conditions].text);
	free(copy);
	return r.found;
}
