/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `shootdown run` does with a record: the table, the file, the comparison. */
#ifndef COMMANDS_RUN_OUTPUT_H
#define COMMANDS_RUN_OUTPUT_H

#include "base/err.h"
#include "verdicts/record.h"

/* Before anything is measured: can output be written? NULL is no output. */
int run_output_check(const char *output, struct err *err);

/* Prints, and returns the exit code. output: a file, a folder, or NULL. */
int run_output(const struct record *record, const char *output);

#endif
