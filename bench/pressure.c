// SPDX-License-Identifier: GPL-2.0-or-later
#include "pressure.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "child.h"

/* Shared by both processes. */
struct board {
	_Atomic int64_t wrong; /* page with another content than was written; -1: none */
	atomic_int error;      /* errno of what failed */
};

struct pressure {
	const struct bench *b;
	size_t bytes;
	struct board *board;
	pid_t pid;
};

/* In a process of its own. */
static void press(void *arg)
{
	const struct pressure *p = arg;
	int64_t wrong = -1;

	while (wrong < 0) {
		void *memory = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			atomic_store(&p->board->error, errno);
			return;
		}
		bench_pattern_fill(p->b, memory, p->bytes);
		wrong = bench_pattern_check(p->b, memory, p->bytes);
		munmap(memory, p->bytes);
	}
	atomic_store(&p->board->wrong, wrong);
}

/* All of it may have to go there. */
uint64_t pressure_swap(const struct bench *b)
{
	return bench_param(b, "pressure");
}

int pressure_start(struct bench *b, struct pressure **ret)
{
	const uint64_t bytes = pressure_swap(b);
	struct pressure *p;
	int status;

	if (bytes == 0)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return bench_fail(b, -ENOMEM, "no memory");
	p->b = b;
	p->bytes = bytes;
	p->board = mmap(NULL, sizeof(*p->board), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->board == MAP_FAILED) {
		free(p);
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	}
	atomic_store(&p->board->wrong, -1);
	status = child_start(b, b->cpu, press, p, &p->pid);
	if (status < 0)
		pressure_stop(p);
	else
		*ret = p;
	return status;
}

void pressure_stop(struct pressure *p)
{
	if (!p)
		return;
	child_stop(p->pid);
	munmap(p->board, sizeof(*p->board));
	free(p);
}

static int report_ended(struct bench *b, const struct pressure *p)
{
	const int64_t wrong = atomic_load(&p->board->wrong);
	const int error = atomic_load(&p->board->error);

	if (wrong >= 0)
		return bench_fail(b, -EIO,
			"the process that makes pressure wrote page %lld, and found another "
			"content there",
			(long long)wrong);
	if (error)
		return bench_fail(b, -ECHILD,
			"the process that makes pressure failed: mmap: %s",
			strerror(error));
	return bench_fail(b, -ECHILD,
		"the process that makes pressure was killed: out of memory? see dmesg, and "
		"give a lower pressure");
}

int pressure_check(struct bench *b, const struct pressure *p)
{
	siginfo_t info = { 0 };
	uint64_t stolen;

	if (!p)
		return 0;
	/* It stays a child until it is stopped, so that its number stays its own. */
	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		info.si_pid != 0)
		return report_ended(b, p);
	if (b->vmstat_delta(b, "pgsteal_kswapd", &stolen) < 0)
		return bench_fail(b, -ENODATA,
			"no pgsteal_kswapd in /proc/vmstat to prove the pressure");
	if (stolen == 0)
		return bench_fail(b, -EAGAIN,
			"no page was reclaimed under pressure (pgsteal_kswapd): give more");
	return 0;
}
