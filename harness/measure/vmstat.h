/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/vmstat: "name number" lines. Pure, except for vmstat_read(). */
#ifndef MEASURE_VMSTAT_H
#define MEASURE_VMSTAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct vmstat {
	struct vmstat_item {
		const char *name; /* within text */
		uint64_t value;
	} * items;
	size_t count;
	char *text;
};

/*
 * 0; -EINVAL where a line that is not blank is no "name number", a name comes
 * twice, the last line has no newline (digits may be missing), or there is none.
 */
int vmstat_parse(const char *text, struct vmstat *ret, struct err *err);
/* With root "": also -EINVAL where another file is mounted over the kernel's. */
int vmstat_read(const char *root, struct vmstat *ret, struct err *err);
void vmstat_clear(struct vmstat *v);

/* 0, or -ENODATA: this kernel does not count it, which is not 0. */
int vmstat_find(const struct vmstat *v, const char *name, uint64_t *ret_value);

/*
 * Growth of an event counter: -ENODATA where either snapshot lacks it,
 * -ESTALE where it went backwards (then there is no number).
 */
int vmstat_delta(const struct vmstat *before, const struct vmstat *after, const char *name,
	uint64_t *ret_delta);

#endif
