/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel configurations as text: what a fragment asks for, and whether it got it.
 * Pure, except for kconfig_load().
 */
#ifndef KERNELS_KCONFIG_H
#define KERNELS_KCONFIG_H

#include <stddef.h>

#include "base/err.h"

/* One line. A symbol that "is not set" has the value "n", as has one that is absent. */
struct kconfig_line {
	char *symbol; /* without CONFIG_ */
	char *value;  /* as written: y, m, 64, "text" with its quotes */
	int number;   /* line of the file */
};

struct kconfig {
	struct kconfig_line *lines; /* sorted by symbol; the last of equals counts */
	size_t count;
};

/*
 * Reads a fragment or a .config. -EINVAL with "FILE:LINE: ..." for a line that
 * is neither CONFIG_NAME=VALUE, "# CONFIG_NAME is not set", a comment nor blank.
 */
int kconfig_parse(
	const char *file_name, const char *text, struct kconfig *ret, struct err *err);
int kconfig_load(const char *path, struct kconfig *ret, struct err *err);
void kconfig_clear(struct kconfig *config);

/* Never NULL: "n" for a symbol that is absent. */
const char *kconfig_value(const struct kconfig *config, const char *symbol);

/* The first line at or after index start that final does not have; NULL: none is left. */
const struct kconfig_line *kconfig_next_unmet(
	const struct kconfig *fragment, const struct kconfig *final, size_t *start);

/*
 * What differs, one "SYMBOL a -> b" line each, sorted; "" where nothing does.
 * Freed by the caller.
 */
char *kconfig_diff(const struct kconfig *a, const struct kconfig *b);

/*
 * Why a symbol did not take, as far as Kconfig text tells: adds to *reason
 * (NULL or a text to be freed) what the definitions of symbol in one Kconfig
 * file depend on and final does not have: "needs FOO && !BAR: FOO is n".
 * Returns how many definitions the file has.
 */
int kconfig_explain(
	const char *text, const char *symbol, const struct kconfig *final, char **reason);

#endif
