/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one module that changes the machine. Each change is written to a journal
 * with its old value before it is made, and undone from there: by
 * machine_close(), or, after a kill, by machine_restore_left() of a later
 * process (`shootdown doctor --restore`).
 */
#ifndef MEASURE_MACHINE_H
#define MEASURE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define MACHINE_RUN_DIR "/run/shootdown"

struct machine;

/*
 * Takes the lock that makes this the only run on the machine. run_dir is
 * MACHINE_RUN_DIR for root; a user without the right to make it gets a folder
 * of his own below /tmp, locked likewise, and can change nothing.
 * -EBUSY: another run holds the lock (its pid is named);
 * -EUCLEAN: a killed run left changes behind (says to call doctor --restore).
 */
int machine_open(const char *run_dir, struct machine **ret, struct err *err);

/* Undoes every change, newest first, and gives up the lock. Accepts NULL. */
int machine_close(struct machine *m, struct err *err);

/*
 * Turns on a zram swap of that size on a free device: one made by hot_add, or
 * zram0 where that is not there. ret_device (at least 64 bytes) is "/dev/zramN".
 * -EPERM: not root; -ENODEV: no zram, nothing else to make swap of.
 */
int machine_add_zram_swap(
	struct machine *m, uint64_t bytes, char *ret_device, struct err *err);

/*
 * Makes a cgroup of which the memory controller is active, and that has no
 * members. *ret_path is its folder, freed by the caller, *ret_version 1 or 2.
 * It is removed, and what is in it then killed. -EPERM: not root; -ENODEV: no
 * hierarchy has the controller; or what the kernel says.
 */
int machine_add_cgroup(
	struct machine *m, char **ret_path, int *ret_version, struct err *err);

/*
 * Writes value to a file of /sys or /proc and reads it back (for a choice like
 * "always [madvise] never" the word in brackets counts).
 */
int machine_set(struct machine *m, const char *path, const char *value, struct err *err);

/*
 * Drops the pages of files that are in memory, clean and not mapped, and what
 * the kernel knows of folders: nothing that would have to be undone. -EPERM.
 */
int machine_drop_caches(const struct machine *m, struct err *err);

/* What a killed run left: one line for each change. count 0: nothing. */
struct machine_left {
	char **lines;
	size_t count;
	bool running; /* a run is in progress: these are its own */
};
int machine_find_left(const char *run_dir, struct machine_left *ret, struct err *err);
int machine_restore_left(const char *run_dir, struct err *err);
void machine_left_clear(struct machine_left *left);

#endif
