// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>

#include "nights/status.h"

#define HEAD "night      2026-11-30-c1 on altra\nmeasured   2 of 6 boots\n"

Test(night_status, reads_what_the_machine_says)
{
	static const struct {
		const char *text, *last;
		bool ended, aborted;
	} cases[] = {
		{ HEAD "state      waiting\nlast       failed 1 no such state\n",
			"failed 1 no such state", false, false },
		{ HEAD "state      booting\nlast       intent 1 af6c", "intent 1 af6c",
			false, false },
		{ HEAD "state      ended\nlast       done all boots measured\n",
			"done all boots measured", true, false },
		{ "a warning\n" HEAD "state      ended\nlast       aborted by hand\n",
			"aborted by hand", true, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct night_status s;
		struct err err = { "" };

		cr_assert_eq(night_status_parse(cases[i].text, &s, &err), 0, "%zu: %s", i,
			err.text);
		cr_expect_str_eq(s.id, "2026-11-30-c1");
		cr_expect_str_eq(s.last, cases[i].last);
		cr_expect_eq(s.ended, cases[i].ended, "%zu", i);
		cr_expect_eq(s.aborted, cases[i].aborted, "%zu", i);
		night_status_clear(&s);
	}
}

Test(night_status, refuses_what_is_none)
{
	static const char *const cases[] = { "", "\n\n", "night\n", "night      \n",
		"there is no night in the journal\n", HEAD, HEAD "state      ended\n",
		HEAD "last       done\n",
		"knight      a\nstate      ended\nlast       done\n" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct night_status s = { 0 };
		struct err err = { "" };

		cr_expect_eq(night_status_parse(cases[i], &s, &err), -EBADMSG, "%zu", i);
		cr_expect(strstr(err.text, "no status of a night"), "%zu: %s", i, err.text);
		cr_expect_null(s.id);
	}
}
