// SPDX-License-Identifier: GPL-2.0-or-later
#include "swaps.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool is_header(struct span line)
{
	static const char *const columns[] = { "Filename", "Type", "Size", "Used",
		"Priority" };
	struct span word;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (!span_first_word(&line, &word) || !span_is(word, columns[i]))
			return false;
	return !span_first_word(&line, &word);
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/*
 * "\040" is a blank. The kernel writes each backslash of a name as "\134", so
 * that one without three octal digits behind it was not printed by it.
 */
static bool decode_octal(char *path)
{
	char *out = path;

	for (const char *in = path; *in; out++) {
		int value;

		if (*in != '\\') {
			*out = *in++;
			continue;
		}
		if (!is_octal(in[1]) || !is_octal(in[2]) || !is_octal(in[3]))
			return false;
		value = (in[1] - '0') * 64 + (in[2] - '0') * 8 + (in[3] - '0');
		if (value == 0 || value > UCHAR_MAX)
			return false;
		*out = (char)value;
		in += 4;
	}
	*out = '\0';
	return true;
}

static bool kib_to_bytes(struct span word, uint64_t *ret_bytes)
{
	uint64_t kib;

	return span_number(word, &kib) && !__builtin_mul_overflow(kib, 1024, ret_bytes);
}

static bool priority_of(struct span word, int *ret)
{
	bool negative = span_starts(word, "-");
	uint64_t n;

	if (negative) {
		word.at++;
		word.length--;
	}
	if (!span_number(word, &n) || n > INT_MAX)
		return false;
	*ret = negative ? -(int)n : (int)n;
	return true;
}

/* From the end: a name may hold blanks, the four words after it do not. */
static int parse_area(struct span line, struct swap_area *ret)
{
	struct span priority, used, size, type, path;
	struct swap_area a;

	if (!span_last_word(&line, &priority) || !span_last_word(&line, &used) ||
		!span_last_word(&line, &size) || !span_last_word(&line, &type))
		return -EINVAL;
	path = span_trim(line);
	if (path.length == 0 || !(span_is(type, "partition") || span_is(type, "file")) ||
		!kib_to_bytes(size, &a.size_bytes) || !kib_to_bytes(used, &a.used_bytes) ||
		!priority_of(priority, &a.priority))
		return -EINVAL;
	a.path = span_copy(path);
	a.type = span_copy(type);
	if (!a.path || !a.type || !decode_octal(a.path)) {
		int r = a.path && a.type ? -EINVAL : -ENOMEM;

		free(a.path);
		free(a.type);
		return r;
	}
	*ret = a;
	return 0;
}

static bool is_same(const struct swap_area *a, const struct swap_area *b)
{
	return strcmp(a->path, b->path) == 0 && a->size_bytes == b->size_bytes &&
	       a->used_bytes == b->used_bytes && a->priority == b->priority;
}

static int add_area(struct swaps *s, const struct lines *l, struct err *err)
{
	struct swap_area *more = reallocarray(s->areas, s->count + 1, sizeof(*more)), *area;
	int r;

	if (!more)
		return -ENOMEM;
	s->areas = more;
	area = &s->areas[s->count];
	if (!l->whole)
		return err_set(err, -EINVAL, "swaps: line %u: cut: no newline at its end",
			l->number);
	r = parse_area(l->line, area);
	if (r == -EINVAL)
		return err_set(err, r,
			"swaps: line %u: not a name, a type and three numbers: %.*s",
			l->number, (int)l->line.length, l->line.at);
	if (r < 0)
		return r;
	s->count++;
	/* A read at an offset makes old kernels print the last line twice. */
	for (size_t i = 0; i + 1 < s->count; i++)
		if (is_same(&s->areas[i], area))
			return err_set(err, -EINVAL, "swaps: line %u: %s is listed twice",
				l->number, area->path);
	return 0;
}

int swaps_parse(const char *text, struct swaps *ret, struct err *err)
{
	struct lines lines = { .next = text };
	struct swaps s = { 0 };
	int r = 0;

	if (!lines_next(&lines) || !is_header(lines.line))
		return err_set(
			err, -EINVAL, "swaps: line 1: not the header: Filename Type ...");
	while (r == 0 && lines_next(&lines))
		r = add_area(&s, &lines, err);
	if (r < 0) {
		swaps_clear(&s);
		return r;
	}
	*ret = s;
	return 0;
}

int swaps_read(const char *root, struct swaps *ret, struct err *err)
{
	char *text;
	int r = text_read(root, "/proc/swaps", &text, err);

	if (r < 0)
		return r;
	r = swaps_parse(text, ret, err);
	free(text);
	return r;
}

void swaps_clear(struct swaps *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->areas[i].path);
		free(s->areas[i].type);
	}
	free(s->areas);
	*s = (struct swaps){ 0 };
}
