// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each judgement of memory pressure can fail: of a process that is killed, one that
 * finds what it did not write, and one that took too little.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "bench-open.h"
#include "bench/pressure.h"

/* More than a stack or heap of this process, less than what ASan maps. */
#define BYTES ((uintptr_t)100 << 20)
#define PAGE 4096

static struct pressure *start(struct bench *b)
{
	struct pressure *p = NULL;

	*b = bench_of("rewrite:pressure=100M");
	reported = 1;
	cr_assert_eq(pressure_start(b, &p), 0, "%s", b->reason);
	cr_assert_not_null(p);
	return p;
}

/* The only one. */
static pid_t child(void)
{
	FILE *f = fopen("/proc/thread-self/children", "r");
	pid_t pid = 0;

	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%d", &pid), 1);
	fclose(f);
	return pid;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == pid;
}

/* What it has mapped of that size; 0: nothing just now. */
static uintptr_t memory_of_child(pid_t pid)
{
	char path[64], line[512];
	uintptr_t start, end, found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "r");
	cr_assert_not_null(f);
	while (!found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx rw-p", &start, &end) == 2 &&
			end - start >= BYTES && end - start < 2 * BYTES)
			found = start;
	fclose(f);
	return found;
}

Test(pressure, is_quiet_while_it_works)
{
	struct bench b;
	struct pressure *p = start(&b);

	cr_assert_eq(pressure_check(&b, p), 0, "%s", b.reason);
	pressure_stop(p);
}

Test(pressure, none_is_none)
{
	struct bench b = bench_of("rewrite:pressure=0");
	struct pressure *p = NULL;

	cr_assert_eq(pressure_start(&b, &p), 0);
	cr_assert_null(p);
	cr_assert_eq(pressure_check(&b, p), 0);
	pressure_stop(p);
}

Test(pressure, without_reclaim_it_was_none)
{
	struct bench b;
	struct pressure *p = start(&b);

	reported = 0;
	assert_fails(&b, pressure_check(&b, p), -EAGAIN, "pgsteal_kswapd");
	pressure_stop(p);
}

Test(pressure, a_killed_process_is_told)
{
	struct bench b;
	struct pressure *p = start(&b);
	const pid_t pid = child();

	kill(pid, SIGKILL);
	while (!has_ended(pid))
		;
	assert_fails(&b, pressure_check(&b, p), -ECHILD, "out of memory?");
	pressure_stop(p);
}

Test(pressure, another_content_is_a_violation, .timeout = 60)
{
	struct bench b;
	struct pressure *p = start(&b);
	const pid_t pid = child();

	while (!has_ended(pid)) {
		uint64_t word = 1;
		const struct iovec from = { &word, sizeof(word) };
		const uintptr_t at = memory_of_child(pid);
		const struct iovec to = { (void *)(at + BYTES - PAGE), sizeof(word) };

		if (at)
			process_vm_writev(pid, &from, 1, &to, 1, 0);
	}
	assert_fails(&b, pressure_check(&b, p), -EIO, "wrote page 25599");
	pressure_stop(p);
}
