/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_DELIVER_H
#define COMMANDS_DELIVER_H

#include "base/err.h"

/* To a file, whole or not at all; path NULL: to standard output. 0, or -errno and why. */
int deliver(const char *path, const char *text, struct err *err);

#endif
