// SPDX-License-Identifier: GPL-2.0-or-later
/* The proofs of reclaim and wander, and the processes that share pages. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "bench/paged_out.h"
#include "bench/sharers.h"
#include "bench-open.h"

#define BYTES (16 * 4096)

/* A cgroup of plain files: takes all that is written, and does nothing. */
static char *make_cgroup(const char *reclaim)
{
	char *dir = mem_text("/tmp/test-reclaim.XXXXXX");
	const char *const names[] = { "cgroup.procs", "memory.stat", reclaim };

	cr_assert_not_null(mkdtemp(dir));
	for (size_t i = 0; i < 3; i++) {
		char *path = mem_format("%s/%s", dir, names[i]);

		cr_assert_eq(file_replace(path, "", 0), 0);
		free(path);
	}
	return dir;
}

static void remove_cgroup(const char *dir, const char *reclaim, const char *written)
{
	const char *const names[] = { "cgroup.procs", "memory.stat", reclaim };
	char *path = mem_format("%s/%s", dir, reclaim), *text;

	cr_assert_eq(file_read_line("", path, &text), 0);
	cr_assert_str_eq(text, written);
	free(text);
	free(path);
	for (size_t i = 0; i < 3; i++) {
		path = mem_format("%s/%s", dir, names[i]);
		unlink(path);
		free(path);
	}
	cr_assert_eq(rmdir(dir), 0);
}

Test(reclaim, pages_still_resident_are_no_proof)
{
	static const struct {
		const char *file, *written;
	} cases[] = {
		{ "memory.reclaim", "65536" },
		{ "memory.force_empty", "0" },
	};

	for (size_t i = 0; i < 2; i++) {
		struct bench b = bench_of("reclaim:size=64K,processes=3,running=0");

		b.cgroup = make_cgroup(cases[i].file);
		cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
		cr_assert_eq(b.workload->run(&b, 2), 0, "%s", b.reason);
		reported = 1000;
		assert_fails(
			&b, b.workload->verify(&b, 2), -EIO, "16 of 16 pages are still");
		b.workload->teardown(&b);
		remove_cgroup(b.cgroup, cases[i].file, cases[i].written);
	}
}

Test(reclaim, neither_way_to_reclaim_is_skipped)
{
	struct bench b = bench_of("reclaim:size=64K");

	b.cgroup = make_cgroup("memory.max");
	assert_fails(&b, b.workload->setup(&b), -EOPNOTSUPP, "no memory.reclaim");
	b.workload->teardown(&b);
	remove_cgroup(b.cgroup, "memory.max", "");
}

Test(wander, pages_still_resident_are_no_proof)
{
	struct bench b = bench_of("wander:size=64K,visitors=0");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	/* Whatever swap this machine has: bring them in. */
	bench_read_pages(memory_of(&b), BYTES, 4096);
	reported = 1000;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "still resident");
	b.workload->teardown(&b);
}

/* Pages that were never touched are not in memory either: no swap is needed. */
Test(paged_out, swap_must_have_grown)
{
	struct bench b = { .page_bytes = 4096, .vmstat_delta = claim };
	void *hole = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	reported = 16;
	cr_assert_eq(paged_out_check(&b, hole, BYTES, 16, false), 0, "%s", b.reason);
	reported = 15;
	assert_fails(&b, paged_out_check(&b, hole, BYTES, 16, true), -EIO, "only 15 of 16");
	munmap(hole, BYTES);
}

static unsigned char *pattern(const struct bench *b)
{
	unsigned char *memory = mmap(
		NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	bench_pattern_fill(b, memory, BYTES);
	return memory;
}

Test(sharers, find_another_content)
{
	struct bench b = { .page_bytes = 4096, .seed = 3 };
	unsigned char *memory = pattern(&b);
	const struct sharers_plan plan = { .memory = memory, .bytes = BYTES, .count = 5 };
	struct sharers *s;

	cr_assert_eq(sharers_start(&b, &plan, &s), 0, "%s", b.reason);
	cr_assert_eq(sharers_read(&b, s), 0, "%s", b.reason);
	cr_assert_eq(sharers_check_content(&b, s), 0, "%s", b.reason);
	memory[6 * 4096] ^= 1;
	assert_fails(&b, sharers_check_content(&b, s), -EIO, "page 6 came back");
	sharers_stop(s);
}

Test(sharers, none_is_waited_for_in_vain, .timeout = 30)
{
	struct bench b = { .page_bytes = 4096, .seed = 3 };
	const struct sharers_plan plan = {
		.memory = pattern(&b), .bytes = BYTES, .count = 2
	};
	char *path = mem_format("/proc/self/task/%d/children", (int)getpid()), *text;
	struct sharers *s;

	cr_assert_eq(sharers_start(&b, &plan, &s), 0, "%s", b.reason);
	if (file_read_line("", path, &text) < 0)
		cr_skip_test("this kernel does not list the children of a process");
	kill(atoi(text), SIGKILL);
	assert_fails(&b, sharers_read(&b, s), -ECHILD, "killed by signal 9");
	sharers_stop(s);
}
