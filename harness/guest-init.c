// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PID 1 of a guest: does the job of its initramfs (boots/job.h), hands the
 * results over through the channel (boots/channel.h) and powers off. It is all
 * of userland: no shell, no udev.
 *
 * The kernel's command line has shootdown.run=ID, which the channel repeats; or
 * shootdown.lab=DISK, for a lab machine in QEMU (guest-init-lab.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/channel.h"
#include "boots/disk.h"
#include "boots/guest-paths.h"
#include "boots/job.h"
#include "boots/sysctls.h"
#include "guest-init-parts.h"

#define STEP_LOG "/run/step.log"
#define LOG_MAX_BYTES 65536
#define HEARTBEAT_MS 2000

static struct channel_writer channel;

static void say(const char *text)
{
	printf("guest-init: %s\n", text);
	fflush(stdout);
}

static void __attribute__((noreturn)) power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	/* PID 1 must not return; the host's deadline ends this. */
	for (;;)
		pause();
}

static void __attribute__((noreturn, format(printf, 3, 4)))
finish(enum end_cause cause, uint32_t status, const char *fmt, ...)
{
	struct channel_end end = { .cause = cause, .status = status };
	va_list args;
	int ret;

	va_start(args, fmt);
	if (vasprintf(&end.reason, fmt, args) < 0)
		abort();
	va_end(args);
	if (cause != END_OK)
		say(end.reason);
	ret = channel_finish(&channel, &end);
	if (ret < 0)
		say(strerror(-ret));
	power_off();
}

/* A channel that does not take frames has nobody to tell but the console. */
static void check_sent(int ret)
{
	if (ret == 0)
		return;
	if (ret == -ENOSPC)
		finish(END_SETUP, 0, "the result does not fit into the channel");
	say("channel:");
	say(strerror(-ret));
	power_off();
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool has_serial(const char *disk, const char *wanted)
{
	char *path = mem_format("/sys/block/%s/serial", disk), *serial;
	bool same = false;

	if (file_read_line("", path, &serial) == 0) {
		same = strcmp(serial, wanted) == 0;
		free(serial);
	}
	free(path);
	return same;
}

/* Its path, freed by the caller; NULL: there is none. */
static char *find_disk(const char *serial)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *entry;
	char *path = NULL;

	while (dir && !path && (entry = readdir(dir)) != NULL)
		if (has_serial(entry->d_name, serial))
			path = mem_format("/dev/%s", entry->d_name);
	if (dir)
		closedir(dir);
	return path;
}

