// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

#define LINE_MAX_BYTES 65536
#define STOP_LOOK_MS 200

struct process {
	pid_t pid;
	int pidfd;  /* -1 once the child has been reaped */
	int output; /* read end of the pipe; -1: none or at its end */
	int log;
	int status;
	void (*on_line)(void *context, const char *line);
	void *context;
	char *line;
	size_t line_bytes;
};

/* What the child needs between fork and exec, made before: no malloc there. */
struct plan {
	char *program;
	const char *const *argv;
	const char **env;
	const char *cwd;
	int input, output; /* both ends of the child's */
	int report;        /* errno of a failed exec goes here */
};

/* The caller's environment with that of the spec put over it. */
static const char **merge_env(const char *const *over)
{
	size_t n_over = 0, n = 0, used = 0;
	const char **env;

	while (over && over[n_over])
		n_over++;
	while (environ[n])
		n++;
	env = mem_zeroed(n + n_over + 1, sizeof(*env));
	for (size_t i = 0; i < n; i++) {
		bool replaced = false;

		for (size_t k = 0; k < n_over; k++) {
			size_t length = strcspn(over[k], "=") + 1;

			replaced |= strncmp(environ[i], over[k], length) == 0;
		}
		if (!replaced)
			env[used++] = environ[i];
	}
	for (size_t k = 0; k < n_over; k++)
		env[used++] = over[k];
	return env;
}

