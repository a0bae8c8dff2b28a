// SPDX-License-Identifier: GPL-2.0-or-later
/* Changes this machine for real, as root, and brings it back. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void make_dir(void)
{
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
	struct err err = {""};
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
	struct err err = {""};
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
	struct err err = {""};
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
	struct err err = {""};

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
