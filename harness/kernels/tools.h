/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that a kernel build calls. */
#ifndef KERNELS_TOOLS_H
#define KERNELS_TOOLS_H

#include "base/err.h"
#include "kernels/arch.h"

/* -ENOENT: names every one that is missing, with its package. */
int kernel_tools_check(const struct kernel_arch *arch, struct err *err);

/*
 * First lines of what compiler and linker say of their version, joined; freed
 * by the caller. -ENOENT: one is missing.
 */
int kernel_tools_version(const struct kernel_arch *arch, char **ret, struct err *err);

#endif
