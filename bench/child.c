// SPDX-License-Identifier: GPL-2.0-or-later
#include "child.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int child_start(struct bench *b, int cpu, void (*body)(void *arg), void *arg, pid_t *ret)
{
	const pid_t parent = getpid(), pid = fork();
	cpu_set_t cpus;

	if (pid < 0)
		return bench_fail(b, -errno, "cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		CPU_ZERO(&cpus);
		if (cpu >= 0)
			CPU_SET(cpu, &cpus);
		if (getppid() != parent ||
			(cpu >= 0 && sched_setaffinity(0, sizeof(cpus), &cpus) < 0))
			_exit(1);
		body(arg);
		_exit(0);
	}
	*ret = pid;
	return 0;
}

void child_stop(pid_t pid)
{
	if (pid == 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
