/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which result file a user means by a path. */
#ifndef VERDICTS_RECORD_FIND_H
#define VERDICTS_RECORD_FIND_H

#include "base/err.h"

/*
 * The newest *.json of a folder (by its time, then its name), or path itself.
 * 0, or -ENOENT for a folder without one. *ret is freed by the caller.
 */
int record_find(const char *path, char **ret, struct err *err);

#endif
