/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a kernel image and a job to a result: one boot in QEMU. */
#ifndef BOOTS_GUEST_H
#define BOOTS_GUEST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "boots/job.h"
#include "boots/outcome.h"
#include "boots/qemu.h"
#include "boots/watch.h"

/* What the counting plugin leaves in the folder of a boot: counting/counts.h. */
#define GUEST_COUNTS "counts.txt"

struct guest_config {
	const char *arch; /* of qemu_find_machine() */
	enum guest_accel accel;
	const char *cpu; /* as in struct qemu_guest */
	unsigned int cpus, nodes;
	uint64_t memory_bytes;
	const char *kernel;     /* image */
	const char *base_layer; /* file of guest_write_base(), layers.h */
	const struct job *job;
	const char *words;  /* the variant's, for the command line; or "" */
	const char *disk;   /* of disk_make(), for GUEST_DISK; or NULL */
	const char *run_id; /* letters, digits, dashes; another one for each boot */
	/*
	 * An existing folder of this boot's own: console.log, qemu.log and, unless
	 * all is well and keep is false, channel.img and initrd.img.
	 */
	const char *folder;
	bool keep;
	/*
	 * The counting plugin (counting_find()), or NULL, for ACCEL_TCG only: it
	 * leaves GUEST_COUNTS in the folder. system_map: the kernel's, or NULL.
	 */
	const char *plugin, *system_map;
	const struct guest_deadlines *deadlines; /* NULL: those of the accelerator */
	const volatile sig_atomic_t *stop;       /* not 0: end it now; or NULL */
};

struct guest_outcome {
	enum guest_result result;
	enum guest_phase phase; /* the last that was reached */
	char *reason;           /* one line; "" for GUEST_OK */
	char *console_tail;     /* the last lines */
	uint64_t duration_ns;   /* from QEMU's start to its end */
	struct channel channel; /* its files count for GUEST_OK only */
};

/*
 * Boots and waits. 0 and *ret for whatever happened once QEMU was started.
 * Before that: -EINVAL for a guest that cannot be, -ENOENT without QEMU (the
 * line names its package), -ENOEXEC for a kernel of another architecture,
 * -ENOSPC on a full disk, and the like.
 */
int guest_boot(
	const struct guest_config *config, struct guest_outcome *ret, struct err *err);
void guest_outcome_clear(struct guest_outcome *o);

/* Emulation takes so much longer that each deadline is multiplied by this. */
unsigned int guest_time_scale(enum guest_accel accel);

#endif
