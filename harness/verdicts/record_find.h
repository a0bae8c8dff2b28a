/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which result file a user means by a path. */
#ifndef VERDICTS_RECORD_FIND_H
#define VERDICTS_RECORD_FIND_H

#include "base/err.h"
#include "verdicts/record.h"

/*
 * The newest *.json of a folder (by its time, then its name), or path itself.
 * 0, -ENOENT for a folder without one, or -EINVAL for one that holds an
 * experiment, which has two. *ret is freed by the caller.
 */
int record_find(const char *path, char **ret, struct err *err);

/*
 * Whether the folder of this result holds results of another machine or set-up
 * among the 20 last by name: 0, or -ESTALE and a line that names one and the key that
 * differs. What is no result is passed over.
 */
int record_find_others(const char *file, const struct record *r, struct err *err);

#endif
