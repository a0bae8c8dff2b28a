/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 of texts and files, for caches addressed by content. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>

#define DIGEST_CHARS 64 /* lower-case hexadecimal; a NUL follows */

struct digest;

struct digest *digest_new(void);
void digest_add(struct digest *d, const void *data, size_t bytes);

/* With a NUL at its end, so that ("ab", "c") and ("a", "bc") differ. */
void digest_add_text(struct digest *d, const char *text);

/* The content of a file. 0 or -errno; then the digest is of no use. */
int digest_add_file(struct digest *d, const char *path);

/* Frees d; returns the digest, freed by the caller. */
char *digest_finish(struct digest *d);

#endif
