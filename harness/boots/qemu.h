/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machines that QEMU can be, and its argument vector. Pure, but for image_arch(). */
#ifndef BOOTS_QEMU_H
#define BOOTS_QEMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum guest_accel { ACCEL_TCG, ACCEL_KVM };

/* One for each architecture; a further one is a line in qemu.c. */
struct qemu_machine {
	const char *arch;    /* as --arch takes */
	const char *host;    /* uname -m of a host that can accelerate it */
	const char *program; /* of QEMU */
	const char *package; /* that has it, on Debian */
	const char *machine; /* -machine */
	const char *cpu[2];  /* -cpu, by enum guest_accel */
	unsigned int nodes;  /* of NUMA at most; 0: any number */
	const char *console; /* the kernel's name of the first serial port */
	const char *early;   /* what shows the kernel's first steps there; or NULL */
	bool in_turn;        /* emulated CPUs take turns on one of the host's */
};

/* Or NULL. */
const struct qemu_machine *qemu_find_machine(const char *arch);

/* The hardware and the files of one guest. */
struct qemu_guest {
	const struct qemu_machine *machine;
	enum guest_accel accel;
	const char *cpu; /* model; NULL: the machine's */
	unsigned int cpus;
	unsigned int nodes; /* of NUMA; cpus is a multiple, or less: the rest have none */
	uint64_t memory_bytes; /* a multiple of nodes MiB */

	/* Paths. */
	const char *kernel, *initrd, *console, *channel;
	const char *disk; /* of disk_make(), which the guest leaves as it was; or NULL */
	const char *command_line;

	/* The counting plugin, its file of counts and the kernel's symbols; or NULL. */
	const char *plugin, *counts, *system_map;
};

/* Ended by NULL; freed by the caller with qemu_free_argv(). */
char **qemu_argv(const struct qemu_guest *g);
void qemu_free_argv(char **argv);

/*
 * -EINVAL for a division of CPUs and memory among nodes that does not come out,
 * and for counting where nothing is emulated.
 */
int qemu_check(const struct qemu_guest *g, struct err *err);

/*
 * The kernel's command line, freed by the caller: the console, the run's id,
 * the words of kconfigs/guest.cmdline (its text), and more, the variant's own.
 */
char *qemu_command_line(const struct qemu_machine *m, const char *run_id, const char *file,
	const char *more);

/*
 * The architecture that a kernel image was built for, by its header: a name of
 * the table, or "another architecture". -EINVAL for what is no kernel image.
 */
int image_arch(const char *path, const char **ret_arch, struct err *err);

#endif
