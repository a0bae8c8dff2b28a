/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory cgroup of machine.c: how it comes, and how it is taken away. */
#ifndef MEASURE_MACHINE_CGROUP_H
#define MEASURE_MACHINE_CGROUP_H

#include "base/err.h"
#include "machine_journal.h"

/*
 * Where the memory controller is: the mount point, freed by the caller, and 1
 * or 2 for the version of that hierarchy. -ENODEV: it is nowhere.
 */
int cgroup_find(const char *root, char **ret_mount, int *ret_version, struct err *err);

/* See machine_add_cgroup(); each step is noted in the journal before it is taken. */
int cgroup_make(struct journal *j, char **ret_path, int *ret_version, struct err *err);

/*
 * Undoes one change of a cgroup kind: kills what is still in it and removes
 * the folder. 0 also where that is gone, or was never made.
 */
int cgroup_undo(const struct change *c, struct err *err);

#endif
