/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run will take, in words. */
#ifndef COMMANDS_COST_H
#define COMMANDS_COST_H

#include "measure/session.h"

/* "9 workloads, about 1 min 20 s, 2 MiB of memory, 1 MiB of swap"; freed by the caller. */
char *cost_text(const struct session_cost *cost);

#endif
