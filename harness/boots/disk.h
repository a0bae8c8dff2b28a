/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A guest's disk with a file system, made without mounting it. */
#ifndef BOOTS_DISK_H
#define BOOTS_DISK_H

#include <stdint.h>

#include "base/err.h"

/* By this serial number the guest finds the device; 20 characters at most. */
#define DISK_SERIAL "shootdown-disk"

struct disk_plan {
	uint64_t free_bytes; /* for what is written in the guest */
	/* Files that lie in its root folder under their own names; ended by NULL. */
	const char *const *files;
};

/*
 * Makes path a sparse image with ext4, and a folder beside it meanwhile. -ENOENT
 * without mke2fs, or a file; -EEXIST for two files of one name; -ENOSPC where
 * the disk below has no room; -ECHILD with what mke2fs said.
 */
int disk_make(const char *path, const struct disk_plan *plan, struct err *err);

#endif
