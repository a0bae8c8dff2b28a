/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Booting a real machine into a kernel once. The default kernel is never
 * changed: whatever happens to the one that is booted, a reset brings the
 * default one back.
 */
#ifndef NIGHTS_METAL_H
#define NIGHTS_METAL_H

#include "base/err.h"
#include "nights/machine_file.h"

/* What is booted. For BOOT_EFI and BOOT_GRUB only the label counts. */
struct metal_kernel {
	const char *image, *initrd; /* paths */
	const char *command_line;   /* whole */
	/*
	 * Of a boot entry that exists: an EFI variable's description, or the
	 * title of an entry of GRUB's.
	 */
	const char *label;
};

/*
 * Makes the next boot, and only that one, that of this kernel; nothing is
 * booted yet. -ENOENT: no such entry, or the program that would do it is not
 * installed; both are named.
 */
int metal_prepare(enum boot_way way, const struct metal_kernel *kernel, struct err *err);

/*
 * Boots it: in good order by systemd where that runs, at once where it does
 * not. Returns on failure only; under systemd also with 0, and then this
 * process will be ended soon.
 */
int metal_jump(enum boot_way way, struct err *err);

/* Resets to the default kernel; likewise. */
int metal_return(struct err *err);

/*
 * The number of the boot entry with this description in the output of
 * efibootmgr(8) ("Boot0003* shootdown-tonight\t..."), four characters and a
 * NUL. -ENOENT: none; -EEXIST: several. Pure.
 */
int metal_find_entry(const char *output, const char *label, char ret_number[5]);

#endif
