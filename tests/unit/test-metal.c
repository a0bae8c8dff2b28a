// SPDX-License-Identifier: GPL-2.0-or-later
/* Booting once, with programs in place of those that talk to firmware and GRUB. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/metal.h"
#include "nights/watchdog.h"
#include "tests/guest/scratch.h"

/* As efibootmgr 17 (Debian 12) prints them, with and without device paths. */
Test(metal, finds_the_one_boot_entry)
{
	static const char output[] =
		"BootCurrent: 0001\nTimeout: 1 seconds\nBootOrder: 0001,0000\n"
		"Boot0000* Shell\n"
		"Boot0001* debian\tHD(1,GPT,0fc6)/File(\\EFI\\debian\\shimaa64.efi)\n"
		"Boot000A* shootdown-tonight\tHD(1,GPT,0fc6)/File(\\EFI\\shootdown\\t.efi)\n"
		"Boot000B  shootdown-reference\n"
		"Boot000C* twice\nBoot000D* twice\n";
	char number[5] = "none";

	cr_expect_eq(metal_find_entry(output, "shootdown-tonight", number), 0);
	cr_expect_str_eq(number, "000A");
	cr_expect_eq(metal_find_entry(output, "shootdown-reference", number), 0);
	cr_expect_str_eq(number, "000B");
	cr_expect_eq(metal_find_entry(output, "shootdown", number), -ENOENT);
	cr_expect_eq(metal_find_entry(output, "twice", number), -EEXIST);
	cr_expect_eq(metal_find_entry("", "debian", number), -ENOENT);
	cr_expect_str_eq(number, "000B");
}

/* A program that notes how it was called, and then runs body. */
static void put_program(const char *name, const char *body)
{
	char *path = mem_format("%s/%s", scratch, name);
	char *text = mem_format(
		"#!/bin/sh\necho \"${0##*/} $*\" >>%s/calls\n%s\n", scratch, body);

	cr_assert_eq(file_replace(path, text, strlen(text)), 0);
	cr_assert_eq(chmod(path, 0755), 0);
	free(text);
	free(path);
}

static char *calls(void)
{
	char *path = mem_format("%s/calls", scratch), *text;

	if (file_read("", path, &text, NULL) < 0)
		text = mem_text("");
	free(path);
	return text;
}

static void set_up(void)
{
	char *path;

	scratch_make();
	path = mem_format("%s:/usr/bin:/bin", scratch);
	setenv("PATH", path, 1);
	free(path);
}

TestSuite(metal_programs, .init = set_up, .fini = scratch_remove);

static void expect_prepare(
	enum boot_way way, int code, const char *word, const char *wanted)
{
	const struct metal_kernel kernel = { .label = "shootdown-tonight" };
	struct err err = { "" };
	char *is;

	cr_expect_eq(metal_prepare(way, &kernel, &err), code, "%s", err.text);
	cr_expect(strstr(err.text, word), "%s", err.text);
	is = calls();
	cr_expect_str_eq(is, wanted);
	free(is);
}

Test(metal_programs, efi_boots_the_entry_next_and_leaves_the_order)
{
	put_program("efibootmgr", "echo BootOrder: 0001,0007\necho 'Boot0001* debian'\n"
				  "echo 'Boot0007* shootdown-tonight'");
	expect_prepare(
		BOOT_EFI, 0, "", "efibootmgr \nefibootmgr --quiet --bootnext 0007\n");
}

Test(metal_programs, efi_without_such_an_entry_changes_nothing)
{
	put_program("efibootmgr", "echo 'Boot0001* debian'");
	expect_prepare(
		BOOT_EFI, -ENOENT, "no entry \"shootdown-tonight\"", "efibootmgr \n");
}

Test(metal_programs, a_machine_without_efi)
{
	put_program("efibootmgr",
		"echo 'EFI variables are not supported on this system.' >&2\nexit 2");
	expect_prepare(BOOT_EFI, -ECHILD, "variables are not supported", "efibootmgr \n");
}

Test(metal_programs, grub_boots_the_entry_once)
{
	put_program("grub-reboot", "");
	put_program(
		"grub-editenv", "echo saved_entry=0\necho next_entry=shootdown-tonight");
	expect_prepare(
		BOOT_GRUB, 0, "", "grub-reboot shootdown-tonight\ngrub-editenv list\n");
}

Test(metal_programs, grub_that_cannot_write_its_environment)
{
	put_program("grub-reboot", "");
	put_program("grub-editenv", "echo saved_entry=0");
	expect_prepare(BOOT_GRUB, -EIO, "no next_entry",
		"grub-reboot shootdown-tonight\ngrub-editenv list\n");
}

Test(metal_programs, grub_that_is_not_installed)
{
	setenv("PATH", scratch, 1);
	expect_prepare(BOOT_GRUB, -ENOENT, "grub-reboot", "");
}

Test(watchdog, none_is_no_error)
{
	int fd = 5;

	cr_expect_eq(watchdog_arm(NULL, 300, &fd, NULL), 0);
	cr_expect_eq(fd, -1);
	watchdog_ping(fd);
	watchdog_disarm(fd);
}

Test(watchdog, what_is_none_is_named)
{
	struct err err = { "" };
	int fd = 5;

	cr_expect_eq(watchdog_arm("/nothing/watchdog", 300, &fd, &err), -ENOENT);
	cr_expect(strstr(err.text, "/nothing/watchdog"), "%s", err.text);
	cr_expect_eq(watchdog_arm("/dev/null", 300, &fd, &err), -ENOTTY);
	cr_expect(strstr(err.text, "300 s"), "%s", err.text);
	cr_expect_eq(fd, 5);
}

Test(watchdog, has_to_outlive_a_kexec, .init = scratch_make, .fini = scratch_remove)
{
	static const struct {
		const char *value;
		int code;
		const char *word;
	} cases[] = {
		{ NULL, -ENOENT, "no watchdog driver" },
		{ "-1\n", -EINVAL, "watchdog.stop_on_reboot=0" },
		{ "1\n", -EINVAL, "watchdog.stop_on_reboot=0" },
		{ "0\n", 0, "" },
	};
	char *folder = mem_format("%s/sys/module/watchdog/parameters", scratch);
	char *path = mem_format("%s/stop_on_reboot", folder);

	cr_assert_eq(file_make_dirs(folder), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { "" };

		if (cases[i].value)
			cr_assert_eq(
				file_replace(path, cases[i].value, strlen(cases[i].value)),
				0);
		cr_expect_eq(watchdog_check_kexec(scratch, &err), cases[i].code, "%zu", i);
		cr_expect(strstr(err.text, cases[i].word), "%s", err.text);
	}
	free(path);
	free(folder);
}
