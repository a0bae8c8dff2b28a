// SPDX-License-Identifier: GPL-2.0-or-later
#include "common.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "list.h"
#undef WORKLOAD

const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "list.h"
#undef WORKLOAD
	NULL,
};

static size_t param_index(const struct bench *b, const char *name)
{
	size_t i = 0;

	while (strcmp(b->workload->params[i].name, name) != 0)
		i++;
	return i;
}

uint64_t bench_param(const struct bench *b, const char *name)
{
	return b->values[param_index(b, name)];
}

const char *bench_param_text(const struct bench *b, const char *name)
{
	return b->texts[param_index(b, name)];
}

uint64_t bench_footprint_size(const struct bench *b)
{
	return bench_param(b, "size");
}

int bench_fail(struct bench *b, int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(b->reason, sizeof(b->reason), fmt, args);
	va_end(args);
	return code;
}

int bench_skip(struct bench *b, const char *reason, const char *fix)
{
	snprintf(b->reason, sizeof(b->reason), "%s", reason);
	snprintf(b->fix, sizeof(b->fix), "%s", fix);
	return -EOPNOTSUPP;
}

uint64_t bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool bench_enough(uint64_t part, uint64_t whole)
{
	return part >= whole - whole / 20;
}

void bench_read_pages(const volatile unsigned char *start, size_t bytes, size_t page_bytes)
{
	for (size_t at = 0; at < bytes; at += page_bytes)
		(void)start[at];
}

/*
 * The finaliser of splitmix64 (Steele, Lea, Flood: "Fast splittable
 * pseudorandom number generators", OOPSLA 2014): distinct inputs give
 * distinct outputs, and only one of 2^64 gives 0.
 */
uint64_t bench_pattern_word(const struct bench *b, uint64_t page)
{
	uint64_t x = b->seed + (page + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	return x ? x : 1;
}

void bench_pattern_fill(const struct bench *b, void *start, size_t bytes)
{
	const size_t words = b->page_bytes / sizeof(uint64_t);
	uint64_t *at = start;

	for (size_t page = 0; page < bytes / b->page_bytes; page++) {
		const uint64_t word = bench_pattern_word(b, page);

		for (size_t i = 0; i < words; i++)
			*at++ = word;
	}
}

int64_t bench_pattern_check(const struct bench *b, const void *start, size_t bytes)
{
	const size_t words = b->page_bytes / sizeof(uint64_t);
	const uint64_t *at = start;

	for (size_t page = 0; page < bytes / b->page_bytes; page++) {
		const uint64_t word = bench_pattern_word(b, page);
		uint64_t wrong = 0;

		for (size_t i = 0; i < words; i++)
			wrong |= *at++ ^ word;
		if (wrong)
			return (int64_t)page;
	}
	return -1;
}

struct companion {
	pthread_t thread;
	int cpu;
	size_t number;
	int error; /* an errno, if it could not be pinned */
	atomic_ulong passes;
	unsigned long seen;
	/* What it does over and over; without pass it reads memory of its own. */
	void (*pass)(void *arg, size_t thread, uint64_t seq);
	void *arg;
	unsigned char *memory;
	size_t bytes, page_bytes;
	const atomic_bool *stop;
};

struct companions {
	size_t count;
	atomic_bool stop;
	void (*pass)(void *arg, size_t thread, uint64_t seq);
	void *arg;
	struct companion each[];
};

/* Big enough to hold several TLB entries, small enough to stay in the cache. */
#define COMPANION_PAGES 16

static void *companion_main(void *arg)
{
	struct companion *c = arg;
	uint64_t seq = (uint64_t)c->number << 48;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(c->cpu, &cpus);
	c->error = pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
	do {
		if (c->pass)
			c->pass(c->arg, c->number, seq++);
		else
			bench_read_pages(c->memory, c->bytes, c->page_bytes);
		atomic_fetch_add_explicit(&c->passes, 1, memory_order_release);
	} while (!c->error && !atomic_load_explicit(c->stop, memory_order_relaxed));
	return NULL;
}

static int companion_start(struct bench *b, struct companions *all)
{
	struct companion *c = &all->each[all->count];
	int error;

	c->cpu = b->other_cpus[all->count];
	c->number = all->count;
	c->stop = &all->stop;
	c->pass = all->pass;
	c->arg = all->arg;
	c->page_bytes = b->page_bytes;
	c->bytes = COMPANION_PAGES * b->page_bytes;
	c->memory = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (c->memory == MAP_FAILED)
		return bench_fail(b, -errno, "no memory for a companion thread");
	error = pthread_create(&c->thread, NULL, companion_main, c);
	if (error) {
		munmap(c->memory, c->bytes);
		return bench_fail(b, -error, "cannot start a thread on CPU %d: %s", c->cpu,
			strerror(error));
	}
	all->count++;
	while (atomic_load_explicit(&c->passes, memory_order_acquire) == 0)
		sched_yield();
	if (c->error)
		return bench_fail(b, -c->error, "cannot pin a thread to CPU %d: %s", c->cpu,
			strerror(c->error));
	return 0;
}

int companions_start(struct bench *b, size_t n, struct companions **ret)
{
	return companions_start_with(b, n, NULL, NULL, ret);
}

int companions_start_with(struct bench *b, size_t n,
	void (*pass)(void *arg, size_t thread, uint64_t seq), void *arg,
	struct companions **ret)
{
	struct companions *all = calloc(1, sizeof(*all) + n * sizeof(all->each[0]));
	int status = 0;

	if (!all)
		return bench_fail(b, -ENOMEM, "no memory for %zu companion threads", n);
	all->pass = pass;
	all->arg = arg;
	while (status == 0 && all->count < n)
		status = companion_start(b, all);
	if (status < 0) {
		companions_stop(all);
		return status;
	}
	*ret = all;
	return 0;
}

int companions_check(struct bench *b, struct companions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct companion *c = &all->each[i];
		const unsigned long passes =
			atomic_load_explicit(&c->passes, memory_order_acquire);

		if (passes == c->seen)
			return bench_fail(b, -EAGAIN,
				"the companion thread on CPU %d did not run during the sample",
				c->cpu);
		c->seen = passes;
	}
	return 0;
}

void companions_stop(struct companions *all)
{
	if (!all)
		return;
	atomic_store(&all->stop, true);
	for (size_t i = 0; i < all->count; i++) {
		pthread_join(all->each[i].thread, NULL);
		munmap(all->each[i].memory, all->each[i].bytes);
	}
	free(all);
}
