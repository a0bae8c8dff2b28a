// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static char *quoted(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_-+=:,./%@";
	char *text, *to;

	if (*word && word[strspn(word, plain)] == '\0')
		return mem_text(word);
	/* At most four characters for one, and the quotes around. */
	text = to = mem_zeroed(4 * strlen(word) + 3, 1);
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\''");
		else
			*to++ = *word;
	}
	*to = '\'';
	return text;
}

void quote_add(char **command, const char *word)
{
	char *more = quoted(word);
	char *longer = *command ? mem_format("%s\n%s", *command, more) : mem_text(more);

	free(more);
	free(*command);
	*command = longer;
}
