// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader_io.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "uring.h"

const char *const reader_hows[] = { "mmap", "pread", "uring", NULL };

struct reader_io {
	enum reader_how how;
	int fd;
	const unsigned char *map;
	unsigned char *buffer;
	struct uring *uring;
};

int reader_io_open(const struct model *m, enum reader_how how, const unsigned char *map,
	unsigned int depth, struct reader_io **ret)
{
	struct reader_io *io = calloc(1, sizeof(*io));
	int status = 0;

	if (!io)
		return -ENOMEM;
	io->how = how;
	io->fd = m->fd;
	io->map = map;
	if (how == READER_URING)
		status = uring_open(depth, READER_BLOCK, m->fd, &io->uring);
	if (how == READER_PREAD) {
		io->buffer = malloc(READER_BLOCK);
		status = io->buffer ? 0 : -ENOMEM;
	}
	if (status < 0) {
		free(io);
		return status;
	}
	*ret = io;
	return 0;
}

void reader_io_close(struct reader_io *io)
{
	if (!io)
		return;
	uring_close(io->uring);
	free(io->buffer);
	free(io);
}

static int sum_by_pread(struct reader_io *io, const struct gguf_tensor *t, uint64_t at,
	uint64_t bytes, uint64_t *ret_sum)
{
	uint64_t sum = 0;

	while (bytes) {
		const ssize_t got = pread(io->fd, io->buffer,
			bytes < READER_BLOCK ? bytes : READER_BLOCK,
			(off_t)(t->offset + at));

		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		sum += model_sum(io->buffer, (uint64_t)got, at);
		at += (uint64_t)got;
		bytes -= (uint64_t)got;
	}
	*ret_sum = sum;
	return 0;
}

struct part_sum {
	uint64_t start; /* of the tensor, in the file */
	uint64_t sum;
};

static void add_part(void *arg, const unsigned char *data, size_t bytes, uint64_t at)
{
	struct part_sum *p = arg;

	p->sum += model_sum(data, bytes, at - p->start);
}

int reader_io_sum(struct reader_io *io, const struct gguf_tensor *t, uint64_t at,
	uint64_t bytes, uint64_t *ret_sum)
{
	struct part_sum p = { .start = t->offset };
	int ret;

	switch (io->how) {
	case READER_MMAP:
		*ret_sum = model_sum(io->map + t->offset + at, bytes, at);
		return 0;
	case READER_PREAD:
		return sum_by_pread(io, t, at, bytes, ret_sum);
	case READER_URING:
		break;
	}
	ret = uring_read(io->uring, t->offset + at, bytes, add_part, &p);
	if (ret == 0)
		*ret_sum = p.sum;
	return ret;
}
