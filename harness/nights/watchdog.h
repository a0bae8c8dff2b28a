/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device that resets a machine whose kernel hangs. It is armed before the
 * jump into an arm's kernel, and there again.
 */
#ifndef NIGHTS_WATCHDOG_H
#define NIGHTS_WATCHDOG_H

#include "base/err.h"

/*
 * Opens the device, which starts it: the machine is reset timeout_s after the
 * last ping. *ret_fd is -1 where device is NULL. -EBUSY: another program has
 * it; -EINVAL: the device cannot wait that long.
 */
int watchdog_arm(const char *device, unsigned int timeout_s, int *ret_fd, struct err *err);

/* fd -1 is none, and harmless. */
void watchdog_ping(int fd);

/* Stops it where it can be stopped, and closes fd. */
void watchdog_disarm(int fd);

/*
 * Whether a kexec leaves it running: most drivers stop it whenever their kernel
 * is left. root is put before paths of /sys. -EINVAL: no, with what is to be done.
 */
int watchdog_check_kexec(const char *root, struct err *err);

#endif
