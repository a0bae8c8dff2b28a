// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>

#include "nights/remote.h"

Test(remote, words_arrive_as_they_are)
{
	static const struct {
		const char *words[4], *command;
	} cases[] = {
		{ { "shootdown", "nightly", "--ref=v6.12", NULL },
			"shootdown nightly --ref=v6.12" },
		{ { "a b", "$(c)", "", NULL }, "'a b' '$(c)' ''" },
		{ { "it's", NULL }, "'it'\\''s'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *command = remote_command(cases[i].words);

		cr_expect_str_eq(command, cases[i].command, "%zu", i);
		free(command);
	}
}

Test(remote, the_last_line_says_what_went_wrong)
{
	static const char *const cases[][2] = { { "", "" }, { "\n\n", "" }, { "a", "a" },
		{ "a\nb\n", "b" }, { "a\r\nb b\r\n\n", "b b" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *last = remote_last_line(cases[i][0]);

		cr_expect_str_eq(last, cases[i][1], "%zu", i);
		free(last);
	}
}
