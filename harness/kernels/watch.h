/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a long job tells what it does, and is told to stop. */
#ifndef KERNELS_WATCH_H
#define KERNELS_WATCH_H

#include <signal.h>

enum kernel_stage {
	STAGE_WAITING,   /* for another process that makes the same */
	STAGE_HASHING,   /* the source, to know it by its content */
	STAGE_UNPACKING, /* the source into the cache */
	STAGE_PATCHING,
	STAGE_CONFIGURING,
	STAGE_COMPILING,
};

struct kernel_watch {
	/*
	 * Called when a stage begins, and with each step of it. expected 0: not
	 * known. An expectation from an earlier build, which done may exceed.
	 */
	void (*progress)(void *context, enum kernel_stage stage, unsigned int done,
		unsigned int expected);
	void *context;
	const volatile sig_atomic_t *stop; /* NULL: nothing stops it */
};

/* NULL stands for a watch that neither listens nor stops. */
void kernel_tell(const struct kernel_watch *watch, enum kernel_stage stage,
	unsigned int done, unsigned int expected);
const volatile sig_atomic_t *kernel_stop_flag(const struct kernel_watch *watch);

#endif
