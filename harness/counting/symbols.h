/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an address to the function around it, by the text of a System.map. Pure. */
#ifndef COUNTING_SYMBOLS_H
#define COUNTING_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t address;
	const char *name; /* within the text */
	bool is_code;
};

struct symbols {
	struct symbol *items; /* by address */
	size_t count;
};

/*
 * Cuts the text up, which has to outlive *ret. 0; -EBADMSG for a line that is
 * no "ADDRESS TYPE NAME"; -ENOMEM. The caller frees ret->items.
 */
int symbols_parse(char *text, struct symbols *ret);

/* NULL: in no function of the kernel's image. */
const char *symbols_find(const struct symbols *s, uint64_t address);

#endif
