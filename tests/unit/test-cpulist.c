// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#include "measure/cpulist.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

Test(cpulist, takes_what_the_kernel_prints)
{
	static const struct {
		const char *text;
		size_t count;
		const char *again;
	} lists[] = {
		{ "", 0, "" },
		{ "\n", 0, "" },
		{ "0", 1, "0" },
		{ "0-3,8,10-12\n", 8, "0-3,8,10-12" },
		{ "0,8,250-255", 8, "0,8,250-255" },
		{ " 1-5,8-19 \n", 17, "1-5,8-19" },
		{ "0-1151", 1152, "0-1151" },
		{ "65535", 1, "65535" },
		{ "7-7", 1, "7" },
		/* In no order, and with doubles. */
		{ "4,0,4,2-5,3", 5, "0,2-5" },
	};

	for (size_t i = 0; i < COUNT(lists); i++) {
		struct cpulist list;
		char *again;

		cr_assert_eq(cpulist_parse(lists[i].text, &list), 0, "%s", lists[i].text);
		again = cpulist_format(&list);
		cr_expect_eq(
			list.count, lists[i].count, "%s: %zu", lists[i].text, list.count);
		cr_expect_str_eq(again, lists[i].again, "%s: %s", lists[i].text, again);
		free(again);
		cpulist_clear(&list);
		cr_expect_null(list.ids);
	}
}

Test(cpulist, refuses_anything_else)
{
	static const char *const texts[] = { "x", "3-1", "0-", "-3", "-", ",", "0,", ",0",
		"0,,1", "0-3-5", "65536", "0-65536", "99999999999999999999", "0x3",
		"(null)", "0-31:1/2", "0 1", "1 - 3", "0\n1", "+1", "all" };

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct cpulist list = { .count = 42 };

		cr_expect_eq(cpulist_parse(texts[i], &list), -EINVAL, "%s", texts[i]);
		cr_expect_eq(list.count, 42, "%s: touched the output", texts[i]);
	}
}

Test(cpulist, index_of_a_member)
{
	struct cpulist list;

	cr_assert_eq(cpulist_parse("0,2,4,10", &list), 0);
	cr_expect_eq(cpulist_index(&list, 0), 0);
	cr_expect_eq(cpulist_index(&list, 10), 3);
	cr_expect_eq(cpulist_index(&list, 3), -1);
	cr_expect_eq(cpulist_index(&list, 11), -1);
	cpulist_clear(&list);
	cr_expect_eq(cpulist_index(&list, 0), -1);
}

Test(cpulist, reads_below_a_root)
{
	static const char path[] = "/sys/devices/system/cpu/online";
	struct cpulist list;

	cr_assert_eq(cpulist_read("tests/fixtures/s390x", path, &list), 0);
	cr_expect_eq(list.count, 3);
	cr_expect_eq(list.ids[2], 5);
	cpulist_clear(&list);
	cr_assert_eq(cpulist_read("", path, &list), 0);
	cr_expect_gt(list.count, 0);
	cpulist_clear(&list);
	cr_expect_eq(cpulist_read("tests/fixtures/none", path, &list), -ENOENT);
}
