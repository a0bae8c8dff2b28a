// SPDX-License-Identifier: GPL-2.0-or-later
#include "console.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * How the kernel begins such a line. Matched at its start only: the kernel
 * also says "Spectre V2 : WARNING: ..." and "TAA CPU bug present", which are
 * statements about the CPU.
 */
static const struct {
	const char *start;
	enum console_fault fault;
} starts[] = {
	{ "Kernel panic - not syncing", CONSOLE_PANIC },
	{ "BUG: ", CONSOLE_BUG },
	{ "kernel BUG at ", CONSOLE_BUG },
	{ "watchdog: BUG: ", CONSOLE_BUG },
	{ "watchdog: Watchdog detected hard LOCKUP", CONSOLE_BUG },
	{ "Oops: ", CONSOLE_BUG },
	{ "Oops - ", CONSOLE_BUG },
	{ "Internal error: ", CONSOLE_BUG },
	{ "general protection fault", CONSOLE_BUG },
	{ "Unable to handle kernel ", CONSOLE_BUG },
	{ "double fault: ", CONSOLE_BUG },
	{ "WARNING: ", CONSOLE_WARNING },
	{ "------------[ cut here ]", CONSOLE_WARNING },
	{ "UBSAN: ", CONSOLE_WARNING },
	{ "INFO: task ", CONSOLE_WARNING },
	{ "INFO: rcu", CONSOLE_WARNING },
	{ "rcu: INFO: ", CONSOLE_WARNING },
	{ "list_add corruption", CONSOLE_WARNING },
	{ "list_del corruption", CONSOLE_WARNING },
};

/* Beyond "[    1.234567] " and "[  1.2][ T17] ". */
static const char *skip_stamps(const char *line)
{
	while (line[0] == '[') {
		const char *end = line + 1 + strspn(line + 1, " 0123456789.TC");

		if (end[0] != ']' || end == line + 1)
			break;
		line = end + 1;
		while (*line == ' ')
			line++;
	}
	return line;
}

enum console_fault console_classify(const char *line)
{
	line = skip_stamps(line);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (strncmp(line, starts[i].start, strlen(starts[i].start)) == 0)
			return starts[i].fault;
	}
	return CONSOLE_CLEAN;
}

/* Only announces: the line that follows says what. */
static bool is_announcement(const char *line)
{
	return strstr(line, "[ cut here ]") != NULL;
}

static void keep_complaint(struct console *c, const char *line, enum console_fault fault)
{
	if (fault == CONSOLE_CLEAN)
		return;
	if (c->fault == CONSOLE_CLEAN || is_announcement(c->first_line))
		strcpy(c->first_line, line);
	if (fault > c->fault || (fault == c->fault && is_announcement(c->fault_line))) {
		c->fault = fault;
		strcpy(c->fault_line, line);
	}
}

static void end_line(struct console *c)
{
	c->line[c->line_bytes] = '\0';
	keep_complaint(c, c->line, console_classify(c->line));
	strcpy(c->last[c->n_lines++ % CONSOLE_LAST_LINES], c->line);
	c->line_bytes = 0;
}

static void feed_char(struct console *c, char ch)
{
	/* Firmware moves the cursor: ESC [ numbers letter. */
	if (c->in_escape) {
		c->in_escape = !isalpha((unsigned char)ch);
	} else if (ch == '\033') {
		c->in_escape = true;
	} else if (ch == '\n') {
		end_line(c);
	} else if (ch != '\r' && c->line_bytes < CONSOLE_LINE_BYTES - 1) {
		c->line[c->line_bytes++] =
			isprint((unsigned char)ch) || ch == '\t' ? ch : '?';
	}
}

void console_feed(struct console *c, const char *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		feed_char(c, data[i]);
	c->bytes += bytes;
}

char *console_tail(const struct console *c)
{
	size_t first =
		c->n_lines > CONSOLE_LAST_LINES ? c->n_lines - CONSOLE_LAST_LINES : 0;
	char *text = mem_zeroed(CONSOLE_LAST_LINES + 1, CONSOLE_LINE_BYTES + 1),
	     *end = text;

	for (size_t i = first; i < c->n_lines; i++)
		end += sprintf(end, "%s\n", c->last[i % CONSOLE_LAST_LINES]);
	if (c->line_bytes)
		sprintf(end, "%.*s\n", (int)c->line_bytes, c->line);
	return text;
}
