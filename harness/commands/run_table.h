/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_TABLE_H
#define COMMANDS_RUN_TABLE_H

#include "verdicts/record.h"

/*
 * The table at the end of `shootdown run`: a row for each workload, and below
 * it what was skipped or failed, why, and what to do.
 */
void run_table_print(const struct record *record);

#endif
