// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "plots/html.h"

#define LOST "\xEF\xBF\xBD"

static const struct {
	const char *text, *html, *clean;
} cases[] = {
	{ NULL, "", "" },
	{ "swap:threads=3", "swap:threads=3", "swap:threads=3" },
	{ "<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;",
		"<script>alert('1')</script>" },
	{ "\" onload=\"x", "&quot; onload=&quot;x", "\" onload=\"x" },
	{ "&lt;", "&amp;lt;", "&lt;" },
	{ "a\tb\nc", "a\tb\nc", "a\tb\nc" },
	{ "\x1b[31m\x01\x7f", LOST "[31m" LOST LOST, LOST "[31m" LOST LOST },
	{ "Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x90\xA7",
		"Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x90\xA7",
		"Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x90\xA7" },
	/* Latin-1, a character cut short, too long a form, a surrogate, beyond Unicode. */
	{ "\xEB", LOST, LOST },
	{ "\xE2\x82", LOST LOST, LOST LOST },
	{ "\xC0\xBC", LOST LOST, LOST LOST },
	{ "\xED\xA0\x80", LOST LOST LOST, LOST LOST LOST },
	{ "\xF4\x90\x80\x80", LOST LOST LOST LOST, LOST LOST LOST LOST },
	{ "\xFF", LOST, LOST },
	/* U+FFFE is no character, U+0085 a control, U+202E turns the line around. */
	{ "\xEF\xBF\xBE", LOST, LOST },
	{ "\xC2\x85", LOST, LOST },
	{ "a\xE2\x80\xAE"
	  "b",
		"a" LOST "b", "a" LOST "b" },
	{ "\xE2\x81\xA6", LOST, LOST },
};

Test(html, escapes)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = NULL, *clean = html_clean(cases[i].text);
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);

		html_put(out, cases[i].text);
		fclose(out);
		cr_expect_str_eq(text, cases[i].html, "case %zu: %s", i, text);
		cr_expect_str_eq(clean, cases[i].clean, "case %zu: %s", i, clean);
		free(text);
		free(clean);
	}
}
