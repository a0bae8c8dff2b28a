/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest's serial console, read as it comes: the last lines, and whether the
 * kernel complained. Pure. The console serves diagnosis only; results come
 * through the channel.
 */
#ifndef BOOTS_CONSOLE_H
#define BOOTS_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#define CONSOLE_LAST_LINES 20
#define CONSOLE_LINE_BYTES 256 /* longer lines are cut */

/* In rising order of gravity. */
enum console_fault {
	CONSOLE_CLEAN,
	CONSOLE_WARNING, /* WARN(), a stall, a failed allocation check: voids the run */
	CONSOLE_BUG,     /* BUG(), an oops, a lockup */
	CONSOLE_PANIC,   /* the kernel gave up */
};

/* Zeroed at first. */
struct console {
	size_t bytes; /* that came so far */
	enum console_fault fault;
	char fault_line[CONSOLE_LINE_BYTES]; /* the first of the gravest kind */
	char first_line[CONSOLE_LINE_BYTES]; /* the first complaint of any kind */
	char line[CONSOLE_LINE_BYTES];       /* the one that is coming in */
	size_t line_bytes;
	bool in_escape;
	char last[CONSOLE_LAST_LINES][CONSOLE_LINE_BYTES];
	size_t n_lines; /* complete ones so far; line i is last[i % CONSOLE_LAST_LINES] */
};

void console_feed(struct console *c, const char *data, size_t bytes);

/* The last lines in order, an unfinished one included; freed by the caller. */
char *console_tail(const struct console *c);

/* What one line of the kernel's says; its time stamp may stand before it. */
enum console_fault console_classify(const char *line);

#endif
