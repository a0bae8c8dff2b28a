/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One-value files of /proc and /sys. */
#ifndef MEASURE_SETTING_H
#define MEASURE_SETTING_H

/* "always [madvise] never" is "madvise", anything else itself; freed by the caller. */
char *setting_chosen(const char *text);

/* Reads such a file below root ("" for this machine). 0 or -errno. */
int setting_read(const char *root, const char *path, char **ret_value);

#endif
