// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/arch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"

static const struct kernel_arch archs[] = {
	{
		.name = "x86_64",
		.machine = "x86_64",
		.kernel_arch = "x86_64",
		.cross = "x86_64-linux-gnu-",
		.package = "gcc-x86-64-linux-gnu",
		.target = "bzImage",
		.image = "arch/x86/boot/bzImage",
		.pages_kib = { 4 },
		.steps = 2050,
	},
	{
		.name = "arm64",
		.machine = "aarch64",
		.kernel_arch = "arm64",
		.cross = "aarch64-linux-gnu-",
		.package = "gcc-aarch64-linux-gnu",
		.target = "Image",
		.image = "arch/arm64/boot/Image",
		.pages_kib = { 4, 16, 64 },
		.steps = 2050,
	},
	{
		.name = "riscv64",
		.machine = "riscv64",
		.kernel_arch = "riscv",
		.cross = "riscv64-linux-gnu-",
		.package = "gcc-riscv64-linux-gnu",
		.target = "Image",
		.image = "arch/riscv/boot/Image",
		.pages_kib = { 4 },
		.steps = 2050,
	},
	{
		.name = "ppc64le",
		.machine = "ppc64le",
		.kernel_arch = "powerpc",
		.cross = "powerpc64le-linux-gnu-",
		.package = "gcc-powerpc64le-linux-gnu",
		/* The boot wrapper's only gain is compression, paid by an emulated CPU. */
		.target = "vmlinux",
		.image = "vmlinux",
		.pages_kib = { 64, 4 },
		.steps = 2050,
	},
};

int kernel_arch_find(const char *name, const struct kernel_arch **ret, struct err *err)
{
	char *known = mem_text("");

	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		char *more = mem_format("%s%s%s", known, i ? ", " : "", archs[i].name);

		free(known);
		known = more;
		if (strcmp(archs[i].name, name) == 0 ||
			strcmp(archs[i].machine, name) == 0) {
			free(known);
			*ret = &archs[i];
			return 0;
		}
	}
	err_set(err, -EINVAL,
		"%s: kernels are not built for this architecture; only for %s", name,
		known);
	free(known);
	return -EINVAL;
}

bool kernel_arch_is_native(const struct kernel_arch *arch)
{
	struct utsname machine;

	uname(&machine);
	return strcmp(machine.machine, arch->machine) == 0;
}

const char *kernel_arch_prefix(const struct kernel_arch *arch)
{
	return kernel_arch_is_native(arch) ? "" : arch->cross;
}

int kernel_arch_pages(const struct kernel_arch *arch, const char *text,
	unsigned int *ret_kib, struct err *err)
{
	char *known = mem_text("");
	bool found = !text;

	for (size_t i = 0; arch->pages_kib[i] && !found; i++) {
		char *name = mem_format("%uK", arch->pages_kib[i]);
		char *more = mem_format("%s%s%s", known, i ? ", " : "", name);

		if (strcmp(name, text) == 0) {
			*ret_kib = arch->pages_kib[i];
			found = true;
		}
		free(known);
		free(name);
		known = more;
	}
	if (!text)
		*ret_kib = arch->pages_kib[0];
	if (!found)
		err_set(err, -EINVAL, "--pages=%s: %s has pages of %s", text, arch->name,
			known);
	free(known);
	return found ? 0 : -EINVAL;
}
