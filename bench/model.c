// SPDX-License-Identifier: GPL-2.0-or-later
#include "model.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "backing.h"

#define BUFFER_BYTES ((size_t)1 << 20)

uint64_t model_sum(const unsigned char *data, uint64_t bytes, uint64_t at)
{
	uint64_t sum = 0, word;

	for (; bytes && at % sizeof(word); bytes--)
		sum += (uint64_t)*data++ << (8 * (at++ % sizeof(word)));
	for (; bytes >= sizeof(word); bytes -= sizeof(word), data += sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		sum += le64toh(word);
	}
	for (unsigned int i = 0; i < bytes; i++)
		sum += (uint64_t)data[i] << (8 * i);
	return sum;
}

static int bad_kind(struct bench *b, const char *path, mode_t mode)
{
	const char *kind = "no regular file";

	if (S_ISDIR(mode))
		kind = "a folder";
	else if (S_ISFIFO(mode))
		kind = "a FIFO";
	return bench_fail(b, -EINVAL, "%.100s: is %s: give a GGUF file", path, kind);
}

/* What the head of the file says of its tensors. */
static int parse(struct bench *b, const char *name, struct model *m)
{
	struct gguf_fault fault;
	unsigned char *data = NULL;
	int ret;

	if (m->file_bytes) {
		data = mmap(NULL, m->file_bytes, PROT_READ, MAP_SHARED, m->fd, 0);
		if (data == MAP_FAILED)
			return bench_fail(
				b, -errno, "%.100s: mmap: %s", name, strerror(errno));
	}
	ret = gguf_parse(data, m->file_bytes, &m->gguf, &fault);
	if (data)
		munmap(data, m->file_bytes);
	if (ret == -EBADMSG)
		return bench_fail(b, -EINVAL, "%.60s: offset %llu: %.150s", name,
			(unsigned long long)fault.offset, fault.text);
	return ret < 0 ? bench_fail(b, ret, "%.100s: %s", name, strerror(-ret)) : 0;
}

static int sum_tensor(
	struct bench *b, const struct model *m, size_t i, unsigned char *buffer)
{
	const struct gguf_tensor *t = &m->gguf.tensors[i];
	uint64_t at = 0;

	while (at < t->bytes) {
		const uint64_t left = t->bytes - at;
		const ssize_t got = pread(m->fd, buffer,
			left < BUFFER_BYTES ? left : BUFFER_BYTES, (off_t)(t->offset + at));

		if (got <= 0)
			return bench_fail(b, got < 0 ? -errno : -EIO,
				"cannot read the model: %s",
				got < 0 ? strerror(errno) : "it got shorter meanwhile");
		m->sums[i] += model_sum(buffer, (uint64_t)got, at);
		at += (uint64_t)got;
		b->alive(b);
	}
	return 0;
}

static int sum_all(struct bench *b, struct model *m)
{
	unsigned char *buffer = malloc(BUFFER_BYTES);
	int ret = 0;

	m->sums = calloc(m->gguf.n_tensors + 1, sizeof(*m->sums));
	if (!m->sums || !buffer) {
		free(buffer);
		return bench_fail(b, -ENOMEM, "no memory");
	}
	for (size_t i = 0; i < m->gguf.n_tensors && ret == 0; i++)
		ret = sum_tensor(b, m, i, buffer);
	free(buffer);
	return ret;
}

