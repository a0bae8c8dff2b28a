// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/metal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/process.h"

static int run(const char *const *argv, struct err *err)
{
	const struct process_spec spec = { .argv = argv };

	return process_run(&spec, NULL, err);
}

/* What a program says, freed by the caller; its first line is the error's. */
static int ask(const char *const *argv, char **ret, struct err *err)
{
	const struct process_spec spec = { .argv = argv };
	char *said;
	const int code = process_capture(&spec, &said, err);

	if (code == 0) {
		*ret = said;
	} else if (code == -ECHILD) {
		err_set(err, code, "%s: %.*s", argv[0], (int)strcspn(said, "\n"), said);
		free(said);
	}
	return code;
}

static bool is_hex(const char *at)
{
	for (int i = 0; i < 4; i++)
		if (!isxdigit((unsigned char)at[i]))
			return false;
	return true;
}

/* "Boot0003* LABEL", then the end or a tab with the device path. */
static bool is_entry(const char *line, const char *label)
{
	const size_t length = strlen(label);

	return strncmp(line, "Boot", 4) == 0 && is_hex(line + 4) &&
	       (line[8] == '*' || line[8] == ' ') && line[9] == ' ' &&
	       strncmp(line + 10, label, length) == 0 &&
	       (line[10 + length] == '\0' || line[10 + length] == '\t' ||
		       line[10 + length] == '\n');
}

int metal_find_entry(const char *output, const char *label, char ret_number[5])
{
	char number[5] = "";

	for (const char *line = output; *line;) {
		const char *end = line + strcspn(line, "\n");

		if (is_entry(line, label)) {
			if (*number)
				return -EEXIST;
			memcpy(number, line + 4, 4);
		}
		line = *end ? end + 1 : end;
	}
	if (!*number)
		return -ENOENT;
	memcpy(ret_number, number, sizeof(number));
	return 0;
}

static int load_kexec(const struct metal_kernel *k, struct err *err)
{
	int kernel = open(k->image, O_RDONLY | O_CLOEXEC), initrd, code = 0;

	if (kernel < 0)
		return err_set(err, -errno, "%s: %m", k->image);
	initrd = open(k->initrd, O_RDONLY | O_CLOEXEC);
	if (initrd < 0) {
		code = err_set(err, -errno, "%s: %m", k->initrd);
	} else {
		if (syscall(SYS_kexec_file_load, kernel, initrd,
			    strlen(k->command_line) + 1, k->command_line, 0UL) < 0)
			code = err_set(err, -errno,
				"kexec_file_load %s: %m: the running kernel needs "
				"CONFIG_KEXEC_FILE, and root",
				k->image);
		close(initrd);
	}
	close(kernel);
	return code;
}

static int prepare_efi(const char *label, struct err *err)
{
	const char *const list[] = { "efibootmgr", NULL };
	char number[5], *output;
	const char *const once[] = { "efibootmgr", "--quiet", "--bootnext", number, NULL };
	int code = ask(list, &output, err);

	if (code < 0)
		return code;
	code = metal_find_entry(output, label, number);
	free(output);
	if (code < 0)
		return err_set(err, code, "efibootmgr lists %s entry \"%s\": %s",
			code == -ENOENT ? "no" : "more than one", label,
			"docs/nightly.md tells how to make one");
	return run(once, err);
}

static int prepare_grub(const char *label, struct err *err)
{
	const char *const once[] = { "grub-reboot", label, NULL };
	const char *const list[] = { "grub-editenv", "list", NULL };
	char *output, *wanted;
	int code = run(once, err);

	if (code == 0)
		code = ask(list, &output, err);
	if (code < 0)
		return code;
	/* Where /boot is on LVM or btrfs, GRUB could not take it back: refuse. */
	wanted = mem_format("next_entry=%s", label);
	if (!strstr(output, wanted))
		code = err_set(err, -EIO,
			"grub-reboot %s has left no next_entry in GRUB's environment",
			label);
	free(wanted);
	free(output);
	return code;
}

int metal_prepare(enum boot_way way, const struct metal_kernel *kernel, struct err *err)
{
	switch (way) {
	case BOOT_KEXEC:
		return load_kexec(kernel, err);
	case BOOT_EFI:
		return prepare_efi(kernel->label, err);
	case BOOT_GRUB:
		return prepare_grub(kernel->label, err);
	}
	return -EINVAL;
}

static int leave(const char *verb, int how, struct err *err)
{
	const char *const argv[] = { "systemctl", verb, NULL };

	if (access("/run/systemd/system", F_OK) == 0)
		return run(argv, err);
	sync();
	reboot(how);
	return err_set(err, -errno, "reboot: %m");
}

int metal_jump(enum boot_way way, struct err *err)
{
	return way == BOOT_KEXEC ? leave("kexec", RB_KEXEC, err)
				 : leave("reboot", RB_AUTOBOOT, err);
}

int metal_return(struct err *err)
{
	return leave("reboot", RB_AUTOBOOT, err);
}
