// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader_group.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "cgroup.h"
#include "child.h"
#include "reader_parts.h"

static int report_dead(struct bench *b, const struct reader_group *g)
{
	siginfo_t info = { 0 };

	/* It stays a child until it is stopped, so that its number stays its own. */
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0)
		return 0;
	if (info.si_code == CLD_EXITED)
		return bench_fail(b, -ECHILD, "a reader ended by itself");
	if (info.si_status == SIGKILL && g->plan.in_cgroup &&
		cgroup_oom_kills(b) > g->oom_kills)
		return bench_fail(b, -ENOMEM,
			"the kernel killed a reader for want of memory within limit "
			"(oom_kill of its cgroup): give a higher limit");
	return bench_fail(b, -ECHILD, "a reader was killed by signal %d (%s)%s",
		info.si_status, strsignal(info.si_status),
		info.si_status == SIGKILL ? ": out of memory? see dmesg" : "");
}

/* A long round is no hang as long as it goes on. */
static void tell_alive(struct bench *b, struct reader_group *g)
{
	uint64_t tensors = 0;

	for (size_t i = 0; i < g->plan.processes; i++)
		tensors += atomic_load(&g->board->seats[i].tensors);
	if (tensors != g->tensors)
		b->alive(b);
	g->tensors = tensors;
}

static int wait_for_round(struct bench *b, struct reader_group *g)
{
	struct board *board = g->board;
	unsigned int left;
	int ret = 0;

	while (ret == 0 && (left = atomic_load(&board->left)) > 0) {
		reader_wait_while(&board->left, left);
		tell_alive(b, g);
		if (atomic_load(&board->left) == left)
			ret = report_dead(b, g);
	}
	for (size_t i = 0; i < g->plan.processes && ret == 0; i++) {
		const int error = atomic_load(&board->seats[i].error);

		if (error)
			ret = bench_fail(b, -error, "a reader failed: %s", strerror(error));
	}
	return ret;
}

static int make_board(struct bench *b, struct reader_group *g)
{
	g->board_bytes = sizeof(*g->board) + g->plan.processes * sizeof(g->board->seats[0]);
	g->board = mmap(NULL, g->board_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	g->pids = calloc(g->plan.processes, sizeof(*g->pids));
	if (g->board == MAP_FAILED || !g->pids)
		return bench_fail(
			b, -ENOMEM, "no memory for %zu readers", g->plan.processes);
	for (size_t i = 0; i < g->plan.processes; i++)
		g->board->seats[i].wrong = -1;
	atomic_store(&g->board->left, (unsigned int)g->plan.processes);
	return 0;
}

int reader_group_start(
	struct bench *b, const struct reader_plan *plan, struct reader_group **ret)
{
	struct reader_group *g = calloc(1, sizeof(*g));
	int status;

	if (!g)
		return bench_fail(b, -ENOMEM, "no memory");
	g->b = b;
	g->plan = *plan;
	g->oom_kills = plan->in_cgroup ? cgroup_oom_kills(b) : 0;
	status = make_board(b, g);
	for (; status == 0 && g->n_started < plan->processes; g->n_started += status == 0) {
		g->starting = g->n_started;
		status = child_start(b, -1, reader_main, g, &g->pids[g->starting]);
	}
	if (status == 0)
		status = wait_for_round(b, g);
	if (status < 0) {
		reader_group_stop(g);
		return status;
	}
	*ret = g;
	return 0;
}

void reader_group_stop(struct reader_group *g)
{
	if (!g)
		return;
	for (size_t i = 0; g->pids && i < g->n_started; i++)
		child_stop(g->pids[i]);
	if (g->board && g->board != MAP_FAILED)
		munmap(g->board, g->board_bytes);
	free(g->pids);
	free(g);
}

/* kind: 0 to read, 1 to release. */
static int do_round(struct bench *b, struct reader_group *g, unsigned int kind)
{
	struct board *board = g->board;
	const unsigned int round = atomic_load(&board->round);

	atomic_store(&board->left, (unsigned int)g->plan.processes);
	atomic_store(&board->round, (round & ~1u) + 2 + kind);
	reader_wake_all(&board->round);
	return wait_for_round(b, g);
}

int reader_group_read(struct bench *b, struct reader_group *g, uint64_t passes)
{
	g->board->passes = passes;
	return do_round(b, g, 0);
}

int reader_group_release(struct bench *b, struct reader_group *g)
{
	return do_round(b, g, 1);
}

int reader_group_check(struct bench *b, const struct reader_group *g)
{
	for (size_t i = 0; i < g->plan.processes; i++) {
		const int64_t wrong = atomic_load(&g->board->seats[i].wrong);
		const struct model *m = &g->plan.models[i % g->plan.n_models];

		if (wrong >= 0)
			return bench_fail(b, -EIO,
				"reader %zu read another content of tensor %s than it has",
				i, m->gguf.tensors[wrong].name);
	}
	return 0;
}

struct reader_times reader_group_times(const struct reader_group *g)
{
	struct reader_times all = { 0 };

	for (size_t i = 0; i < g->plan.processes; i++) {
		const struct reader_times *t = &g->board->seats[i].times;

		all.process_ns += t->process_ns;
		all.user_ns += t->user_ns;
		all.system_ns += t->system_ns;
	}
	return all;
}
