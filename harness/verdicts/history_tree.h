/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a folder tree of nightly results; results/README.md describes it. */
#ifndef VERDICTS_HISTORY_TREE_H
#define VERDICTS_HISTORY_TREE_H

#include "verdicts/history.h"

/*
 * folder/MACHINE/DATE/{reference,tonight}[-confirm].json and folder/decisions.jsonl
 * into a history that is not judged yet. today: in days since 1970; later nights
 * cannot be. What cannot be read is noted and left out: one torn file does not
 * hide the other nights. 0, or -errno and why: the folder itself is not there,
 * or holds no machine.
 */
int history_load(const char *folder, long today, const struct series_rules *rules,
	struct history *ret, struct err *err);

#endif
