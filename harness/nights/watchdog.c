// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/watchdog.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

#define STOP_ON_REBOOT "/sys/module/watchdog/parameters/stop_on_reboot"

int watchdog_arm(const char *device, unsigned int timeout_s, int *ret_fd, struct err *err)
{
	int fd, timeout = (int)timeout_s, code = 0;

	if (!device) {
		*ret_fd = -1;
		return 0;
	}
	fd = open(device, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "%s: %m%s", device,
			errno == EBUSY ? ": is it systemd's (RuntimeWatchdogSec)?" : "");
	if (ioctl(fd, WDIOC_SETTIMEOUT, &timeout) < 0)
		code = err_set(err, -errno, "%s: a timeout of %u s: %m", device, timeout_s);
	if (code < 0)
		watchdog_disarm(fd);
	else
		*ret_fd = fd;
	return code;
}

void watchdog_ping(int fd)
{
	if (fd >= 0)
		ioctl(fd, WDIOC_KEEPALIVE, 0);
}

void watchdog_disarm(int fd)
{
	if (fd < 0)
		return;
	/* The magic character: closed without it, the device runs on. */
	if (write(fd, "V", 1) < 0)
		watchdog_ping(fd);
	close(fd);
}

int watchdog_check_kexec(const char *root, struct err *err)
{
	char *value;
	const int code = file_read_line(root, STOP_ON_REBOOT, &value);
	int is_kept;

	if (code < 0)
		return err_set(err, code, STOP_ON_REBOOT ": %s: no watchdog driver",
			strerror(-code));
	is_kept = strcmp(value, "0") == 0;
	free(value);
	return is_kept ? 0
		       : err_set(err, -EINVAL,
				 "the jump by kexec would stop the watchdog: boot the "
				 "default kernel with watchdog.stop_on_reboot=0");
}