/* The child, between fork and exec. */
static _Noreturn void become(const struct plan *plan, pid_t parent)
{
	sigset_t none;
	int code;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setpgid(0, 0);
	/* Where the parent has died before the request, no signal would come. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent &&
		dup2(plan->input, STDIN_FILENO) >= 0 &&
		dup2(plan->output, STDOUT_FILENO) >= 0 &&
		dup2(plan->output, STDERR_FILENO) >= 0 &&
		(!plan->cwd || chdir(plan->cwd) == 0))
		execve(plan->program, (char *const *)plan->argv, (char *const *)plan->env);
	code = errno;
	if (write(plan->report, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

/* Forks, and waits until the child's exec has happened: 0, or its -errno. */
static int launch(struct plan *plan, pid_t *ret_pid)
{
	int report[2], code = 0;
	pid_t parent = getpid(), pid;
	ssize_t got;

	if (pipe2(report, O_CLOEXEC) < 0)
		return -errno;
	plan->report = report[1];
	pid = fork();
	if (pid == 0)
		become(plan, parent);
	if (pid < 0)
		code = errno;
	close(report[1]);
	if (pid > 0) {
		do
			got = read(report[0], &code, sizeof(code));
		while (got < 0 && errno == EINTR);
		if (code)
			waitpid(pid, NULL, 0);
	}
	close(report[0]);
	if (code)
		return -code;
	*ret_pid = pid;
	return 0;
}

/* Opens what the child reads from and writes to; leaves p->output, p->log. */
static int open_files(const struct process_spec *spec, struct plan *plan, struct process *p,
	struct err *err)
{
	const char *input = spec->input ? spec->input : "/dev/null";
	const char *log = spec->log ? spec->log : "/dev/null";
	int ends[2];

	plan->input = open(input, O_RDONLY | O_CLOEXEC);
	if (plan->input < 0)
		return err_set(err, -errno, "%s: %m", input);
	p->log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (p->log < 0)
		return err_set(err, -errno, "%s: %m", log);
	if (!spec->on_line) {
		plan->output = fcntl(p->log, F_DUPFD_CLOEXEC, 3);
		return plan->output < 0 ? err_set(err, -errno, "%s: %m", log) : 0;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "making a pipe: %m");
	p->output = ends[0];
	plan->output = ends[1];
	fcntl(p->output, F_SETFL, O_NONBLOCK);
	return 0;
}

static int start_in(const struct process_spec *spec, struct plan *plan, struct process *p,
	struct err *err)
{
	int ret = process_find(spec->argv[0], &plan->program);

	if (ret < 0)
		return err_set(err, ret, "%s: no such program", spec->argv[0]);
	ret = open_files(spec, plan, p, err);
	if (ret < 0)
		return ret;
	ret = launch(plan, &p->pid);
	if (ret < 0)
		return err_set(err, ret, "starting %s%s%s: %s", plan->program,
			plan->cwd ? " in " : "", plan->cwd ? plan->cwd : "",
			strerror(-ret));
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (p->pidfd < 0) {
		ret = err_set(err, -errno, "pidfd_open: %m");
		kill(-p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	return ret;
}

int process_start(const struct process_spec *spec, struct process **ret, struct err *err)
{
	struct plan plan = {
		.argv = spec->argv, .cwd = spec->cwd, .input = -1, .output = -1
	};
	struct process *p = mem_zeroed(1, sizeof(*p));
	int code;

	p->pidfd = p->output = p->log = -1;
	p->on_line = spec->on_line;
	p->context = spec->context;
	plan.env = merge_env(spec->env);
	code = start_in(spec, &plan, p, err);
	free(plan.program);
	free(plan.env);
	if (plan.input >= 0)
		close(plan.input);
	if (plan.output >= 0)
		close(plan.output);
	if (code < 0)
		process_free(p);
	else
		*ret = p;
	return code;
}

pid_t process_pid(const struct process *p)
{
	return p->pid;
}

static void end_line(struct process *p)
{
	p->line[p->line_bytes] = '\0';
	p->line_bytes = 0;
	p->on_line(p->context, p->line);
}

static void take_output(struct process *p, const char *data, size_t bytes)
{
	if (!p->line)
		p->line = mem_zeroed(LINE_MAX_BYTES + 1, 1);
	for (size_t i = 0; i < bytes; i++) {
		if (data[i] == '\n') {
			end_line(p);
			continue;
		}
		p->line[p->line_bytes++] = data[i];
		if (p->line_bytes == LINE_MAX_BYTES)
			end_line(p);
	}
}

/* Reads what is there: 0, or -errno of a log that takes no more. */
static int pump(struct process *p)
{
	char data[16384];
	ssize_t got;

	while (p->output >= 0) {
		got = read(p->output, data, sizeof(data));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return 0;
		if (got <= 0) {
			close(p->output);
			p->output = -1;
			if (p->line_bytes)
				end_line(p);
			return 0;
		}
		take_output(p, data, (size_t)got);
		if (write(p->log, data, (size_t)got) != got)
			return errno ? -errno : -EIO;
	}
	return 0;
}

static void reap(struct process *p)
{
	while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
		;
	close(p->pidfd);
	p->pidfd = -1;
	/* Descendants may hold the pipe open for ever: its end is not waited for. */
	if (p->line_bytes)
		end_line(p);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* As process_wait, but leaves the child to be reaped: its pid stays taken. */
static int wait_end(struct process *p, int timeout_ms, const volatile sig_atomic_t *stop)
{
	int64_t end = now_ms() + timeout_ms;

	for (;;) {
		struct pollfd fds[2] = { { p->pidfd, POLLIN, 0 },
			{ p->output, POLLIN, 0 } };
		int64_t left = timeout_ms < 0 ? STOP_LOOK_MS : end - now_ms();
		int ret;

		if (stop && *stop)
			return -EINTR;
		if (left < 0)
			return -ETIMEDOUT;
		if (poll(fds, 2, left < STOP_LOOK_MS ? (int)left : STOP_LOOK_MS) < 0 &&
			errno != EINTR)
			return -errno;
		ret = pump(p);
		if (ret < 0 || fds[0].revents)
			return ret;
	}
}

int process_wait(struct process *p, int timeout_ms, const volatile sig_atomic_t *stop,
	int *ret_status)
{
	int ret;

	if (p->pidfd >= 0) {
		ret = wait_end(p, timeout_ms, stop);
		if (ret < 0)
			return ret;
		reap(p);
	}
	if (ret_status)
		*ret_status = p->status;
	return 0;
}

void process_stop(struct process *p, int grace_ms, int *ret_status)
{
	if (p->pidfd >= 0) {
		kill(-p->pid, SIGTERM);
		wait_end(p, grace_ms, NULL);
		/* Before the leader is reaped: until then the group's number is its own. */
		kill(-p->pid, SIGKILL);
		reap(p);
	}
	if (ret_status)
		*ret_status = p->status;
}

void process_free(struct process *p)
{
	if (!p)
		return;
	if (p->pidfd >= 0)
		process_stop(p, 0, NULL);
	if (p->output >= 0)
		close(p->output);
	if (p->log >= 0)
		close(p->log);
	free(p->line);
	free(p);
}
