// SPDX-License-Identifier: GPL-2.0-or-later
/* Changes this machine for real, as root, and brings it back. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/machine.h"
#include "measure/swaps.h"

#define SWAPPINESS "/proc/sys/vm/swappiness"
#define THP "/sys/kernel/mm/transparent_hugepage/enabled"
#define SWAP_BYTES (32u << 20)

static char dir[64];

/* Criterion runs tests side by side, and these change the same machine. */
static void one_at_a_time(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	cr_assert_eq(flock(fd, LOCK_EX), 0);
}

static void make_dir(void)
{
	one_at_a_time();
	strcpy(dir, "/tmp/test-machine-real.XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
}

static void remove_dir(void)
{
	char *path = mem_format("%s/lock", dir);

	unlink(path);
	free(path);
	cr_expect_eq(rmdir(dir), 0, "a journal is left in %s", dir);
}

TestSuite(real, .init = make_dir, .fini = remove_dir);

static void need_root_and_zram(void)
{
	if (geteuid() != 0)
		cr_skip_test("needs root");
	if (access("/sys/class/zram-control/hot_add", F_OK) < 0)
		cr_skip_test("needs zram (modprobe zram)");
}

static uint64_t swap_bytes_of(const char *device)
{
	struct swaps swaps;
	uint64_t bytes = 0;

	cr_assert_eq(swaps_read("", &swaps, NULL), 0);
	for (size_t i = 0; i < swaps.count; i++)
		if (strcmp(swaps.areas[i].path, device) == 0)
			bytes = swaps.areas[i].size_bytes;
	swaps_clear(&swaps);
	return bytes;
}

static char *line_of(const char *path)
{
	char *text;

	cr_assert_eq(file_read_line("", path, &text), 0);
	return text;
}

static void assert_gone(const char *device)
{
	char *block = mem_format("/sys/block/%s", device + strlen("/dev/"));

	cr_assert_eq(swap_bytes_of(device), 0);
	cr_assert_neq(access(block, F_OK), 0, "%s is still there", device);
	free(block);
}

Test(real, zram_swap_comes_and_goes)
{
	struct machine *m;
	struct err err = { "" };
	char device[64];

	need_root_and_zram();
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	cr_assert_eq(machine_add_zram_swap(m, SWAP_BYTES - 100, device, &err), 0, "%s",
		err.text);
	/* All but the header's page. */
	cr_assert_eq(swap_bytes_of(device), SWAP_BYTES - (uint64_t)sysconf(_SC_PAGESIZE));
	cr_assert_eq(machine_close(m, &err), 0, "%s", err.text);
	assert_gone(device);
}

Test(real, size_that_is_none_changes_nothing)
{
	struct machine *m;
	struct err err = { "" };
	char device[64] = "untouched";

	need_root_and_zram();
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	cr_assert_eq(machine_add_zram_swap(m, 1, device, &err), -EINVAL);
	cr_assert_str_eq(device, "untouched");
	cr_assert_eq(machine_close(m, &err), 0, "%s", err.text);
}

/* Changes the machine, writes the device's name into the pipe, and hangs. */
static void run_until_killed(int pipe_fd)
{
	struct machine *m;
	char device[64] = "";

	if (machine_open(dir, &m, NULL) == 0 &&
		machine_set(m, SWAPPINESS, "17", NULL) == 0 &&
		machine_add_zram_swap(m, SWAP_BYTES, device, NULL) == 0 &&
		write(pipe_fd, device, sizeof(device)) == (ssize_t)sizeof(device))
		pause();
	_exit(1);
}

static pid_t start_run(char *device)
{
	int fds[2];
	pid_t child;

	cr_assert_eq(pipe(fds), 0);
	child = fork();
	if (child == 0)
		run_until_killed(fds[1]);
	close(fds[1]);
	cr_assert_eq(read(fds[0], device, 64), 64, "the run did not get to its end");
	close(fds[0]);
	return child;
}

Test(real, killed_run_is_named_and_restored)
{
	char *swappiness = line_of(SWAPPINESS), *now, device[64] = "", all[4096] = "";
	struct machine_left left;
	struct machine *m;
	struct err err = { "" };
	pid_t child;

	need_root_and_zram();
	child = start_run(device);
	cr_assert_eq(machine_find_left(dir, &left, &err), 0, "%s", err.text);
	cr_assert(left.running);
	machine_left_clear(&left);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);

	cr_assert_gt(swap_bytes_of(device), 0);
	cr_assert_eq(machine_open(dir, &m, &err), -EUCLEAN);
	cr_assert(strstr(err.text, "doctor --restore"), "%s", err.text);
	cr_assert_eq(machine_find_left(dir, &left, &err), 0, "%s", err.text);
	cr_assert_not(left.running);
	cr_assert_eq(left.count, 4);
	for (size_t i = 0; i < left.count; i++)
		strncat(all, left.lines[i], sizeof(all) - strlen(all) - 1);
	cr_assert(strstr(all, device) && strstr(all, SWAPPINESS), "%s", all);
	machine_left_clear(&left);

	cr_assert_eq(machine_restore_left(dir, &err), 0, "%s", err.text);
	assert_gone(device);
	now = line_of(SWAPPINESS);
	cr_assert_str_eq(now, swappiness);
	cr_assert_eq(machine_restore_left(dir, &err), 0, "a second time: %s", err.text);
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	machine_close(m, NULL);
	free(swappiness);
	free(now);
}

