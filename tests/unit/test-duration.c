// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "base/duration.h"

Test(duration, table)
{
	static const struct {
		const char *text;
		uint64_t ns; /* 0: refused */
	} table[] = {
		{ "500ms", 500000000 },
		{ "5s", 5000000000 },
		{ "1.5s", 1500000000 },
		{ "2m", 120000000000 },
		{ "5", 0 },
		{ "", 0 },
		{ "s", 0 },
		{ "-5s", 0 },
		{ "0s", 0 },
		{ "5 s", 0 },
		{ "5h", 0 },
		{ "1e99s", 0 },
		{ "infs", 0 },
		{ "nans", 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t ns = 0;

		cr_assert_eq(duration_parse(table[i].text, &ns), table[i].ns != 0, "%s",
			table[i].text);
		cr_assert_eq(ns, table[i].ns, "%s", table[i].text);
	}
}
