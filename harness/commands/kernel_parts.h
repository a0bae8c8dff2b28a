/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown kernel share. */
#ifndef COMMANDS_KERNEL_PARTS_H
#define COMMANDS_KERNEL_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/build.h"

struct kernel_arguments {
	const char *action; /* list, fetch, build, show, clean */
	struct words variants;
	const struct kernel_arch *arch;
	const char *pages; /* as given, or NULL */
	unsigned int pages_kib;
	const char *tree, *commit, *patches;
	struct words config;
	unsigned int jobs;
	uint64_t older_than_s;
};

/* Loads the variant, which the caller clears, and plans its image. */
int kernel_plan_named(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct variant *ret_variant,
	struct kernel_plan *ret_plan, struct err *err);

/* Each prints to stdout; -errno with a line where it cannot. */
int kernel_list(const struct kernel_arguments *a, struct err *err);
int kernel_show(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct err *err);

#endif
