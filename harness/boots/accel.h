/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KVM or emulation: KVM only where a kernel really boots in it. /dev/kvm may
 * be there, make a virtual machine, and still not run one (nested hosts).
 */
#ifndef BOOTS_ACCEL_H
#define BOOTS_ACCEL_H

#include <signal.h>

#include "base/err.h"
#include "boots/qemu.h"

struct accel_probe {
	const char *arch, *kernel, *base_layer; /* as in struct guest_config */
	const char *folder; /* an existing one for the probing boot's files */
	const char *cache;  /* a folder, made if missing, where answers are kept */
	const volatile sig_atomic_t *stop;
};

/*
 * 0 with the accelerator and, for ACCEL_TCG, the reason (freed by the caller;
 * NULL for KVM). The answer of a boot is kept, by kernel image, QEMU's version
 * and the host's kernel. -EINTR when stopped; else as guest_boot().
 */
int accel_choose(const struct accel_probe *p, enum guest_accel *ret, char **ret_reason,
	struct err *err);

#endif
