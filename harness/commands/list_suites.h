/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_LIST_SUITES_H
#define COMMANDS_LIST_SUITES_H

#include <stdbool.h>

/* Prints the suites and what each takes here. Returns an exit code. */
int list_suites(bool json);

#endif
