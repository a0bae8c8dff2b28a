/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files in, whole files out. Every function returns 0 or -errno. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/*
 * Reads a file in one pass from its start, of any length: files of /proc have
 * no size and must not be read at an offset. *ret_text is NUL-terminated
 * (*ret_bytes does not count that NUL; may be NULL) and freed by the caller.
 * dir is put before path (a recorded machine's root, "" for this machine).
 * -EISDIR for a directory, -EFBIG beyond 1 GiB.
 */
int file_read(const char *dir, const char *path, char **ret_text, size_t *ret_bytes);

/*
 * As file_read, with blanks and newlines at the end cut off: for the
 * one-value files of /sys.
 */
int file_read_line(const char *dir, const char *path, char **ret_text);

/*
 * Puts data into path as a whole or not at all: a temporary name in the same
 * directory, fsync, rename. A failure leaves an existing file as it was. What
 * is no file (a pipe, anything in /dev) is written to, and stays.
 */
int file_replace(const char *path, const char *data, size_t bytes);

/* Writes text to an existing file in one write(2), as /sys and /proc want it. */
int file_poke(const char *path, const char *text);

/* Makes a directory and its parents (mode 0755); an existing one is no error. */
int file_make_dirs(const char *path);

#endif
