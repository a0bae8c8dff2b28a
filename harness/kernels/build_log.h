/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of a kernel build. Pure. */
#ifndef KERNELS_BUILD_LOG_H
#define KERNELS_BUILD_LOG_H

#include <stdbool.h>

/*
 * The first error, as "mm/rmap.c:731: 'x' undeclared" where file and line are
 * known, with tree (the source's folder) cut off; or else what make gave up
 * on. NULL where there is none; freed by the caller.
 */
char *build_log_first_error(const char *log, const char *tree);

/* Whether a line tells of one step done: "  CC      mm/rmap.o". */
bool build_log_is_step(const char *line);

#endif
