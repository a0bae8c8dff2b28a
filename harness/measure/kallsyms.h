/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's own symbols: from an address to its function. */
#ifndef MEASURE_KALLSYMS_H
#define MEASURE_KALLSYMS_H

#include <stdbool.h>

#include "base/err.h"
#include "counting/symbols.h"

struct kallsyms {
	char *text;
	struct symbols symbols; /* names are within the text, without their module */
};

/*
 * /proc/kallsyms below root. 0; -ENOENT: this kernel has none; -EACCES: it
 * hides the addresses (kptr_restrict), which a reader sees as zeros; -EBADMSG;
 * -ENOMEM. Each with reason and fix in err.
 */
int kallsyms_read(const char *root, struct kallsyms *ret, struct err *err);

/* Takes text over in any case. */
int kallsyms_parse(char *text, struct kallsyms *ret, struct err *err);
void kallsyms_clear(struct kallsyms *k);

/* Whether a function of that name exists: one that was inlined does not. */
bool kallsyms_has(const struct kallsyms *k, const char *name);

#endif
