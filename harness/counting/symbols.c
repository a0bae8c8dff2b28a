// SPDX-License-Identifier: GPL-2.0-or-later
#include "counting/symbols.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool parse_line(char *line, struct symbol *ret)
{
	char *end;

	if (!isxdigit((unsigned char)line[0]))
		return false;
	ret->address = strtoull(line, &end, 16);
	if (end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	ret->is_code = strchr("tTwW", end[1]) != NULL;
	ret->name = end + 3;
	return true;
}

static bool ends_with(const char *name, const char *end)
{
	const size_t n = strlen(name), n_end = strlen(end);

	return n >= n_end && strcmp(name + n - n_end, end) == 0;
}

/* The linker's marks, as __sched_text_start, stand where a function begins. */
static int rank(const struct symbol *s)
{
	if (!s->is_code)
		return 2;
	return ends_with(s->name, "_start") || ends_with(s->name, "_end") ||
	       ends_with(s->name, "text");
}

/* Where several begin at one address, functions first, then the order of the file. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	return x->name < y->name ? -1 : 1;
}

int symbols_parse(char *text, struct symbols *ret)
{
	struct symbols s = { 0 };
	size_t n_lines = 0;
	char *line;

	for (const char *c = text; *c; c++)
		n_lines += *c == '\n';
	s.items = calloc(n_lines + 1, sizeof(*s.items));
	if (!s.items)
		return -ENOMEM;
	while ((line = strsep(&text, "\n")) != NULL) {
		if (line[0] == '\0')
			continue;
		if (!parse_line(line, &s.items[s.count++])) {
			free(s.items);
			return -EBADMSG;
		}
	}
	qsort(s.items, s.count, sizeof(*s.items), by_address);
	*ret = s;
	return 0;
}

const char *symbols_find(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->count;

	/* The first beyond the address. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	/* The first of those that begin where the one before it does. */
	for (low--; low > 0 && s->items[low - 1].address == s->items[low].address; low--)
		;
	return s->items[low].is_code ? s->items[low].name : NULL;
}
