// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each judgement of litmus can fail. This kernel is sound, so the test does
 * behind the workload's back what a stale translation would.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench-open.h"

#define PAGE 4096
#define ARENA ((size_t)16 * PAGE)

static char folder[] = "/tmp/litmus-XXXXXX";

static void make_file(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	cr_assert_geq(fd, 0);
	close(fd);
}

static void remove_folder(void)
{
	static const char *const names[] = { "cgroup.procs", "memory.stat",
		"memory.reclaim" };
	char path[64];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* Files that take what is written stand for the cgroup: nothing is reclaimed. */
static struct bench open_litmus(const char *text)
{
	static const int others[] = { 0 };
	struct bench b = bench_of(text);

	cr_assert_not_null(mkdtemp(folder));
	make_file("cgroup.procs");
	make_file("memory.stat");
	make_file("memory.reclaim");
	b.cgroup = folder;
	b.cpu = 1;
	b.other_cpus = others;
	b.n_other_cpus = 1;
	reported = 1000;
	return b;
}

static void need_two_cpus(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		cr_skip_test("one CPU");
}

Test(litmus, a_sound_kernel_has_no_violation, .timeout = 60)
{
	struct bench b;

	need_two_cpus();
	b = open_litmus("litmus:size=64K");
	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 10), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 10), 0, "%s", b.reason);
	cr_assert_gt(b.metric[0], 0, "checks");
	cr_assert_gt(b.metric[1], 0, "refusals");
	cr_assert_eq(b.metric[2], 0, "violations");
	reported = 0;
	assert_fails(&b, b.workload->verify(&b, 10), -EAGAIN, "no");
	b.workload->teardown(&b);
	remove_folder();
}

/* Each is done over and over to the only arena, until the run has ended. */
static void other_content(unsigned char *home)
{
	for (size_t page = 0; page < ARENA; page += PAGE)
		*(volatile uint64_t *)(home + page + 8) = 42;
}

static void other_page(unsigned char *home)
{
	*(volatile uint64_t *)(home + 5 * PAGE) ^= 1;
}

static void writable(unsigned char *home)
{
	mprotect(home, ARENA, PROT_READ | PROT_WRITE);
}

static void unreadable(unsigned char *home)
{
	mprotect(home, ARENA, PROT_NONE);
}

static void forgotten(unsigned char *home)
{
	madvise(home, ARENA, MADV_DONTNEED);
}

struct saboteur {
	pthread_t thread;
	void (*act)(unsigned char *home);
	unsigned char *home;
	atomic_bool stop;
};

static void *sabotage(void *arg)
{
	struct saboteur *s = arg;

	while (!atomic_load(&s->stop)) {
		s->act(s->home);
		usleep(100);
	}
	return NULL;
}

static const struct {
	const char *spec;
	void (*act)(unsigned char *home);
	const char *words;
} faults[] = {
	{ "litmus:size=64K,case=write", other_content, "CPU 0: a store was lost" },
	{ "litmus:size=64K,case=lazy", other_page,
		"lazy, page 5, CPU 0: a load saw another page" },
	{ "litmus:size=64K,case=mprotect", writable,
		"a store was taken by a read-only page" },
	{ "litmus:size=64K,case=mprotect", unreadable, "was refused" },
	{ "litmus:size=64K,case=munmap", writable, "a load found an unmapped page" },
	{ "litmus:size=64K,case=mremap", writable, "a load found a page moved away" },
	{ "litmus:size=64K,case=free", forgotten, "a store was lost" },
};

static void find(size_t i)
{
	struct bench b = open_litmus(faults[i].spec);
	struct saboteur s = { .act = faults[i].act };
	int ret = 0;

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	s.home = memory_of(&b);
	cr_assert_eq(pthread_create(&s.thread, NULL, sabotage, &s), 0);
	for (int k = 0; k < 200 && ret == 0; k++)
		ret = b.workload->run(&b, 10);
	atomic_store(&s.stop, true);
	pthread_join(s.thread, NULL);
	assert_fails(&b, ret, -EIO, faults[i].words);
	cr_assert(strstr(b.reason, "stale translation: "), "%s", b.reason);
	b.workload->teardown(&b);
	remove_folder();
}

#define FINDS(name, i)                                                                     \
	Test(litmus, name, .timeout = 60)                                                  \
	{                                                                                  \
		need_two_cpus();                                                           \
		find(i);                                                                   \
	}

FINDS(a_store_that_was_lost, 0)
FINDS(another_page, 1)
FINDS(a_store_after_mprotect, 2)
FINDS(an_access_that_was_refused, 3)
FINDS(a_load_after_munmap, 4)
FINDS(a_load_after_mremap, 5)
FINDS(a_store_lost_after_madv_free, 6)

Test(litmus, nobody_else_is_skipped)
{
	struct bench b = bench_of("litmus:threads=0");

	assert_fails(&b, b.workload->setup(&b), -EOPNOTSUPP, "nobody else");
	b.workload->teardown(&b);
}
