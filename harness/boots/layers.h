/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The initramfs of a guest: a base that all boots share, and a job on top of it. */
#ifndef BOOTS_LAYERS_H
#define BOOTS_LAYERS_H

#include "base/err.h"
#include "boots/job.h"

/*
 * The base: init is guest-init; programs (ended by NULL) go to GUEST_BIN under
 * their own names, with their libraries from below root ("": this machine's);
 * and the project's suites.
 */
int guest_write_base(const char *path, const char *init, const char *const *programs,
	const char *root, struct err *err);

/* The whole: base_layer is a file of guest_write_base(); scale as in job_format(). */
int guest_write_initrd(const char *path, const char *base_layer, const struct job *job,
	unsigned int scale, struct err *err);

#endif
