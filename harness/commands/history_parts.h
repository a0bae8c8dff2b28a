/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `shootdown history` share. */
#ifndef COMMANDS_HISTORY_PARTS_H
#define COMMANDS_HISTORY_PARTS_H

#include <argp.h>

#include "verdicts/history.h"

/* Prints the line; returns the exit code. */
int history_trouble(const char *line);

/* Loads and judges. 0, or the exit code after a line was printed. */
int history_read(const char *folder, const struct series_rules *rules, struct history *ret);

/* Of --min-effect: one more rule; ends the program where it is none. */
void history_add_effect(
	struct argp_state *state, struct series_rules *rules, const char *text);
void history_clear_effects(struct series_rules *rules);

int history_accept(int argc, char **argv);
int history_anchor(int argc, char **argv);

#endif
