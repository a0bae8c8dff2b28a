// SPDX-License-Identifier: GPL-2.0-or-later
/* Words as a shell takes them. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/quote.h"

Test(quote, words)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
		{ "a.json", "a.json" },
		{ "--min-effect=ns_per_page=3%,0.05", "--min-effect=ns_per_page=3%,0.05" },
		{ "swap:size=1M,threads=max", "swap:size=1M,threads=max" },
		{ "", "''" },
		{ "ns*", "'ns*'" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "''", "''\\'''\\'''" },
		{ "$(x)", "'$(x)'" },
		{ "\xc3\xa4", "'\xc3\xa4'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *command = NULL;

		quote_add(&command, cases[i].word);
		cr_expect_str_eq(command, cases[i].quoted);
		free(command);
	}
}

Test(quote, each_word_on_a_line)
{
	char *command = NULL;

	quote_add(&command, "compare-results");
	quote_add(&command, "my results");
	quote_add(&command, "b");
	cr_expect_str_eq(command, "compare-results\n'my results'\nb");
	free(command);
}
