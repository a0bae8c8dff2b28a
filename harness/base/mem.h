/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for bookkeeping: a few kilobytes that the program cannot go on
 * without. These never return NULL; they abort() when there is none, so that
 * their callers have no path that was never tried. Memory whose size comes
 * from the user or from a file is asked for with malloc() and checked.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_zeroed(size_t count, size_t bytes);            /* calloc */
void *mem_resize(void *old, size_t count, size_t bytes); /* reallocarray */
char *mem_text(const char *text);                        /* strdup; NULL stays NULL */
char *mem_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
