// SPDX-License-Identifier: GPL-2.0-or-later
/* The proofs of readers, and what becomes of it without what it needs. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "bench/backing.h"
#include "bench/cgroup.h"
#include "bench/model.h"
#include "bench/reader_memory.h"
#include "bench-open.h"
#include "tests/guest/scratch.h"

#define SMALL "readers:processes=1,threads=2,tokens=2,size=32M,limit=24M"

static char *put(const char *name, const char *text)
{
	char *path = mem_format("%s/%s", scratch, name);

	cr_assert_eq(file_replace(path, text, strlen(text)), 0);
	return path;
}

/* A cgroup of plain files: takes all that is written, and limits nothing. */
static void make_cgroup(int version)
{
	scratch_make();
	put("cgroup.procs", "");
	put(version == 2 ? "memory.max" : "memory.limit_in_bytes", "");
	put(version == 2 ? "memory.events" : "memory.oom_control", "oom 0\noom_kill 2\n");
}

static void assert_limit(const char *name, const char *wanted)
{
	char *path = mem_format("%s/%s", scratch, name), *text;

	cr_assert_eq(file_read_line("", path, &text), 0);
	/* What stood there before is longer: a plain file keeps its end. */
	cr_assert(strncmp(text, wanted, strlen(wanted)) == 0, "%s: %s", name, text);
}

static void set_up(struct bench *b, const char *text)
{
	int ret;

	*b = bench_of(text);
	b->cgroup = scratch;
	ret = b->workload->setup(b);
	if (ret == -EOPNOTSUPP)
		cr_skip_test("%s", b->reason);
	cr_assert_eq(ret, 0, "%s", b->reason);
}

static void proves_itself(const char *text)
{
	struct bench b;

	set_up(&b, text);
	cr_assert_eq(b.units_per_op, 2 * (32 << 20) / 4096);
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	cr_assert_gt(b.metric[0], 0, "process_ns");
	cr_assert(b.metric[1] == b.metric[0] / 2, "token_ns");
	reported = 4096; /* both passes, but for 24 MiB twice */
	cr_assert_eq(b.workload->verify(&b, 1), 0, "%s", b.reason);
	reported = 3000;
	assert_fails(
		&b, b.workload->verify(&b, 1), -EIO, "only 3000 of at least 4096 pages");
	reported = 0;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "only 0 of");
	b.workload->teardown(&b);
}

Test(readers, proves_itself_mapped, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(2);
	proves_itself(SMALL);
	assert_limit("memory.max", "max");
}

Test(readers, proves_itself_reading, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(1);
	proves_itself(SMALL ",io=pread");
	assert_limit("memory.limit_in_bytes", "-1");
}

Test(readers, proves_itself_by_uring, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(1);
	proves_itself(SMALL ",io=uring,depth=3");
}

/* The workload's own descriptor is for reading. */
static int open_to_write(struct bench *b, const struct model *m)
{
	const int fd = backing_open_again(b, m->fd, O_RDWR);

	cr_assert_geq(fd, 0, "%s", b->reason);
	return fd;
}

/* Each of them reads each byte: one bit that changes behind their back is found. */
static void finds_a_bit(const char *how)
{
	struct bench b;
	const struct model *m;
	unsigned char byte;
	char *text = mem_format(SMALL ",io=%s", how);
	int fd;

	set_up(&b, text);
	m = *(const struct model **)b.state;
	cr_assert_eq(pread(m->fd, &byte, 1, (off_t)m->file_bytes - 1), 1);
	byte ^= 0x40;
	fd = open_to_write(&b, m);
	cr_assert_eq(pwrite(fd, &byte, 1, (off_t)m->file_bytes - 1), 1);
	close(fd);
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	reported = 100000;
	assert_fails(
		&b, b.workload->verify(&b, 1), -EIO, "content of tensor output.weight");
	b.workload->teardown(&b);
}

