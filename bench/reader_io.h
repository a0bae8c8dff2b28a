/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How one thread of a reader gets at its rows: mapped, by pread, or by io_uring. */
#ifndef BENCH_READER_IO_H
#define BENCH_READER_IO_H

#include "model.h"

enum reader_how { READER_MMAP, READER_PREAD, READER_URING };
extern const char *const reader_hows[]; /* for PARAM_CHOICE */

/* Bytes that one read asks for, with pread and io_uring. */
#define READER_BLOCK ((size_t)64 << 10)

struct reader_io;

/*
 * map: the whole model, for READER_MMAP. depth: reads under way, for
 * READER_URING. -errno as malloc() or uring_open().
 */
int reader_io_open(const struct model *m, enum reader_how how, const unsigned char *map,
	unsigned int depth, struct reader_io **ret);
void reader_io_close(struct reader_io *io); /* accepts NULL */

/*
 * Adds up bytes of the tensor from byte at of it on, as model_sum(): into
 * *ret_sum, and 0 or -errno.
 */
int reader_io_sum(struct reader_io *io, const struct gguf_tensor *t, uint64_t at,
	uint64_t bytes, uint64_t *ret_sum);

#endif
