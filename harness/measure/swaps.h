/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/swaps. Pure, except for swaps_read(). */
#ifndef MEASURE_SWAPS_H
#define MEASURE_SWAPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct swap_area {
	char *path; /* octal escapes decoded */
	char *type; /* "partition" or "file" */
	uint64_t size_bytes, used_bytes;
	int priority;
};

struct swaps {
	struct swap_area *areas;
	size_t count;
};

/*
 * Reads all layouts that kernels have printed (padded with blanks or tabs), a
 * name with blanks and " (deleted)" included. 0; -EINVAL for a line that does
 * not end in type, three numbers and a newline, for one that is there twice, or
 * for no header.
 */
int swaps_parse(const char *text, struct swaps *ret, struct err *err);
int swaps_read(const char *root, struct swaps *ret, struct err *err);
void swaps_clear(struct swaps *s);

#endif
