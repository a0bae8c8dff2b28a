// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/html.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xFFFDU

/*
 * The character at text, and its bytes in *ret_bytes: at least 1, of which none is
 * the NUL at the end. REPLACEMENT where they are no UTF-8.
 */
static uint32_t decode(const char *text, size_t *ret_bytes)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	size_t n = at[0] < 0x80             ? 1
		   : (at[0] & 0xE0) == 0xC0 ? 2
		   : (at[0] & 0xF0) == 0xE0 ? 3
		   : (at[0] & 0xF8) == 0xF0 ? 4
					    : 0;
	uint32_t c;

	*ret_bytes = 1;
	if (n <= 1)
		return n ? at[0] : REPLACEMENT;
	c = at[0] & (0x7FU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xC0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | (at[i] & 0x3FU);
	}
	if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return REPLACEMENT;
	*ret_bytes = n;
	return c;
}

static int may_stand(uint32_t c)
{
	if (c < 0x20)
		return c == '\t' || c == '\n';
	if ((c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
		(c >= 0x2066 && c <= 0x2069))
		return 0;
	return c != REPLACEMENT && (c & 0xFFFE) != 0xFFFE;
}

static const char *escape(uint32_t c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void put(FILE *out, const char *text, int escaped)
{
	size_t bytes;

	for (; text && *text; text += bytes) {
		const uint32_t c = decode(text, &bytes);
		const char *instead = escaped ? escape(c) : NULL;

		if (instead)
			fputs(instead, out);
		else if (may_stand(c))
			fwrite(text, 1, bytes, out);
		else
			fputs("\xEF\xBF\xBD", out);
	}
}

void html_put(FILE *out, const char *text)
{
	put(out, text, 1);
}

char *html_clean(const char *text)
{
	char *clean = NULL;
	size_t bytes;
	FILE *out = open_memstream(&clean, &bytes);

	if (!out)
		abort();
	put(out, text, 0);
	fclose(out);
	return clean;
}
