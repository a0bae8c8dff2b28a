// SPDX-License-Identifier: GPL-2.0-or-later
/* One turn of rewrite: pages lose their memory, and then something changes. */
#include "rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backing.h"
#include "nodes.h"
#include "paged_out.h"

/* A turn waits so long at most for the threads to have seen it. */
#define DWELL_NS 1000000000u

uint64_t rewrite_word(
	const struct rewrite *r, const struct place *p, size_t page, uint64_t version)
{
	const bool of_file = p->number == COPY && (version % 2 == 0 || page % 2);

	return bench_pattern_word(
		r->b, ((of_file ? 0 : version) * PLACES + p->number) * r->pages + page);
}

/* Until each user has looked at all pages of the place in focus, and at some twice. */
static void dwell(struct rewrite *r)
{
	const struct timespec moment = { .tv_nsec = 10000 };
	const uint64_t end = bench_now_ns() + DWELL_NS;

	for (size_t i = 0; i < r->n_users; i++) {
		const unsigned long until = atomic_load(&r->visits[i]) + 2 * r->pages;

		while (atomic_load(&r->visits[i]) < until && !atomic_load(&r->broken) &&
			bench_now_ns() < end)
			nanosleep(&moment, NULL);
	}
}

int rewrite_file(struct bench *b, struct rewrite *r, struct place *p, uint64_t version)
{
	const int fd = backing_open_again(b, p->fd, O_RDWR);
	int ret = 0;

	if (fd < 0)
		return fd;
	for (size_t page = 0; page < r->pages; page++) {
		const uint64_t first = rewrite_word(r, p, page, version);

		memcpy(r->buffer + page * b->page_bytes, &first, sizeof(first));
	}
	if (pwrite(fd, r->buffer, r->bytes, 0) != (ssize_t)r->bytes)
		ret = bench_fail(b, -EIO, "cannot write a file: %s", strerror(errno));
	/* What is seen from here on is checked by readers while it goes to the disk. */
	atomic_store(&p->version, version);
	if (ret == 0 && fdatasync(fd) < 0)
		ret = bench_fail(b, -errno, "fdatasync: %s", strerror(errno));
	close(fd);
	return ret;
}

/*
 * Pages that readers brought in wait in lists of their CPUs, where reclaim cannot take
 * them: up to 31 each. Told to drop a file, the kernel empties these lists, and leaves
 * what is mapped.
 */
static int reclaim(struct bench *b, const struct rewrite *r, const struct place *p)
{
	posix_fadvise(p->fd, 0, 0, POSIX_FADV_DONTNEED);
	return page_out(b, p->at, r->bytes);
}

/* The memory that the pages have is let go, and not yet the readers' way to it. */
static int let_go(struct bench *b, const struct rewrite *r, struct place *p)
{
	if (!r->migrates)
		return reclaim(b, r, p);
	p->way = !p->way;
	return mover_move(b, &p->mover, p->way);
}

/* From the node that the pages have left. */
static int take_from(struct bench *b, const struct place *p, void *memory, size_t bytes)
{
	struct node_mask left = { { 0 } };

	node_mask_add(&left, p->mover.nodes[!p->way]);
	if (syscall(SYS_mbind, memory, bytes, MPOL_BIND, left.words, NODE_MASK_BITS, 0) < 0)
		return bench_fail(b, -errno, "mbind: %s", strerror(errno));
	return 0;
}

/* What was freed is taken, and gets another content. */
static int use_memory(struct bench *b, const struct rewrite *r, const struct place *p)
{
	const size_t bytes = REWRITE_OTHERS * r->bytes;
	unsigned char *memory = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret = 0;

	if (memory == MAP_FAILED)
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	if (r->migrates)
		ret = take_from(b, p, memory, bytes);
	if (ret == 0)
		bench_pattern_fill(b, memory, bytes);
	munmap(memory, bytes);
	return ret;
}

static int open_for_writing(struct bench *b, const struct place *p)
{
	const int fd = backing_open_again(b, p->fd, O_RDWR);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/*
 * Memory that was let go is used again, if it was not freed before at the latest when
 * somebody opens a file for writing; and what is let go after that is rewritten. What
 * migration leaves behind should have been kept when no file was opened.
 */
static int change_view(struct bench *b, struct rewrite *r)
{
	struct place *p = &r->places[VIEW];
	const uint64_t version = atomic_load(&p->version);
	int ret = let_go(b, r, p);

	if (ret == 0 && (!r->migrates || version % 2))
		ret = open_for_writing(b, p);
	if (ret == 0)
		ret = use_memory(b, r, p);
	if (ret < 0)
		return ret;
	dwell(r);
	ret = let_go(b, r, p);
	atomic_store(&p->version, 0);
	return ret < 0 ? ret : rewrite_file(b, r, p, version + 1);
}

/* Of these pages every other one becomes private, and is the file's again. */
static int change_copy(struct bench *b, struct rewrite *r)
{
	struct place *p = &r->places[COPY];
	const uint64_t version = atomic_load(&p->version);
	const int ret = let_go(b, r, p);

	if (ret < 0)
		return ret;
	atomic_store(&p->version, 0);
	for (size_t page = 0; page < r->pages; page += 2)
		*(volatile uint64_t *)(p->at + page * b->page_bytes) =
			rewrite_word(r, p, page, version + 1);
	atomic_store(&p->version, version + 1);
	dwell(r);
	atomic_store(&p->version, 0);
	if (madvise(p->at, r->bytes, MADV_DONTNEED) < 0)
		return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	atomic_store(&p->version, version + 2);
	return 0;
}

int rewrite_turn(struct bench *b, struct rewrite *r)
{
	int ret;

	atomic_store(&r->focus, VIEW);
	dwell(r);
	ret = change_view(b, r);
	dwell(r);
	if (ret < 0 || atomic_load(&r->broken))
		return ret;
	atomic_store(&r->focus, COPY);
	dwell(r);
	ret = change_copy(b, r);
	dwell(r);
	return ret;
}
