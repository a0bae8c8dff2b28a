/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What standard output is. */
#ifndef COMMANDS_TERMINAL_H
#define COMMANDS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Its columns; 0 where it is no terminal: then text is as wide as it is. */
size_t terminal_width(void);

/* A terminal that understands colour, and NO_COLOR (no-color.org) is not set. */
bool terminal_color(void);

#endif
