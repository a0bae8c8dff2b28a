// SPDX-License-Identifier: GPL-2.0-or-later
#include "uring.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

struct part {
	uint64_t at; /* in the file */
	size_t bytes, done;
};

struct uring {
	struct io_uring ring;
	unsigned int depth;
	size_t block;
	unsigned char *buffers; /* depth of them */
	struct part parts[URING_DEPTH_MAX];
};

static int register_all(struct uring *u, int fd)
{
	struct iovec iovecs[URING_DEPTH_MAX];
	int ret;

	for (unsigned int i = 0; i < u->depth; i++)
		iovecs[i] = (struct iovec){ u->buffers + i * u->block, u->block };
	ret = io_uring_register_buffers(&u->ring, iovecs, u->depth);
	return ret < 0 ? ret : io_uring_register_files(&u->ring, &fd, 1);
}

int uring_open(unsigned int depth, size_t block, int fd, struct uring **ret)
{
	struct uring *u = calloc(1, sizeof(*u));
	int status;

	if (!u)
		return -ENOMEM;
	status = io_uring_queue_init(depth, &u->ring, 0);
	if (status < 0) {
		free(u);
		return status;
	}
	u->depth = depth;
	u->block = block;
	u->buffers = malloc(depth * block);
	status = u->buffers ? register_all(u, fd) : -ENOMEM;
	if (status < 0) {
		uring_close(u);
		return status;
	}
	*ret = u;
	return 0;
}

void uring_close(struct uring *u)
{
	if (!u)
		return;
	io_uring_queue_exit(&u->ring);
	free(u->buffers);
	free(u);
}

/* The rest of a part, which at first is all of it. */
static void queue(struct uring *u, unsigned int i)
{
	/* There is room: no more are queued than the ring is deep. */
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
	const struct part *p = &u->parts[i];

	io_uring_prep_read_fixed(sqe, 0, u->buffers + i * u->block + p->done,
		(unsigned int)(p->bytes - p->done), p->at + p->done, (int)i);
	sqe->flags |= IOSQE_FIXED_FILE;
	sqe->user_data = i;
}

/* One completion. 1: that part is whole, *ret_i tells which; 0: not yet; -errno. */
static int complete(struct uring *u, unsigned int *ret_i)
{
	struct io_uring_cqe *cqe;
	int got = io_uring_wait_cqe(&u->ring, &cqe);
	unsigned int i;

	if (got < 0)
		return got == -EINTR ? 0 : got;
	i = (unsigned int)cqe->user_data;
	got = cqe->res;
	io_uring_cqe_seen(&u->ring, cqe);
	if (got == 0)
		return -EIO;
	if (got < 0 && got != -EAGAIN && got != -EINTR)
		return got;
	u->parts[i].done += got > 0 ? (size_t)got : 0;
	if (u->parts[i].done == u->parts[i].bytes) {
		*ret_i = i;
		return 1;
	}
	queue(u, i);
	return 0;
}

/* Takes the next part of what is left for slot i. */
static void begin(struct uring *u, unsigned int i, uint64_t *offset, uint64_t *left)
{
	const size_t bytes = *left < u->block ? (size_t)*left : u->block;

	u->parts[i] = (struct part){ .at = *offset, .bytes = bytes };
	*offset += bytes;
	*left -= bytes;
	queue(u, i);
}

int uring_read(struct uring *u, uint64_t offset, uint64_t bytes,
	void (*use)(void *arg, const unsigned char *data, size_t bytes, uint64_t at),
	void *arg)
{
	unsigned int busy = 0, i = 0;
	int got = 0;

	for (; busy < u->depth && bytes; busy++)
		begin(u, busy, &offset, &bytes);
	while (busy) {
		got = io_uring_submit(&u->ring);
		if (got >= 0)
			got = complete(u, &i);
		if (got < 0)
			return got; /* the ring is not used again */
		if (got == 0)
			continue;
		use(arg, u->buffers + i * u->block, u->parts[i].bytes, u->parts[i].at);
		if (bytes)
			begin(u, i, &offset, &bytes);
		else
			busy--;
	}
	return 0;
}
