// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/watch.h"

#include <stddef.h>

void kernel_tell(const struct kernel_watch *watch, enum kernel_stage stage,
	unsigned int done, unsigned int expected)
{
	if (watch && watch->progress)
		watch->progress(watch->context, stage, done, expected);
}

const volatile sig_atomic_t *kernel_stop_flag(const struct kernel_watch *watch)
{
	return watch ? watch->stop : NULL;
}
