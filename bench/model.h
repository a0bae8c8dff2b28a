/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Models that are read: files of the user's, or made for a run and gone with it. */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include "common.h"
#include "gguf.h"

struct model {
	int fd; /* for reading; nothing of the file is in use otherwise */
	uint64_t file_bytes;
	struct gguf gguf;
	uint64_t *sums; /* model_sum() of each tensor */
};

/*
 * A GGUF file, which is read once for its sums. -EINVAL with the place that is
 * wrong, also for what is no file (a FIFO is not waited for); or -errno.
 */
int model_open(struct bench *b, const char *path, struct model *ret);

/*
 * A model whose tensors take bytes, as gguf_compose() has them, in a file
 * without a name that is on its disk when this returns. Another index gives
 * another content. -EOPNOTSUPP with the reason where there is no room.
 */
int model_make(struct bench *b, uint64_t bytes, unsigned int index, struct model *ret);

/*
 * Bytes that the kernel may read ahead of a reader of the file, by its disk;
 * root is that of /sys. What is unknown is Linux's default.
 */
uint64_t model_read_ahead(const struct model *m, const char *root);

void model_close(struct model *m); /* accepts a zeroed one */

/*
 * The sum of a tensor's bytes taken as 64-bit little-endian numbers, the last
 * filled up with zeros, modulo 2^64; data is the part that starts at byte at of
 * it, and sums of parts add up.
 */
uint64_t model_sum(const unsigned char *data, uint64_t bytes, uint64_t at);

#endif
