/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The architectures that kernels are built for: one row each. */
#ifndef KERNELS_ARCH_H
#define KERNELS_ARCH_H

#include "base/err.h"

struct kernel_arch {
	const char *name;        /* as uname -m says, and --arch takes */
	const char *kernel_arch; /* ARCH= of the kernel's Makefile */
	const char *cross;       /* CROSS_COMPILE= from another machine */
	const char *package;     /* Debian's, of that compiler */
	const char *target;      /* what make is asked for */
	const char *image;       /* made by it, relative to the build folder */
	/*
	 * Lines that a build of the project's own configuration prints, for
	 * the progress of the first; later ones use the count of the last.
	 */
	unsigned int steps;
};

/* -EINVAL: not in the table; the line names those that are. */
int kernel_arch_find(const char *name, const struct kernel_arch **ret, struct err *err);

/* CROSS_COMPILE for a build on this machine: "" where none is needed. */
const char *kernel_arch_prefix(const struct kernel_arch *arch);

#endif
