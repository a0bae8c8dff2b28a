// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What goes wrong in a guest, on demand: `fault NAME` is a step of a job. As
 * PID 1 (then it gets no name) it dies at once.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANNEL_DISK "/dev/vda" /* the only disk of these guests */

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);
	size_t bytes = strlen(text);

	if (fd < 0 || write(fd, text, bytes) != (ssize_t)bytes || close(fd) < 0) {
		perror(path);
		return 1;
	}
	return 0;
}

static int leave_result(void)
{
	puts("all is well");
	return write_file("/run/result.json", "{}");
}

static int exit_badly(void)
{
	puts("about to fail");
	return 42;
}

static int crash(void)
{
	return raise(SIGSEGV);
}

static int __attribute__((noreturn)) hang(void)
{
	for (;;)
		pause();
}

static int panic(void)
{
	return write_file("/proc/sysrq-trigger", "c");
}

static int warn(void)
{
	if (write_file("/dev/kmsg", "WARNING: CPU: 0 PID: 1 at mm/fault.c:1") != 0)
		return 1;
	return leave_result();
}

/*
 * One bit of the channel's first frame, once the host has surely seen it whole:
 * else it takes the guest for one that never opened the channel.
 */
static int flip(void)
{
	int fd = open(CHANNEL_DISK, O_RDWR);
	unsigned char byte;

	sleep(3);
	if (fd < 0 || pread(fd, &byte, 1, 25) != 1)
		return 1;
	byte ^= 4;
	if (pwrite(fd, &byte, 1, 25) != 1 || fsync(fd) < 0)
		return 1;
	return leave_result();
}

static const struct {
	const char *name;
	int (*run)(void);
} faults[] = {
	{ "none", leave_result },
	{ "exit", exit_badly },
	{ "crash", crash },
	{ "hang", hang },
	{ "panic", panic },
	{ "warn", warn },
	{ "flip", flip },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (strcmp(faults[i].name, argv[1]) == 0)
			return faults[i].run();
	}
	return 2;
}
