/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one user of liburing: reads of a registered file into registered buffers. */
#ifndef BENCH_URING_H
#define BENCH_URING_H

#include <stddef.h>
#include <stdint.h>

#define URING_DEPTH_MAX 256

struct uring;

/*
 * depth reads of at most block bytes may be under way, from 1 to
 * URING_DEPTH_MAX. -EPERM or -ENOSYS where io_uring is not to be had, -ENOMEM
 * also beyond RLIMIT_MEMLOCK (before Linux 5.12).
 */
int uring_open(unsigned int depth, size_t block, int fd, struct uring **ret);
void uring_close(struct uring *u); /* accepts NULL */

/*
 * Reads these bytes of the file; calls use() with each part, in any order, at
 * being where it starts in the file. -EIO where the file ends before.
 */
int uring_read(struct uring *u, uint64_t offset, uint64_t bytes,
	void (*use)(void *arg, const unsigned char *data, size_t bytes, uint64_t at),
	void *arg);

#endif
