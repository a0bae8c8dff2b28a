// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Correctness of files. Threads read mapped files whose pages are reclaimed, and
 * then rewritten, replaced by private copies, or used for something else. One that
 * finds what was there before, or somebody else's page, has used a translation
 * that the kernel should have flushed. The files are open for writing only while
 * they are written, and clean when they are reclaimed. Its times mean nothing.
 */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "backing.h"
#include "paged_out.h"

enum { METRIC_CHECKS, METRIC_VIOLATIONS };
static const struct bench_metric metrics[] = {
	{ "checks", "checks", "the threads", BENCH_NEITHER, true, false },
	{ "violations", "violations", "the threads", BENCH_LOWER, false, true },
	{ 0 },
};

static const struct param params[] = {
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "128K",
		.unit = "bytes",
		.min = 65536, /* a page everywhere */
		.max = (uint64_t)1 << 30,
		.help = "each of two files",
	},
	{
		.name = "threads",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "that read them on other CPUs",
	},
	{ 0 },
};

/* A turn waits so long at most for the threads to have seen it. */
#define DWELL_NS 1000000000u
/* So much memory is used for something else, times the file's. */
#define OTHERS 8

enum { VIEW, COPY, PLACES };

/*
 * A file as this process has it mapped. Its first word on each page tells the page
 * and the version; of COPY, the even pages of an odd version are private.
 */
struct place {
	unsigned char *at;
	int fd; /* for reading */
	size_t number;
	_Atomic uint64_t version; /* counted from 1; 0: it is being changed */
};

struct rewrite {
	struct place places[PLACES];
	const struct bench *b;
	size_t bytes, pages, n_users;
	_Atomic size_t focus;
	atomic_bool broken;
	atomic_ulong violations;
	atomic_ulong *visits, *checks; /* of each user */
	unsigned long checks_before;
	uint64_t seen, wanted; /* of the first violation */
	size_t page, number;
	struct companions *companions;
	unsigned char *buffer;
};

static uint64_t word(
	const struct rewrite *r, const struct place *p, size_t page, uint64_t version)
{
	const bool of_file = p->number == COPY && (version % 2 == 0 || page % 2);

	return bench_pattern_word(
		r->b, ((of_file ? 0 : version) * PLACES + p->number) * r->pages + page);
}

static void report(struct rewrite *r, const struct place *p, size_t page, uint64_t seen,
	uint64_t wanted)
{
	if (atomic_fetch_add(&r->violations, 1) > 0)
		return;
	r->number = p->number;
	r->page = page;
	r->seen = seen;
	r->wanted = wanted;
	atomic_store(&r->broken, true);
}

