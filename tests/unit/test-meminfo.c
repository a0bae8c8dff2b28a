// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>

#include "measure/meminfo.h"
#include "measure/suite.h"

Test(meminfo, table)
{
	static const struct {
		const char *text;
		int ret;
		uint64_t bytes;
	} table[] = {
		{ "MemTotal:       24 kB\nMemAvailable:   16 kB\n", 0, 16 << 10 },
		{ "MemAvailable:   16 kB", 0, 16 << 10 },
		{ "MemAvailable2:  1 kB\nMemAvailable: 2 kB\n", 0, 2 << 10 },
		{ "NotMemAvailable: 1 kB\n", -ENODATA, 0 },
		{ "", -ENODATA, 0 },
		{ "MemAvailable: many kB\n", -EINVAL, 0 },
		{ "MemAvailable: 16\n", -EINVAL, 0 },
		{ "MemAvailable: 99999999999999999999 kB\n", -EINVAL, 0 },
		{ "MemAvailable:", -EINVAL, 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint64_t bytes = 0;

		cr_assert_eq(meminfo_find(table[i].text, "MemAvailable", &bytes),
			table[i].ret, "row %zu", i);
		cr_assert_eq(bytes, table[i].bytes, "row %zu", i);
	}
}

Test(suite, lines_without_comments)
{
	struct suite s;

	suite_parse("# a comment\n\n  swap:size=2M # behind it\nnull\r\n#null\n", &s);
	cr_assert_eq(s.count, 2);
	cr_assert_str_eq(s.specs[0], "swap:size=2M");
	cr_assert_str_eq(s.specs[1], "null");
	suite_clear(&s);
}

Test(suite, unknown_one_names_those_there_are)
{
	struct suite s;
	struct err err = { "" };

	cr_assert_lt(suite_read("quik", &s, &err), 0);
	cr_assert(strstr(err.text, "full, guest, quick, seeds"), "%s", err.text);
	cr_assert_lt(suite_read("../suites/quick", &s, &err), 0);
}