Test(real, choice_is_set_and_restored)
{
	char *before, *now;
	struct machine *m;
	struct err err = { "" };

	if (geteuid() != 0 || access(THP, W_OK) < 0)
		cr_skip_test("needs root and transparent huge pages");
	before = line_of(THP);
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	cr_assert_eq(
		machine_set(m, THP, strstr(before, "[never]") ? "madvise" : "never", &err),
		0, "%s", err.text);
	now = line_of(THP);
	cr_assert_str_neq(now, before);
	free(now);
	cr_assert_eq(machine_set(m, THP, "sometimes", &err), -EINVAL);
	cr_assert_eq(machine_close(m, &err), 0, "%s", err.text);
	now = line_of(THP);
	cr_assert_str_eq(now, before);
	free(now);
	free(before);
}

/* A user whom other tests do not take for the same. */
enum { SOMEBODY = 61234 };

/* Runs in a child without rights; its exit code names the step that failed. */
static int as_user(const char *own)
{
	struct machine *m, *second;
	struct err err = { "" };
	char device[64];

	if (setgid(SOMEBODY) < 0 || setuid(SOMEBODY) < 0)
		return 1;
	if (machine_open(dir, &m, &err) < 0 || access(own, W_OK) < 0)
		return 2;
	if (machine_open(dir, &second, &err) != -EBUSY)
		return 3;
	if (machine_set(m, SWAPPINESS, "17", &err) != -EPERM || !strstr(err.text, "root"))
		return 4;
	if (machine_add_zram_swap(m, SWAP_BYTES, device, &err) != -EPERM)
		return 5;
	if (machine_close(m, &err) < 0)
		return 6;
	if (chmod(own, 0777) < 0 || machine_open(dir, &m, &err) != -EPERM ||
		!strstr(err.text, own))
		return 7; /* a folder that anyone could have filled */
	return 0;
}

/* As as_user(), while root's run holds the lock of the common folder. */
static int as_second_user(void)
{
	struct machine *m;
	struct err err = { "" };

	if (setgid(SOMEBODY) < 0 || setuid(SOMEBODY) < 0)
		return 1;
	return machine_open(dir, &m, &err) == -EBUSY ? 0 : 2;
}

static int code_of(pid_t child)
{
	int status;

	cr_assert_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(real, user_has_a_folder_of_his_own_and_changes_nothing)
{
	char *own = mem_format("/tmp/shootdown-%d", SOMEBODY),
	     *lock = mem_format("%s/lock", own);
	struct machine *m;
	pid_t child;

	if (geteuid() != 0)
		cr_skip_test("needs root, to become another user");
	if (access(own, F_OK) == 0)
		cr_skip_test("%s is there already", own);
	cr_assert_eq(chmod(dir, 0755), 0);
	child = fork();
	if (child == 0)
		_exit(as_user(own));
	cr_expect_eq(code_of(child), 0);
	unlink(lock);
	rmdir(own);

	cr_assert_eq(machine_open(dir, &m, NULL), 0);
	child = fork();
	if (child == 0)
		_exit(as_second_user());
	cr_expect_eq(code_of(child), 0);
	machine_close(m, NULL);
	rmdir(own);
	free(own);
	free(lock);
}

/* In a mount namespace, zram is out of sight until a made-up modprobe shows it. */
static int as_kernel_with_module(const char *script)
{
	char *program = mem_format("%s/modprobe", dir),
	     *calls = mem_format("%s/calls", dir);
	char *path = mem_format("%s:%s", dir, getenv("PATH")), *text, device[64];
	struct machine *m;
	struct err err = { "" };

	if (unshare(CLONE_NEWNS) < 0 ||
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("none", "/sys/class/zram-control", "tmpfs", 0, NULL) < 0 ||
		mount("none", "/sys/block/zram0", "tmpfs", 0, NULL) < 0 ||
		mount("none", "/sys/module", "tmpfs", 0, NULL) < 0)
		return 77; /* no such right in this container */
	if (file_replace(program, script, strlen(script)) < 0 || chmod(program, 0755) < 0 ||
		setenv("PATH", path, 1) < 0 || setenv("CALLS", calls, 1) < 0)
		return 1;
	if (machine_open(dir, &m, &err) < 0)
		return 2;
	if (machine_add_zram_swap(m, SWAP_BYTES, device, &err) < 0)
		return machine_close(m, NULL) == 0 && strstr(err.text, "modprobe") ? 50 : 3;
	if (swap_bytes_of(device) == 0 || machine_close(m, &err) < 0)
		return 4;
	if (file_read_line("", calls, &text) < 0 || strcmp(text, "zram\n-r zram") != 0)
		return 5;
	return 0;
}

static void run_with_module(const char *script, int expected)
{
	static const char *const made[] = { "modprobe", "calls" };
	pid_t child;
	int code;

	need_root_and_zram();
	child = fork();
	if (child == 0)
		_exit(as_kernel_with_module(script));
	code = code_of(child);
	for (size_t i = 0; i < 2; i++) {
		char *path = mem_format("%s/%s", dir, made[i]);

		unlink(path);
		free(path);
	}
	if (code == 77)
		cr_skip_test("needs the right to mount");
	cr_expect_eq(code, expected, "step %d", code);
}

Test(real, module_is_loaded_and_unloaded)
{
	run_with_module("#!/bin/sh\n"
			"echo \"$@\" >>\"$CALLS\"\n"
			"[ \"$1\" = -r ] && exec rmdir /sys/module/zram\n"
			"mkdir /sys/module/zram\n"
			"umount /sys/class/zram-control /sys/block/zram0\n",
		0);
}

Test(real, kernel_without_the_module_is_left_alone)
{
	run_with_module("#!/bin/sh\nexit 1\n", 50);
}
