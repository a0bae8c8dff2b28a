/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suites: files with one workload and its parameters on each line. */
#ifndef MEASURE_SUITE_H
#define MEASURE_SUITE_H

#include <stddef.h>

#include "base/err.h"

struct suite {
	char **specs; /* as spec_parse() takes them */
	size_t count;
};

/* Pure: lines without comments (# to the end), blanks and empty lines. */
void suite_parse(const char *text, struct suite *ret);

/* Those that there are, sorted; freed by the caller, and each of them. */
char **suite_names(size_t *ret_count);

/* bench/suites/NAME.suite. -ENOENT names the suites that there are. */
int suite_read(const char *name, struct suite *ret, struct err *err);
void suite_clear(struct suite *s);

#endif
