/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean": pure. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/*
 * The index of the candidate that takes the fewest insertions, deletions,
 * replacements or swaps of neighbours (optimal string alignment) to become
 * word, if these are at most a third of its length plus one; else -1.
 */
int nearest(const char *word, const char *const *candidates, size_t count);

#endif
