// SPDX-License-Identifier: GPL-2.0-or-later
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

bool lines_next(struct lines *l)
{
	while (*l->next) {
		size_t length = strcspn(l->next, "\n");
		struct span line = { l->next, length };

		l->number++;
		l->whole = l->next[length] == '\n';
		l->next += length + l->whole;
		l->line = span_trim(line);
		if (l->line.length > 0)
			return true;
	}
	return false;
}

struct span span_trim(struct span s)
{
	while (s.length > 0 && is_blank(*s.at)) {
		s.at++;
		s.length--;
	}
	while (s.length > 0 && is_blank(s.at[s.length - 1]))
		s.length--;
	return s;
}

bool span_is(struct span s, const char *text)
{
	return strlen(text) == s.length && memcmp(s.at, text, s.length) == 0;
}

bool span_starts(struct span s, const char *text)
{
	size_t length = strlen(text);

	return length <= s.length && memcmp(s.at, text, length) == 0;
}

bool span_ends(struct span s, const char *text)
{
	size_t length = strlen(text);

	return length <= s.length && memcmp(s.at + s.length - length, text, length) == 0;
}

bool span_first_word(struct span *rest, struct span *ret_word)
{
	struct span s = span_trim(*rest);
	size_t n = 0;

	while (n < s.length && !is_blank(s.at[n]))
		n++;
	if (n == 0)
		return false;
	*ret_word = (struct span){ s.at, n };
	*rest = (struct span){ s.at + n, s.length - n };
	return true;
}

bool span_last_word(struct span *rest, struct span *ret_word)
{
	struct span s = span_trim(*rest);
	size_t n = 0;

	while (n < s.length && !is_blank(s.at[s.length - n - 1]))
		n++;
	if (n == 0)
		return false;
	*ret_word = (struct span){ s.at + s.length - n, n };
	*rest = (struct span){ s.at, s.length - n };
	return true;
}

bool span_split(struct span s, char at, struct span *ret_before, struct span *ret_after)
{
	const char *found = memchr(s.at, at, s.length);

	if (!found)
		return false;
	*ret_before = (struct span){ s.at, (size_t)(found - s.at) };
	*ret_after = (struct span){ found + 1, s.length - ret_before->length - 1 };
	return true;
}

bool span_number(struct span s, uint64_t *ret)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.length; i++) {
		unsigned int digit = (unsigned int)s.at[i] - '0';

		if (digit > 9 || __builtin_mul_overflow(n, 10, &n) ||
			__builtin_add_overflow(n, digit, &n))
			return false;
	}
	if (s.length == 0)
		return false;
	*ret = n;
	return true;
}

char *span_copy(struct span s)
{
	return strndup(s.at, s.length);
}

int text_read(const char *root, const char *path, char **ret, struct err *err)
{
	size_t bytes;
	char *text;
	int r = file_read(root, path, &text, &bytes);

	if (r < 0)
		return err_set(err, r, "%s%s: %s", root, path, strerror(-r));
	if (memchr(text, '\0', bytes)) {
		free(text);
		return err_set(err, -EINVAL,
			"%s%s: holds a NUL byte: not the kernel's text", root, path);
	}
	*ret = text;
	return 0;
}