Test(readers, find_another_content_mapped, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(2);
	finds_a_bit("mmap");
}

Test(readers, find_another_content_by_uring, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(2);
	finds_a_bit("uring");
}

static pid_t child(void)
{
	char *path = mem_format("/proc/self/task/%d/children", (int)getpid()), *text;

	if (file_read_line("", path, &text) < 0)
		cr_skip_test("this kernel does not list the children of a process");
	return (pid_t)atoi(text);
}

/* As the kernel's OOM killer does it: SIGKILL, and a count in the cgroup. */
static void tells_of_oom(int version)
{
	struct bench b;

	make_cgroup(version);
	set_up(&b, SMALL);
	put(version == 2 ? "memory.events" : "memory.oom_control", "oom 1\noom_kill 3\n");
	kill(child(), SIGKILL);
	assert_fails(
		&b, b.workload->run(&b, 1), -ENOMEM, "killed a reader for want of memory");
	b.workload->teardown(&b);
	cr_assert_eq(child(), 0, "a reader is left");
}

Test(readers, tell_of_an_oom_kill, .fini = scratch_remove, .timeout = 60)
{
	tells_of_oom(2);
}

Test(readers, tell_of_an_oom_kill_of_version_1, .fini = scratch_remove, .timeout = 60)
{
	tells_of_oom(1);
}

Test(readers, tell_of_another_kill, .fini = scratch_remove, .timeout = 60)
{
	struct bench b;

	make_cgroup(2);
	set_up(&b, SMALL);
	kill(child(), SIGKILL);
	assert_fails(&b, b.workload->run(&b, 1), -ECHILD, "killed by signal 9");
	b.workload->teardown(&b);
}

/* A file that gets shorter while it is mapped. */
Test(readers, tell_of_a_lost_file, .fini = scratch_remove, .timeout = 60)
{
	struct bench b;
	int fd;

	make_cgroup(2);
	set_up(&b, SMALL);
	fd = open_to_write(&b, *(const struct model **)b.state);
	cr_assert_eq(ftruncate(fd, 1 << 20), 0);
	close(fd);
	assert_fails(&b, b.workload->run(&b, 1), -ECHILD, "killed by signal 7");
	b.workload->teardown(&b);
}

static void refused(const char *text, int code, const char *words)
{
	struct bench b = bench_of(text);

	b.cgroup = scratch;
	assert_fails(&b, b.workload->setup(&b), code, words);
	b.workload->teardown(&b);
}

Test(readers, say_what_they_cannot_do, .fini = scratch_remove, .timeout = 60)
{
	make_cgroup(2);
	refused("readers:size=1M,limit=4K", -EOPNOTSUPP, "less than these readers need");
	refused("readers:size=1M,limit=2M", -EINVAL, "not below the 2097152 bytes");
	refused("readers:size=1M,limit=0", -EOPNOTSUPP, "fit into this machine's memory");
	refused("readers:model=/nonexistent:made", -ENOENT, "No such file");
	refused("readers:model=/dev", -EINVAL, "is a folder");
}

Test(readers, must_read_again_what_does_not_fit)
{
	const struct model models[] = {
		{ .gguf = { .bytes = 100 } },
		{ .gguf = { .bytes = 50 } },
	};
	const struct reader_plan plan = { .models = models, .n_models = 2, .processes = 4 };
	static const struct {
		uint64_t memory, passes, again, reclaimed;
	} cases[] = {
		{ 150, 1, 0, 0 },
		{ 149, 1, 0, 1 },
		{ 100, 9, 0, 50 },
		{ 80, 3, 40, 110 },
		{ 40, 2, 70, 180 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_assert_eq(reader_least_again(&plan, cases[i].memory, cases[i].passes),
			cases[i].again, "case %zu", i);
		cr_assert_eq(
			reader_least_reclaimed(&plan, cases[i].memory, cases[i].passes),
			cases[i].reclaimed, "case %zu", i);
	}
}
