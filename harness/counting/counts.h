/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin counted, as a file that it writes and the host reads. Pure.
 *
 *	shootdown-counts 1
 *	arch aarch64                   QEMU's name
 *	vcpus 4
 *	classes tlbi_va_is dsb_ish     all that can be counted there
 *
 * then, for each window when it closes, with one number for each virtual CPU:
 *
 *	window 81985529216486895       its number
 *	kernel 100 0 0 20              instructions executed in the kernel
 *	at dsb_ish ptep_clear_flush 9 0 0 0    any number; -: not in the kernel
 *	end
 */
#ifndef COUNTING_COUNTS_H
#define COUNTING_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "counting/classify.h"

#define COUNTS_SCHEMA "shootdown-counts 1"
/* What the plugin says of its option probe=on, in one line. */
#define COUNTS_PROBE "probe"
#define COUNTS_READY "this QEMU has plugins"
#define COUNTS_VCPUS_MAX 1024

struct count_place {
	size_t class;
	const char *function; /* "-": not in the kernel */
	uint64_t count;       /* of all CPUs */
};

struct count_window {
	uint64_t number;
	uint64_t *kernel_insns; /* by CPU */
	uint64_t *classes;      /* class * n_vcpus + CPU */
	struct count_place *places;
	size_t n_places;
};

struct counts {
	char *text; /* that the names are in */
	unsigned int n_vcpus;
	const char *classes[CLASSES_MAX];
	size_t n_classes;
	struct count_window *windows;
	size_t n_windows;
};

/*
 * 0, or -EBADMSG and the line that is wrong. A window whose end is missing is
 * left out: QEMU was killed as it was written.
 */
int counts_parse(const char *text, struct counts *ret, struct err *err);
void counts_clear(struct counts *c);

/* The last one of that number; or NULL. */
const struct count_window *counts_find(const struct counts *c, uint64_t number);

#endif
