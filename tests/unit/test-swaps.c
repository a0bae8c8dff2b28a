// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "measure/swaps.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define HEADER "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

Test(swaps, takes_each_layout)
{
	static const struct {
		const char *line, *path, *type;
		uint64_t size_bytes, used_bytes;
		int priority;
	} lines[] = {
		/* before and since 5.8, and util-linux's own listing */
		{ "/dev/sda5                               partition\t8342524\t100724\t-1\n",
			"/dev/sda5", "partition", 8542744576, 103141376, -1 },
		{ "/dev/zram0                              partition\t262140\t\t0\t\t100\n",
			"/dev/zram0", "partition", 268431360, 0, 100 },
		{ "/var/cache/swap/swapfile               \tfile    \t4194300\t0\t-2\n",
			"/var/cache/swap/swapfile", "file", 4294963200, 0, -2 },
		/* names */
		{ "/my\\040swap\\011file\\134x file 4 4 0\n", "/my swap\tfile\\x", "file",
			4096, 4096, 0 },
		{ "/some/swapfile2\\040(deleted) file\t4\t0\t-3\n",
			"/some/swapfile2 (deleted)", "file", 4096, 0, -3 },
		{ "/some/swapfile2 (deleted) file\t4\t0\t-3\n", "/some/swapfile2 (deleted)",
			"file", 4096, 0, -3 },
		{ "file partition 4 0 32767\r\n", "file", "partition", 4096, 0, 32767 },
	};

	for (size_t i = 0; i < COUNT(lines); i++) {
		char text[512] = HEADER;
		struct err err = { "" };
		struct swaps s;

		strcat(text, lines[i].line);
		cr_assert_eq(swaps_parse(text, &s, &err), 0, "%s", err.text);
		cr_assert_eq(s.count, 1);
		cr_expect_str_eq(s.areas[0].path, lines[i].path);
		cr_expect_str_eq(s.areas[0].type, lines[i].type);
		cr_expect_eq(
			s.areas[0].size_bytes, lines[i].size_bytes, "%s", lines[i].line);
		cr_expect_eq(
			s.areas[0].used_bytes, lines[i].used_bytes, "%s", lines[i].line);
		cr_expect_eq(s.areas[0].priority, lines[i].priority, "%s", lines[i].line);
		swaps_clear(&s);
	}
}

Test(swaps, refuses_in_one_line)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "header" },
		{ "\n", "header" },
		{ "/dev/sda5 partition 8 0 -1\n", "header" },
		{ "Filename Type Size Used\n", "header" },
		{ "Filename Type Size Used Priority More\n", "header" },
		/* A read at an offset begins in a line and ends with the last one twice. */
		{ "a5 partition\t8\t0\t-1\n/dev/sda5 partition\t8\t0\t-1\n", "header" },
		{ HEADER "/dev/sda5 partition\t8\t0\t-1\n/dev/sda5 partition\t8\t0\t-1\n",
			"line 3: /dev/sda5 is listed twice" },
		{ HEADER "/dev/sda5 partition\t8\t0\t-1", "line 2: cut" },
		{ HEADER "/dev/sda5 partition\t8\t0\n", "line 2" },
		{ HEADER "partition\t8\t0\t-1\n", "line 2" },
		{ HEADER "/dev/sda5 device\t8\t0\t-1\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t8K\t0\t-1\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t8\t-4\t-1\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t8\t0\t--1\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t8\t0\t-\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t8\t0\t2147483648\n", "line 2" },
		{ HEADER "/dev/sda5 partition\t18014398509481984\t0\t-1\n", "line 2" },
		{ HEADER "/a\\04 file\t8\t0\t-1\n", "line 2" },
		{ HEADER "/a\\ file\t8\t0\t-1\n", "line 2" },
		{ HEADER "/a\\000b file\t8\t0\t-1\n", "line 2" },
		{ HEADER "/a\\400b file\t8\t0\t-1\n", "line 2" },
		{ HEADER "/a file\t8\t0\t-1\n/b\n", "line 3" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct swaps s = { .count = 42 };
		struct err err = { "" };

		cr_expect_eq(
			swaps_parse(bad[i].text, &s, &err), -EINVAL, "%s", bad[i].text);
		cr_expect(strstr(err.text, bad[i].why), "%s: %s", bad[i].text, err.text);
		cr_expect_eq(s.count, 42, "touched the output");
	}
}

Test(swaps, reads_below_a_root)
{
	static const struct {
		const char *root;
		size_t count;
		const char *first;
	} machines[] = {
		{ "tests/fixtures/x86", 2, "/swap of mine\\.img" },
		{ "tests/fixtures/arm64", 1, "/dev/mmcblk0p3" },
		{ "tests/fixtures/riscv", 0, NULL },
		{ "tests/fixtures/ppc64le", 1, "/dev/dm-1" },
		{ "tests/fixtures/s390x", 1, "/dev/dasda2" },
	};
	struct err err = { "" };
	struct swaps s;

	for (size_t i = 0; i < COUNT(machines); i++) {
		cr_assert_eq(swaps_read(machines[i].root, &s, &err), 0, "%s", err.text);
		cr_assert_eq(s.count, machines[i].count, "%s", machines[i].root);
		if (s.count > 0)
			cr_expect_str_eq(s.areas[0].path, machines[i].first);
		swaps_clear(&s);
	}
	cr_expect_eq(swaps_read("tests/fixtures/none", &s, &err), -ENOENT);
	cr_expect(strstr(err.text, "proc/swaps"), "%s", err.text);
}
