/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a kernel build is, on stderr. */
#ifndef COMMANDS_KERNEL_PROGRESS_H
#define COMMANDS_KERNEL_PROGRESS_H

#include "commands/progress.h"
#include "kernels/watch.h"

struct kernel_progress {
	struct progress progress;
	const char *variant; /* what is being built; set by the caller */
	int stage;           /* enum kernel_stage, or -1 before the first */
};

void kernel_progress_start(struct kernel_progress *p);

/* For struct kernel_watch; context is the struct kernel_progress. */
void kernel_progress_show(
	void *context, enum kernel_stage stage, unsigned int done, unsigned int expected);

#endif
