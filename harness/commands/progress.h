/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line on a terminal's stderr that tells how far a long command is. */
#ifndef COMMANDS_PROGRESS_H
#define COMMANDS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown; /* stderr is a terminal */
	uint64_t started_ns;
};

void progress_start(struct progress *p);

/* fraction from 0 to 1 of the whole; the time left is judged from it. */
void progress_show(const struct progress *p, double fraction, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Takes the line away, so that something else can be printed. */
void progress_clear(const struct progress *p);

#endif
