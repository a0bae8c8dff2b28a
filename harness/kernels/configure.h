/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From fragments to a .config that has every line of them. */
#ifndef KERNELS_CONFIGURE_H
#define KERNELS_CONFIGURE_H

#include "base/err.h"
#include "kernels/arch.h"
#include "kernels/variant.h"
#include "kernels/watch.h"

/* One call of the kernel's make; words end with NULL. Output goes to log. */
struct kernel_make {
	const char *tree, *objects, *log;
	const struct kernel_arch *arch;
	const struct kernel_watch *watch;
	void (*on_line)(void *context, const char *line);
	void *context;
};
int kernel_make_run(
	const struct kernel_make *make, const char *const *words, struct err *err);

/*
 * Puts the fragments over tinyconfig with the kernel's own merge_config.sh,
 * lets olddefconfig complete it, and looks every line up in the result. A line
 * of an earlier fragment that a later one changes need not be met.
 * -EBADMSG: a line did not take; the text names fragment, line, symbol and
 * what Kconfig says that it needs.
 */
int kernel_configure(
	const struct kernel_make *make, const struct words *fragments, struct err *err);

#endif
