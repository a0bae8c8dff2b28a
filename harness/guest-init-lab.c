// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PID 1 of a lab machine in QEMU: one disk, and `shootdown nightly` in each
 * kernel that is booted, as the systemd unit has it on a real machine. When
 * there is nothing more to do, the machine is powered off.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/guest-paths.h"
#include "guest-init-parts.h"
#include "nights/images.h"

#define DISK "/lab"
#define STATE DISK "/night"
#define MACHINE DISK "/lab.machine"

void guest_mount_all(void)
{
	static const struct {
		const char *type, *path;
	} mounts[] = {
		{ "devtmpfs", "/dev" },
		{ "proc", "/proc" },
		{ "sysfs", "/sys" },
		{ "tracefs", "/sys/kernel/tracing" },
		{ "cgroup2", "/sys/fs/cgroup" },
		{ "tmpfs", "/run" },
		{ "tmpfs", "/tmp" },
		{ "tmpfs", "/dev/shm" },
	};
	int console, failed[sizeof(mounts) / sizeof(mounts[0])] = { 0 };

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].path, 0755);
		if (mount(mounts[i].type, mounts[i].path, mounts[i].type, 0, NULL) < 0)
			failed[i] = errno;
	}
	/* The initramfs has no /dev/console, so the kernel gave us none. */
	console = open("/dev/console", O_RDWR | O_NOCTTY);
	for (int fd = 0; console >= 0 && fd < 3; fd++)
		dup2(console, fd);
	if (console > 2)
		close(console);
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		if (failed[i])
			printf("guest-init: mount %s: %s\n", mounts[i].path,
				strerror(failed[i]));
	}
}

char *guest_find_word(const char *key)
{
	char *line, *value;

	if (file_read_line("", "/proc/cmdline", &line) < 0)
		return NULL;
	value = night_find_word(line, key);
	free(line);
	return value;
}

/* The default kernel has nothing left to do; an arm's must not stay. */
static void __attribute__((noreturn)) leave(void)
{
	char *arm = guest_find_word("shootdown.arm");

	umount(DISK);
	sync();
	reboot(arm ? RB_AUTOBOOT : RB_POWER_OFF);
	for (;;)
		pause();
}

static void __attribute__((noreturn)) become_nightly(void)
{
	static const char *const environment[] = { "PATH=" GUEST_BIN, "HOME=/", "LC_ALL=C",
		"SHOOTDOWN_DATA=" GUEST_DATA, NULL };
	const char *const begin[] = { GUEST_BIN "/shootdown", "nightly", "--machine",
		MACHINE, NULL };
	const char *const resume[] = { GUEST_BIN "/shootdown", "nightly", "--resume",
		"--state", STATE, NULL };
	const char *const *argv = access(STATE "/journal", F_OK) == 0 ? resume : begin;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(argv[0], (char *const *)argv, (char *const *)environment);
	printf("guest-init: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

void guest_be_lab(const char *disk)
{
	char *device = mem_format("/dev/%s", disk);
	int status = 0;
	pid_t pid;

	mkdir(DISK, 0755);
	if (mount(device, DISK, "ext4", 0, NULL) < 0) {
		printf("guest-init: mount %s: %s\n", device, strerror(errno));
		leave();
	}
	free(device);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		become_nightly();
	while (pid > 0 && waitpid(-1, &status, 0) != pid)
		;
	printf("guest-init: nightly ended with status %d\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	fflush(stdout);
	leave();
}
