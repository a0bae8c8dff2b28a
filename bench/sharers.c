// SPDX-License-Identifier: GPL-2.0-or-later
#include "sharers.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

/* Shared by all: what to do next, and how far it is done. */
struct board {
	atomic_uint round;     /* raised for each reading; waited for */
	atomic_uint left;      /* processes that have not read yet; waited for */
	atomic_bool check;     /* this round is one of checking */
	_Atomic int64_t wrong; /* page with another content; -1: none */
	struct {
		_Alignas(64) atomic_ulong passes;
	} each[];
};

struct sharers {
	const struct bench *b;
	struct sharers_plan plan;
	struct board *board;
	size_t board_bytes;
	size_t n_started, starting;
	pid_t *pids;
	unsigned long *seen; /* passes, one for each that is kept running */
};

/* Not FUTEX_PRIVATE: others wait in other processes. Ends at least once a second. */
static void wait_while(atomic_uint *at, unsigned int value)
{
	const struct timespec second = { .tv_sec = 1 };

	syscall(SYS_futex, at, FUTEX_WAIT, value, &second, NULL, 0);
}

static void wake_all(atomic_uint *at)
{
	syscall(SYS_futex, at, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void check_content(const struct sharers *s)
{
	const int64_t wrong = bench_pattern_check(s->b, s->plan.memory, s->plan.bytes);

	if (wrong >= 0)
		atomic_store(&s->board->wrong, wrong);
}

static void wait_for_round(const struct sharers *s, unsigned int seen, bool running)
{
	struct board *board = s->board;

	while (atomic_load(&board->round) == seen) {
		if (running)
			atomic_fetch_add(&board->each[s->starting].passes, 1);
		else
			wait_while(&board->round, seen);
	}
}

/* In a process of its own. */
static void share(void *arg)
{
	const struct sharers *s = arg;
	const bool running = s->starting < s->plan.running;

	if (running)
		setpriority(PRIO_PROCESS, 0, 19); /* those that sleep are let pass */
	for (unsigned int round = 0;;) {
		wait_for_round(s, round, running);
		round = atomic_load(&s->board->round);
		if (atomic_load(&s->board->check))
			check_content(s);
		else
			bench_read_pages(s->plan.memory, s->plan.bytes, s->b->page_bytes);
		if (atomic_fetch_sub(&s->board->left, 1) == 1)
			wake_all(&s->board->left);
	}
}

static int make_board(struct bench *b, struct sharers *s)
{
	s->board_bytes = sizeof(*s->board) + s->plan.count * sizeof(s->board->each[0]);
	s->board = mmap(NULL, s->board_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	s->pids = calloc(s->plan.count + 1, sizeof(*s->pids));
	s->seen = calloc(s->plan.count + 1, sizeof(*s->seen));
	if (s->board == MAP_FAILED || !s->pids || !s->seen)
		return bench_fail(b, -ENOMEM, "no memory for %zu processes", s->plan.count);
	s->board->wrong = -1;
	return 0;
}

static int cpu_of(const struct bench *b, size_t i)
{
	const size_t at = i % (b->n_other_cpus + 1);

	return at < b->n_other_cpus ? b->other_cpus[at] : b->cpu;
}

int sharers_start(struct bench *b, const struct sharers_plan *plan, struct sharers **ret)
{
	struct sharers *s = calloc(1, sizeof(*s));
	int status;

	if (!s)
		return bench_fail(b, -ENOMEM, "no memory");
	s->b = b;
	s->plan = *plan;
	status = make_board(b, s);
	for (; status == 0 && s->n_started < plan->count; s->n_started += status == 0) {
		s->starting = s->n_started;
		status = child_start(
			b, cpu_of(b, s->starting), share, s, &s->pids[s->starting]);
	}
	if (status < 0) {
		sharers_stop(s);
		return status;
	}
	*ret = s;
	return 0;
}

static int report_dead(struct bench *b)
{
	int status;

	if (waitpid(-1, &status, WNOHANG) <= 0)
		return 0;
	if (WIFSIGNALED(status))
		return bench_fail(b, -ECHILD,
			"a process that shares the pages was killed by signal %d%s",
			WTERMSIG(status),
			WTERMSIG(status) == SIGKILL ? ": out of memory? see dmesg" : "");
	return bench_fail(b, -ECHILD, "a process that shares the pages ended by itself");
}

static int let_read(struct bench *b, struct sharers *s, bool check)
{
	struct board *board = s->board;
	unsigned int left;
	int ret = 0;

	atomic_store(&board->check, check);
	atomic_store(&board->left, (unsigned int)s->n_started);
	atomic_fetch_add(&board->round, 1);
	wake_all(&board->round);
	while (ret == 0 && (left = atomic_load(&board->left)) > 0) {
		wait_while(&board->left, left);
		if (atomic_load(&board->left) == left)
			ret = report_dead(b);
	}
	return ret;
}

int sharers_read(struct bench *b, struct sharers *s)
{
	bench_read_pages(s->plan.memory, s->plan.bytes, b->page_bytes);
	return let_read(b, s, false);
}

int sharers_check_content(struct bench *b, struct sharers *s)
{
	int64_t wrong;
	int ret;

	check_content(s);
	ret = let_read(b, s, true);
	wrong = atomic_load(&s->board->wrong);
	if (ret == 0 && wrong >= 0)
		ret = bench_fail(b, -EIO, "page %lld came back with another content",
			(long long)wrong);
	return ret;
}

int sharers_check_running(struct bench *b, struct sharers *s)
{
	for (size_t i = 0; i < s->plan.running; i++) {
		const unsigned long passes = atomic_load(&s->board->each[i].passes);

		if (passes == s->seen[i])
			return bench_fail(b, -EAGAIN,
				"the process on CPU %d did not run during the sample",
				cpu_of(b, i));
		s->seen[i] = passes;
	}
	return 0;
}

void sharers_stop(struct sharers *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->pids && i < s->n_started; i++)
		child_stop(s->pids[i]);
	if (s->board && s->board != MAP_FAILED)
		munmap(s->board, s->board_bytes);
	free(s->pids);
	free(s->seen);
	free(s);
}
