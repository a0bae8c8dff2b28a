// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counting/symbols.h"

static const char map[] = "0000000000000000 A __per_cpu_start\n"
			  "ffffffff81000100 t second\n"
			  "ffffffff81000000 D alias_of_data\n"
			  "ffffffff81000000 T __sched_text_start\n"
			  "ffffffff81000000 T _stext\n"
			  "ffffffff81000000 T first\n"
			  "ffffffff81000000 T first_alias\n"
			  "ffffffff81000200 W third\n"
			  "ffffffff81000300 T _etext\n"
			  "ffffffff81000300 R __start_rodata\n"
			  "ffffffff82000000 D data\n"
			  "ffffffff83000000 t init\n"
			  "ffffffff83001000 B _end";

Test(symbols, finds_the_function_around_an_address)
{
	static const struct {
		uint64_t address;
		const char *function;
	} cases[] = {
		{ 0, NULL },
		{ 0x401000, NULL },
		{ 0xffffffff80ffffff, NULL },
		{ 0xffffffff81000000, "first" },
		{ 0xffffffff810000ff, "first" },
		{ 0xffffffff81000100, "second" },
		{ 0xffffffff810002ff, "third" },
		{ 0xffffffff82000004, NULL },
		{ 0xffffffff83000ffc, "init" },
		{ 0xffffffff83001000, NULL },
		{ UINT64_MAX, NULL },
	};
	char *text = strdup(map);
	struct symbols s;

	cr_assert_eq(symbols_parse(text, &s), 0);
	cr_assert_eq(s.count, 13);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *got = symbols_find(&s, cases[i].address);

		cr_expect_str_eq(got ? got : "-",
			cases[i].function ? cases[i].function : "-", "case %zu", i);
	}
	free(s.items);
	free(text);
}

Test(symbols, refuses_what_is_no_map)
{
	static const char *const cases[] = { "x", "12 T", "12 T ", "T name", "12T name",
		"12 TT name", " 12 T name", "12 T a\nx\n" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = strdup(cases[i]);
		struct symbols s;

		cr_expect_eq(symbols_parse(text, &s), -EBADMSG, "case %zu", i);
		free(text);
	}
}

Test(symbols, an_empty_map_has_no_function)
{
	char text[] = "\n";
	struct symbols s;

	cr_assert_eq(symbols_parse(text, &s), 0);
	cr_assert_null(symbols_find(&s, 5));
	free(s.items);
}
