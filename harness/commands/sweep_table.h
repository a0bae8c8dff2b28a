/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_SWEEP_TABLE_H
#define COMMANDS_SWEEP_TABLE_H

#include "verdicts/curve.h"

/* A row for each point, the crossover, and why points have no value. */
void sweep_table_print(const struct curve *c, const struct curve_names *names);

#endif
