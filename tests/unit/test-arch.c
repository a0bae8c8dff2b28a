// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/data.h"
#include "base/mem.h"
#include "boots/qemu.h"
#include "kernels/arch.h"

static const char *const names[] = { "x86_64", "arm64", "riscv64", "ppc64le" };
#define N_NAMES (sizeof(names) / sizeof(names[0]))

Test(arch, has_all_that_a_guest_needs)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		const struct kernel_arch *arch;
		const struct qemu_machine *machine;
		char *fragment = mem_format("kconfigs/%s.config", names[i]), *path;

		cr_assert_eq(kernel_arch_find(names[i], &arch, NULL), 0);
		cr_assert_str_eq(arch->name, names[i]);
		cr_assert_eq(data_path(fragment, &path), 0, "%s", fragment);
		free(path);
		free(fragment);
		for (size_t k = 1; arch->pages_kib[k]; k++) {
			fragment = mem_format(
				"kconfigs/%s-%uk.config", names[i], arch->pages_kib[k]);
			cr_assert_eq(data_path(fragment, &path), 0, "%s", fragment);
			free(path);
			free(fragment);
		}
		machine = qemu_find_machine(names[i]);
		cr_assert_not_null(machine);
		cr_assert_str_eq(machine->host, arch->machine);
	}
}

Test(arch, is_found_by_both_its_names)
{
	const struct kernel_arch *arch = NULL;
	struct utsname machine;
	struct err err;

	cr_assert_eq(kernel_arch_find("aarch64", &arch, NULL), 0);
	cr_assert_str_eq(arch->name, "arm64");
	uname(&machine);
	for (size_t i = 0; i < N_NAMES; i++) {
		bool native;

		cr_assert_eq(kernel_arch_find(names[i], &arch, NULL), 0);
		native = strcmp(arch->machine, machine.machine) == 0;
		cr_assert_eq(kernel_arch_is_native(arch), native);
		cr_assert_str_eq(kernel_arch_prefix(arch), native ? "" : arch->cross);
	}
	arch = NULL;
	cr_assert_eq(kernel_arch_find("vax", &arch, &err), -EINVAL);
	cr_assert_null(arch);
	for (size_t i = 0; i < N_NAMES; i++)
		cr_assert(strstr(err.text, names[i]), "%s", err.text);
}

Test(arch, has_the_pages_that_it_has)
{
	static const struct {
		const char *arch, *pages;
		unsigned int kib; /* 0: refused */
	} cases[] = {
		{ "x86_64", NULL, 4 },
		{ "x86_64", "4K", 4 },
		{ "x86_64", "64K", 0 },
		{ "arm64", NULL, 4 },
		{ "arm64", "16K", 16 },
		{ "arm64", "64K", 64 },
		{ "arm64", "8K", 0 },
		{ "arm64", "64", 0 },
		{ "arm64", "", 0 },
		{ "riscv64", "16K", 0 },
		{ "ppc64le", NULL, 64 },
		{ "ppc64le", "4K", 4 },
		{ "ppc64le", "16K", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct kernel_arch *arch;
		unsigned int kib = 0;
		struct err err = { "" };
		int ret;

		cr_assert_eq(kernel_arch_find(cases[i].arch, &arch, NULL), 0);
		ret = kernel_arch_pages(arch, cases[i].pages, &kib, &err);
		cr_assert_eq(ret, cases[i].kib ? 0 : -EINVAL, "case %zu", i);
		cr_assert_eq(kib, cases[i].kib, "case %zu", i);
		if (ret < 0)
			cr_assert(strstr(err.text, "4K"), "%s", err.text);
	}
}
