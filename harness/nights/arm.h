/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the kernel of an arm: sets the machine as its file says, reading back what
 * it sets, and measures. Nothing is set back: a reset follows.
 */
#ifndef NIGHTS_ARM_H
#define NIGHTS_ARM_H

#include <signal.h>

#include "nights/images.h"

/*
 * Runs `shootdown run` into the file result, which is not there before. watchdog,
 * a descriptor or -1, is pinged as long as that is within its deadline.
 * 0; -ETIMEDOUT after the machine's deadline; or what could not be set.
 */
int night_measure(const struct machine_file *m, const struct night_image *image,
	const char *result, int watchdog, const volatile sig_atomic_t *stop,
	struct err *err);

#endif