/* The device's descriptor, or -errno. */
static int open_channel(void)
{
	char *path = find_disk(CHANNEL_SERIAL);
	int fd = -ENODEV;

	if (path && (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
		fd = -errno;
	free(path);
	return fd;
}

static void begin_channel(void)
{
	char *run_id = guest_find_word("shootdown.run");
	uint64_t bytes = 0;
	int fd = open_channel();

	if (fd < 0) {
		say("no disk with the serial number " CHANNEL_SERIAL);
		say(strerror(-fd));
		power_off();
	}
	ioctl(fd, BLKGETSIZE64, &bytes);
	check_sent(channel_begin(fd, bytes, run_id ? run_id : "", &channel));
	free(run_id);
}

static void mount_disk(void)
{
	char *path = find_disk(DISK_SERIAL);

	if (!path)
		return;
	file_make_dirs(GUEST_DISK);
	if (mount(path, GUEST_DISK, "ext4", MS_NOATIME, NULL) < 0)
		finish(END_SETUP, 0, "mount %s on " GUEST_DISK ": %s", path,
			strerror(errno));
	free(path);
}

/* *ret_before is what they were. */
static void set_sysctls(const struct job_sysctls *s, struct job_sysctls *ret_before)
{
	struct err err;

	if (sysctls_set("", s, ret_before, &err) < 0)
		finish(END_SETUP, 0, "%s", err.text);
}

static void __attribute__((noreturn)) become_step(const struct job_step *step)
{
	static const char *const environment[] = { "PATH=" GUEST_BIN, "HOME=/", "LC_ALL=C",
		"SHOOTDOWN_DATA=" GUEST_DATA, NULL };
	int log = open(STEP_LOG, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (log >= 0) {
		dup2(log, STDOUT_FILENO);
		dup2(log, STDERR_FILENO);
	}
	setsid();
	execve(step->argv[0], step->argv, (char *const *)environment);
	dprintf(STDERR_FILENO, "%s: %s\n", step->argv[0], strerror(errno));
	_exit(127);
}

/* Reaps all that ended; true once pid has, with its wait status. */
static bool reap(pid_t pid, int *ret_status)
{
	bool found = false;
	pid_t got;
	int status;

	while ((got = waitpid(-1, &status, WNOHANG)) > 0) {
		if (got == pid) {
			*ret_status = status;
			found = true;
		}
	}
	return found;
}

/* False where the deadline came first; then the step is still running. */
static bool wait_for_step(pid_t pid, uint64_t deadline_ms, int *ret_status)
{
	const struct timespec beat = { .tv_sec = HEARTBEAT_MS / 1000 };
	uint64_t start_ms = now_ms(), beat_ms = start_ms;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (!reap(pid, ret_status)) {
		if (now_ms() - start_ms >= deadline_ms)
			return false;
		if (now_ms() - beat_ms >= HEARTBEAT_MS) {
			check_sent(channel_send(&channel, FRAME_HEARTBEAT, NULL, 0));
			beat_ms = now_ms();
		}
		sigtimedwait(&child, NULL, &beat);
	}
	return true;
}

/* The end of what the step printed, to the host; to the console if it failed. */
static void send_log(bool failed)
{
	char *log, *end;
	size_t bytes;

	if (file_read("", STEP_LOG, &log, &bytes) < 0 || bytes == 0)
		return;
	end = bytes > LOG_MAX_BYTES ? log + bytes - LOG_MAX_BYTES : log;
	check_sent(channel_send_text(&channel, FRAME_LOG, end));
	if (failed)
		fputs(bytes > 1024 ? log + bytes - 1024 : log, stdout);
	free(log);
}

static void send_result(const struct job_step *step, bool failed)
{
	size_t bytes;
	char *data;
	int ret;

	if (!step->send)
		return;
	ret = file_read("", step->send, &data, &bytes);
	if (ret < 0 && failed)
		return;
	if (ret < 0)
		finish(END_SETUP, 0, "step %s: %s: %s", step->name, step->send,
			strerror(-ret));
	check_sent(channel_send_file(&channel, step->name, data, bytes));
	unlink(step->send);
	free(data);
}

static void do_step(const struct job_step *step)
{
	struct job_sysctls before, set;
	bool in_time, failed;
	int status = 0;
	pid_t pid;

	check_sent(channel_send_text(&channel, FRAME_PHASE, step->name));
	set_sysctls(&step->sysctls, &before);
	pid = fork();
	if (pid == 0)
		become_step(step);
	if (pid < 0)
		finish(END_SETUP, 0, "step %s: fork: %s", step->name, strerror(errno));
	in_time = wait_for_step(pid, step->deadline_ms, &status);
	/* All but PID 1: nothing of this step may run beside the next one. */
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	failed = !in_time || status != 0;
	send_log(failed);
	send_result(step, failed);
	if (!in_time)
		finish(END_DEADLINE, 0, "step %s: not done within %llu ms", step->name,
			(unsigned long long)step->deadline_ms);
	if (WIFSIGNALED(status))
		finish(END_SIGNAL, (uint32_t)WTERMSIG(status),
			"step %s: killed by signal %d (%s)", step->name, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) != 0)
		finish(END_EXIT, (uint32_t)WEXITSTATUS(status), "step %s: exit status %d",
			step->name, WEXITSTATUS(status));
	/* The other arm of an experiment need not name what this one set. */
	set_sysctls(&before, &set);
	job_sysctls_clear(&set);
	job_sysctls_clear(&before);
}

int main(void)
{
	struct job_sysctls before; /* nobody asks for it: the guest ends */
	struct job job;
	struct err err;
	sigset_t child;
	char *text, *lab;
	int ret;

	if (getpid() != 1) {
		fputs("guest-init: is PID 1 of a guest, and nothing else\n", stderr);
		return 2;
	}
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	guest_mount_all();
	lab = guest_find_word("shootdown.lab");
	if (lab)
		guest_be_lab(lab);
	begin_channel();
	check_sent(channel_send_text(&channel, FRAME_PHASE, "init"));
	mount_disk();
	ret = file_read("", GUEST_JOB, &text, NULL);
	if (ret < 0)
		finish(END_SETUP, 0, GUEST_JOB ": %s", strerror(-ret));
	if (job_parse(text, &job, &err) < 0)
		finish(END_SETUP, 0, "%s", err.text);
	set_sysctls(&job.sysctls, &before);
	for (size_t i = 0; i < job.n_steps; i++)
		do_step(&job.steps[i]);
	finish(END_OK, 0, "%s", "");
}
