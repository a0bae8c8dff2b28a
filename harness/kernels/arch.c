// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/arch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"

static const struct kernel_arch archs[] = {
	{ "x86_64", "x86_64", "x86_64-linux-gnu-", "gcc-x86-64-linux-gnu", "bzImage",
		"arch/x86/boot/bzImage", 2050 },
};

int kernel_arch_find(const char *name, const struct kernel_arch **ret, struct err *err)
{
	char *known = mem_text("");

	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		char *more = mem_format("%s%s%s", known, i ? ", " : "", archs[i].name);

		free(known);
		known = more;
		if (strcmp(archs[i].name, name) == 0) {
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

const char *kernel_arch_prefix(const struct kernel_arch *arch)
{
	struct utsname machine;

	uname(&machine);
	return strcmp(machine.machine, arch->name) == 0 ? "" : arch->cross;
}