static void pass(void *arg, size_t thread, uint64_t seq)
{
	struct rewrite *r = arg;
	struct place *p = &r->places[atomic_load(&r->focus)];

	(void)seq;
	for (size_t page = 0; page < r->pages; page++) {
		const uint64_t version = atomic_load(&p->version);
		const uint64_t seen =
			*(const volatile uint64_t *)(p->at + page * r->b->page_bytes);

		atomic_thread_fence(memory_order_seq_cst);
		atomic_fetch_add(&r->visits[thread], 1);
		if (version == 0 || atomic_load(&p->version) != version)
			continue;
		atomic_fetch_add(&r->checks[thread], 1);
		if (seen != word(r, p, page, version))
			report(r, p, page, seen, word(r, p, page, version));
	}
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

/* A new version of the whole file, on its disk when the place is let go. */
static int write_file(struct bench *b, struct rewrite *r, struct place *p, uint64_t version)
{
	const int fd = backing_open_again(b, p->fd, O_RDWR);
	int ret = 0;

	if (fd < 0)
		return fd;
	for (size_t page = 0; page < r->pages; page++) {
		const uint64_t first = word(r, p, page, version);

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

/* What was freed is taken, and gets another content. */
static int use_memory(struct bench *b, const struct rewrite *r)
{
	const size_t bytes = OTHERS * r->bytes;
	unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	bench_pattern_fill(b, memory, bytes);
	munmap(memory, bytes);
	return 0;
}

/*
 * Reclaimed pages are used again, at the latest when somebody opens a file for
 * writing; and those reclaimed after that are rewritten.
 */
static int change_view(struct bench *b, struct rewrite *r)
{
	struct place *p = &r->places[VIEW];
	const uint64_t version = atomic_load(&p->version);
	int ret, fd;

	ret = reclaim(b, r, p);
	if (ret < 0)
		return ret;
	fd = backing_open_again(b, p->fd, O_RDWR);
	if (fd < 0)
		return fd;
	close(fd);
	ret = use_memory(b, r);
	dwell(r);
	if (ret == 0)
		ret = reclaim(b, r, p);
	atomic_store(&p->version, 0);
	return ret < 0 ? ret : write_file(b, r, p, version + 1);
}

/* Of reclaimed pages every other one becomes private, and is the file's again. */
static int change_copy(struct bench *b, struct rewrite *r)
{
	struct place *p = &r->places[COPY];
	const uint64_t version = atomic_load(&p->version);
	const int ret = reclaim(b, r, p);

	if (ret < 0)
		return ret;
	atomic_store(&p->version, 0);
	for (size_t page = 0; page < r->pages; page += 2)
		*(volatile uint64_t *)(p->at + page * b->page_bytes) =
			word(r, p, page, version + 1);
	atomic_store(&p->version, version + 1);
	dwell(r);
	atomic_store(&p->version, 0);
	if (madvise(p->at, r->bytes, MADV_DONTNEED) < 0)
		return bench_fail(b, -errno, "MADV_DONTNEED: %s", strerror(errno));
	atomic_store(&p->version, version + 2);
	return 0;
}

static int turn(struct bench *b, struct rewrite *r)
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

static unsigned long all_checks(const struct rewrite *r)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < r->n_users; i++)
		sum += atomic_load(&r->checks[i]);
	return sum;
}

static int judge(struct bench *b, const struct rewrite *r)
{
	static const char *const names[] = { "a file that was rewritten",
		"private copies" };

	if (!atomic_load(&r->broken))
		return 0;
	return bench_fail(b, -EIO,
		"stale translation: %lu violations in %lu checks; first: of %s, page %zu "
		"(%llx, not %llx)",
		atomic_load(&r->violations), all_checks(r), names[r->number], r->page,
		(unsigned long long)r->seen, (unsigned long long)r->wanted);
}

static int rewrite_run(struct bench *b, uint64_t n)
{
	struct rewrite *r = b->state;
	int ret = 0, judged;

	r->checks_before = all_checks(r);
	for (uint64_t i = 0; i < n && ret == 0 && !atomic_load(&r->broken); i++)
		ret = turn(b, r);
	judged = judge(b, r);
	return judged < 0 ? judged : ret;
}

static int rewrite_verify(struct bench *b, uint64_t n)
{
	struct rewrite *r = b->state;
	int ret = judge(b, r);
	uint64_t back;

	if (ret < 0)
		return ret;
	b->metric[METRIC_CHECKS] = (int64_t)(all_checks(r) - r->checks_before);
	if (b->vmstat_delta(b, "workingset_refault_file", &back) < 0)
		return bench_fail(b, -ENODATA,
			"no workingset_refault_file in /proc/vmstat to prove the reclaim");
	/* Of twice as many: a page that the journal holds may stay. */
	if (back < n * r->pages)
		return bench_fail(b, -EAGAIN,
			"only %llu of at least %llu pages came back that were reclaimed "
			"(workingset_refault_file)",
			(unsigned long long)back, (unsigned long long)n * r->pages);
	return companions_check(b, r->companions);
}

static int make_place(struct bench *b, struct rewrite *r, size_t number)
{
	struct place *p = &r->places[number];
	const int prot = number == COPY ? PROT_READ | PROT_WRITE : PROT_READ;
	const int fd = backing_open_file(b, r->bytes);
	void *at;
	int ret;

	p->number = number;
	p->fd = fd < 0 ? fd : backing_open_again(b, fd, O_RDONLY);
	if (fd >= 0)
		close(fd);
	if (p->fd < 0)
		return p->fd;
	ret = write_file(b, r, p, 2);
	if (ret < 0)
		return ret;
	at = mmap(
		NULL, r->bytes, prot, number == COPY ? MAP_PRIVATE : MAP_SHARED, p->fd, 0);
	if (at == MAP_FAILED)
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	p->at = at;
	return 0;
}

static int rewrite_setup(struct bench *b)
{
	struct rewrite *r = calloc(1, sizeof(*r));
	int ret = 0;

	if (!r)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = r;
	b->units_per_op = 1;
	r->b = b;
	r->pages = bench_param(b, "size") / b->page_bytes;
	r->bytes = r->pages * b->page_bytes;
	r->n_users = bench_param(b, "threads");
	if (r->n_users == 0)
		return bench_skip(b, "nobody else could use a stale translation",
			"give threads=1 or more, on a machine with two CPUs");
	r->visits = calloc(r->n_users, sizeof(*r->visits));
	r->checks = calloc(r->n_users, sizeof(*r->checks));
	r->buffer = calloc(1, r->bytes);
	if (!r->visits || !r->checks || !r->buffer)
		return bench_fail(b, -ENOMEM, "no memory");
	for (size_t i = 0; i < PLACES && ret == 0; i++)
		ret = make_place(b, r, i);
	return ret < 0 ? ret
		       : companions_start_with(b, r->n_users, pass, r, &r->companions);
}

static void rewrite_teardown(struct bench *b)
{
	struct rewrite *r = b->state;

	if (!r)
		return;
	companions_stop(r->companions);
	for (size_t i = 0; i < PLACES; i++) {
		if (r->places[i].at)
			munmap(r->places[i].at, r->bytes);
		if (r->places[i].fd > 0)
			close(r->places[i].fd);
	}
	free(r->visits);
	free(r->checks);
	free(r->buffer);
	free(r);
}

static uint64_t rewrite_footprint(const struct bench *b)
{
	return bench_param(b, "size") * (PLACES + OTHERS + 1);
}

static uint64_t rewrite_disk(const struct bench *b)
{
	return bench_param(b, "size") * PLACES;
}

const struct workload workload_rewrite = {
	.name = "rewrite",
	.summary = "change files whose pages were reclaimed under readers, and look for "
		   "stale translations",
	.path = "try_to_unmap_flush, finish_fault, open for writing: correctness of files",
	.unit = "turn",
	.revision = 1,
	.params = params,
	.metrics = metrics,
	.footprint = rewrite_footprint,
	.disk = rewrite_disk,
	.setup = rewrite_setup,
	.run = rewrite_run,
	.verify = rewrite_verify,
	.teardown = rewrite_teardown,
};
