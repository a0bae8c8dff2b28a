/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layers of an initramfs: cpio archives (newc) that the kernel unpacks one
 * after the other. The same content gives the same bytes: sorted, all owned by
 * root, no time stamps. The one user of libarchive.
 */
#ifndef KERNELS_INITRAMFS_H
#define KERNELS_INITRAMFS_H

#include <stddef.h>

#include "base/err.h"

struct layer;

struct layer *layer_new(void);
void layer_free(struct layer *l); /* accepts NULL */

/*
 * Paths within the guest start with a slash; folders above them are made. The
 * same path twice with the same content is one file; with another, -EEXIST.
 */
int layer_add_data(struct layer *l, const char *path, const char *data, size_t bytes,
	unsigned int mode, struct err *err);
int layer_add_file(struct layer *l, const char *path, const char *from, struct err *err);
/* Each regular file below the folder from, at the same place below path. */
int layer_add_folder(struct layer *l, const char *path, const char *from, struct err *err);

/*
 * A program, its loader, and all the shared libraries that it needs: those of
 * this machine, or, where root is not "", those below that folder. -ENOENT
 * names the library that was not found, and who needs it.
 */
int layer_add_program(struct layer *l, const char *path, const char *from, const char *root,
	struct err *err);

/* The archive, freed by the caller; its size is a multiple of 512. */
int layer_encode(const struct layer *l, char **ret, size_t *ret_bytes, struct err *err);

#endif
