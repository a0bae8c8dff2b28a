/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compare-results was asked for. */
#ifndef COMMANDS_COMPARE_ARGUMENTS_H
#define COMMANDS_COMPARE_ARGUMENTS_H

#include "verdicts/compare.h"

enum compare_form {
	FORM_TEXT,
	FORM_JSON,
	FORM_CSV,
	FORM_MARKDOWN,
	FORM_LKML,
	FORM_JUNIT,
	FORM_KTAP,
	FORM_HTML, /* has a path */
};

struct compare_out {
	enum compare_form form;
	const char *path; /* NULL: standard output */
};

enum compare_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct compare_arguments {
	struct compare_options compare;
	struct effect_rule *effects;
	size_t n_effects;
	struct compare_out *outs; /* at least one */
	size_t n_outs;
	enum compare_color color;
	unsigned int fail_on;
	const char *explain;   /* glob of metrics, or NULL */
	const char *published; /* file of published figures, or NULL */
	const char *sides[2];  /* as given */
	char *repeat;          /* the command, without what says where its output goes */
};

/* Ends the program where it is used wrongly. */
void compare_arguments_parse(int argc, char **argv, struct compare_arguments *ret);
void compare_arguments_clear(struct compare_arguments *a);

#endif