int model_open(struct bench *b, const char *path, struct model *ret)
{
	/* O_NONBLOCK: a FIFO would otherwise wait for its writer. */
	struct model m = { .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
	struct stat st;
	int status = 0;

	if (m.fd < 0)
		return bench_fail(b, -errno, "%.100s: %s", path, strerror(errno));
	if (fstat(m.fd, &st) < 0)
		status = bench_fail(b, -errno, "%.100s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		status = bad_kind(b, path, st.st_mode);
	else
		m.file_bytes = (uint64_t)st.st_size;
	if (status == 0)
		status = parse(b, path, &m);
	if (status == 0)
		status = sum_all(b, &m);
	if (status < 0) {
		model_close(&m);
		return status;
	}
	*ret = m;
	return 0;
}

static int write_all(struct bench *b, int fd, const unsigned char *data, size_t bytes)
{
	while (bytes) {
		const ssize_t done = write(fd, data, bytes);

		if (done < 0 && errno != EINTR)
			return bench_fail(
				b, -errno, "cannot write a model: %s", strerror(errno));
		data += done > 0 ? done : 0;
		bytes -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* Random bits that are numbers: F16 below 2 in size, F32 from 1 to 2. */
static uint64_t content(const struct bench *b, uint64_t i, uint32_t type)
{
	const uint64_t bits = bench_pattern_word(b, i);

	return type == GGUF_F16 ? bits & 0xbfffbfffbfffbfff
				: (bits & 0x007fffff007fffff) | 0x3f8000003f800000;
}

/* Its words are those from *at on. */
static int write_tensor(
	struct bench *b, struct model *m, size_t i, uint64_t *at, unsigned char *buffer)
{
	const struct gguf_tensor *t = &m->gguf.tensors[i];
	uint64_t left = t->bytes;
	int ret = 0;

	while (left && ret == 0) {
		const size_t bytes = left < BUFFER_BYTES ? left : BUFFER_BYTES;

		for (size_t w = 0; w < bytes; w += sizeof(uint64_t)) {
			const uint64_t word = htole64(content(b, (*at)++, t->type));

			memcpy(buffer + w, &word, sizeof(word));
		}
		m->sums[i] += model_sum(buffer, bytes, t->bytes - left);
		ret = write_all(b, m->fd, buffer, bytes);
		left -= bytes;
	}
	return ret;
}

static int write_model(struct bench *b, struct model *m, const unsigned char *head,
	size_t head_bytes, unsigned int index)
{
	unsigned char *buffer = malloc(BUFFER_BYTES);
	uint64_t at = (uint64_t)index << 40;
	int ret;

	m->sums = calloc(m->gguf.n_tensors + 1, sizeof(*m->sums));
	if (!m->sums || !buffer) {
		free(buffer);
		return bench_fail(b, -ENOMEM, "no memory");
	}
	ret = write_all(b, m->fd, head, head_bytes);
	for (size_t i = 0; i < m->gguf.n_tensors && ret == 0; i++)
		ret = write_tensor(b, m, i, &at, buffer);
	free(buffer);
	/* What is not yet on the disk cannot be dropped from memory. */
	if (ret == 0 && fsync(m->fd) < 0)
		ret = bench_fail(b, -errno, "cannot write a model: %s", strerror(errno));
	return ret;
}

/* As a user's model is: a file that may be written can be treated otherwise. */
static int reopen_for_reading(struct bench *b, struct model *m)
{
	const int fd = backing_open_again(b, m->fd, O_RDONLY);

	if (fd < 0)
		return fd;
	close(m->fd);
	m->fd = fd;
	return 0;
}

int model_make(struct bench *b, uint64_t bytes, unsigned int index, struct model *ret)
{
	struct model m = { .fd = -1 };
	unsigned char *head;
	size_t head_bytes;
	int status = gguf_compose(bytes, &m.gguf, &head, &head_bytes);

	if (status < 0)
		return bench_fail(b, status, "no memory");
	m.file_bytes = head_bytes + bytes;
	m.fd = backing_open_file(b, m.file_bytes);
	status = m.fd < 0 ? m.fd : write_model(b, &m, head, head_bytes, index);
	free(head);
	if (status == 0)
		status = reopen_for_reading(b, &m);
	if (status == 0) {
		/* Read as a user's would be; the order of its tensors is the same. */
		gguf_clear(&m.gguf);
		status = parse(b, "the model", &m);
	}
	if (status < 0) {
		model_close(&m);
		return status;
	}
	*ret = m;
	return 0;
}

static uint64_t read_kib(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long kib = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%9llu", &kib) != 1)
		kib = 0;
	fclose(file);
	return kib;
}

uint64_t model_read_ahead(const struct model *m, const char *root)
{
	/* Of a disk, or of the one that a partition lies on. */
	static const char *const places[] = { "", "../" };
	uint64_t kib = 0;
	struct stat st;
	char path[256];

	if (fstat(m->fd, &st) < 0)
		st.st_dev = 0;
	for (size_t i = 0; i < 2 && kib == 0; i++) {
		snprintf(path, sizeof(path), "%s/sys/dev/block/%u:%u/%squeue/read_ahead_kb",
			root, major(st.st_dev), minor(st.st_dev), places[i]);
		kib = read_kib(path);
	}
	return (kib ? kib : 128) << 10;
}

void model_close(struct model *m)
{
	/* A zeroed one has descriptor 0, which is not its own. */
	if (m->fd > 0)
		close(m->fd);
	gguf_clear(&m->gguf);
	free(m->sums);
	*m = (struct model){ 0 };
}
