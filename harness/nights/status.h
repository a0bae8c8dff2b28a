/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `shootdown nightly --status` says of a night, read on another machine. Pure. */
#ifndef NIGHTS_STATUS_H
#define NIGHTS_STATUS_H

#include <stdbool.h>

#include "base/err.h"

struct night_status {
	char *id;   /* of the night */
	char *last; /* its last event: "EVENT TEXT" */
	bool ended; /* done or aborted */
	bool aborted;
};

/* -EBADMSG: a line is missing; the others are for people, and not looked at. */
int night_status_parse(const char *text, struct night_status *ret, struct err *err);
void night_status_clear(struct night_status *s);

#endif
