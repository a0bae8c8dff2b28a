/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine can measure, what it cannot, why, and what would help. */
#ifndef MEASURE_CAPABILITY_H
#define MEASURE_CAPABILITY_H

#include <stddef.h>

enum capability_state {
	CAPABILITY_OK,
	CAPABILITY_LIMITED, /* works in part, or only after a step that found names */
	CAPABILITY_UNAVAILABLE,
};

struct capability {
	const char *name;
	enum capability_state state;
	char *found; /* one line: what is there, or the reason why not */
	char *fix;   /* what a person can do; NULL: nothing, or nothing is needed */
};

struct capabilities {
	struct capability *items;
	size_t count;
};

/*
 * root is "", or a recorded machine's folder: then nothing is opened or tried,
 * and the checks that live by that are left out.
 */
void capabilities_find(const char *root, struct capabilities *ret);
void capabilities_clear(struct capabilities *c);

#endif
