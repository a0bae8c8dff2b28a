/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sysctls of a job, set in the guest. */
#ifndef BOOTS_SYSCTLS_H
#define BOOTS_SYSCTLS_H

#include "boots/job.h"

/*
 * Sets each below root ("" for /proc) and reads it back. *ret_before, which the
 * caller clears, gets what they were: set again, all is as it was. 0, or -errno and
 * the sysctl: -EIO for one that reads back as something else; then those before
 * it are set, and *ret_before is left alone.
 */
int sysctls_set(const char *root, const struct job_sysctls *s,
	struct job_sysctls *ret_before, struct err *err);

#endif
