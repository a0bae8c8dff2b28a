/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The architectures that kernels are built for: one row each. */
#ifndef KERNELS_ARCH_H
#define KERNELS_ARCH_H

#include <stdbool.h>

#include "base/err.h"

struct kernel_arch {
	const char *name;        /* as --arch takes, and files are named */
	const char *machine;     /* as uname -m says; --arch takes it as well */
	const char *kernel_arch; /* ARCH= of the kernel's Makefile */
	const char *cross;       /* CROSS_COMPILE= from another machine */
	const char *package;     /* Debian's, of that compiler */
	const char *target;      /* what make is asked for */
	const char *image;       /* made by it, relative to the build folder */
	/* Sizes of a page, the default first, ended by 0. Another has a fragment. */
	unsigned int pages_kib[4];
	/*
	 * Lines that a build of the project's own configuration prints, for
	 * the progress of the first; later ones use the count of the last.
	 */
	unsigned int steps;
};

/* -EINVAL: not in the table; the line names those that are. */
int kernel_arch_find(const char *name, const struct kernel_arch **ret, struct err *err);

/* Whether it is this machine's. */
bool kernel_arch_is_native(const struct kernel_arch *arch);

/* CROSS_COMPILE for a build on this machine: "" where none is needed. */
const char *kernel_arch_prefix(const struct kernel_arch *arch);

/* "64K" as --pages has it; NULL: the default. -EINVAL: the line names what there is. */
int kernel_arch_pages(const struct kernel_arch *arch, const char *text,
	unsigned int *ret_kib, struct err *err);

#endif
