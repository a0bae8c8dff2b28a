// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "nights/images.h"

#define NEEDED                                                                             \
	"summary = a machine\narch = arm64\nboot = kexec\nreference = stock\n"             \
	"tonight = batch\n"

Test(machine_file, reads_and_fills_in)
{
	struct machine_file m;
	struct err err = { "" };

	cr_assert_eq(machine_file_parse("altra", "f",
			     NEEDED "# why\nblocks = 6\nbudget = 90m\nsysctl = a.b=1 c=2\n"
				    "stop = irqbalance.service\nstate = /var/x\n",
			     &m, &err),
		0, "%s", err.text);
	cr_expect_str_eq(m.name, "altra");
	cr_expect_eq(m.way, BOOT_KEXEC);
	cr_expect_eq(m.n_blocks, 6);
	cr_expect_eq(m.boots_max, 24);
	cr_expect_eq(m.budget_s, 5400);
	cr_expect_eq(m.deadline_s, 1800);
	cr_expect_str_eq(m.variants[ARM_CAND], "batch");
	cr_expect_str_eq(m.suite, "quick");
	cr_expect_str_eq(m.images, "/var/x/images");
	cr_expect_eq(m.sysctls.count, 2);
	cr_expect_null(m.governor);
	cr_expect_eq(m.watchdog_s, 300);
	machine_file_clear(&m);
}

Test(machine_file, refuses_with_file_and_line)
{
	static const struct {
		const char *text, *start, *word;
	} cases[] = {
		{ "", "f:", "summary" },
		{ NEEDED "blocks = 0\n", "f:6:", "number" },
		{ NEEDED "blocks = 1001\n", "f:", "at most 1000" },
		{ NEEDED "blocks = 6 7\n", "f:6:", "number" },
		{ NEEDED "budget = 6\n", "f:6:", "time" },
		{ NEEDED "budget = 0h\n", "f:6:", "time" },
		{ NEEDED "boot = grub\n", "f:6:", "twice" },
		{ "boot = floppy\n", "f:1:", "kexec, efi or grub" },
		{ "but = grub\n", "f:1:", "unknown key" },
		{ NEEDED "suite =\n", "f:6:", "empty" },
		{ NEEDED "suite\n", "f:6:", "key = value" },
		{ NEEDED "sysctl = vm.swappiness\n", "f:", "NAME=VALUE" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine_file m;
		struct err err = { "" };

		cr_expect_eq(machine_file_parse("m", "f", cases[i].text, &m, &err), -EINVAL,
			"%zu", i);
		cr_expect_eq(strncmp(err.text, cases[i].start, strlen(cases[i].start)), 0,
			"%zu: %s", i, err.text);
		cr_expect(strstr(err.text, cases[i].word), "%zu: %s", i, err.text);
	}
}

Test(machine_file, an_arm_keeps_the_machines_words_and_says_who_it_is)
{
	struct night_image image = { .cmdline = (char *)"batched_unmap_tlb_flush=0" };
	struct machine_file m;
	struct err err = { "" };
	char *line, *found;

	cr_assert_eq(
		machine_file_parse("m", "f", NEEDED "cmdline = nosmt quiet\n", &m, &err), 0,
		"%s", err.text);
	line = night_command_line("BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet initrd=x "
				  "shootdown.night=2026-11-29 shootdown.arm=tonight",
		"# a comment\npanic=10\noops=panic\n", &m, &image, "2026-11-30", ARM_BASE);
	cr_expect_str_eq(line,
		"root=/dev/sda1 quiet panic=10 oops=panic nosmt batched_unmap_tlb_flush=0 "
		"shootdown.night=2026-11-30 shootdown.arm=reference");
	found = night_find_word(line, "shootdown.arm");
	cr_expect_str_eq(found, "reference");
	cr_expect_null(night_find_word(line, "shootdown"));
	free(found);
	free(line);
	machine_file_clear(&m);
}

Test(machine_file, is_changed_line_by_line)
{
	static const struct {
		const char *text, *changes, *result;
	} cases[] = {
		{ "", "a = 1\n", "a = 1\n" },
		{ "a = 1\n", "", "a = 1\n" },
		{ "a = 1\nb = 2\nc = 3\n", "b = 4\n", "a = 1\nc = 3\nb = 4\n" },
		{ "a = 1\n  b\t=2\r\nbb = 3\n#b = 5\n", "b = 4\n",
			"a = 1\nbb = 3\n#b = 5\nb = 4\n" },
		{ "b = 1\nb = 2", "b = 3\nc = 4\n", "b = 3\nc = 4\n" },
		{ "a = 1", "b = x = y\n", "a = 1\nb = x = y\n" },
		{ "a = 1\nb = 2\n", "a =\nc = \n", "b = 2\n" },
		{ "= 1\n=\nno key\n", "= 2\n", "= 1\n=\nno key\n= 2\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *is = machine_file_change(cases[i].text, cases[i].changes);

		cr_expect_str_eq(is, cases[i].result, "%zu", i);
		free(is);
	}
}

Test(machine_file, workloads_go_in_place_of_a_suite)
{
	struct machine_file m;
	struct err err = { "" };

	cr_assert_eq(machine_file_parse("m", "f",
			     NEEDED "workloads = swap:size=1M  migrate\n", &m, &err),
		0, "%s", err.text);
	cr_assert_eq(m.workloads.count, 2);
	cr_expect_str_eq(m.workloads.items[1], "migrate");
	machine_file_clear(&m);
	cr_expect_eq(machine_file_parse(
			     "m", "f", NEEDED "suite = full\nworkloads = swap\n", &m, &err),
		-EINVAL);
	cr_expect(strstr(err.text, "one of them"), "%s", err.text);
}
