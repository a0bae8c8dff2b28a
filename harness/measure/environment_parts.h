/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of environment.c, apart because each can be tested by itself. */
#ifndef MEASURE_ENVIRONMENT_PARTS_H
#define MEASURE_ENVIRONMENT_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* All texts returned are freed by the caller. root: see environment.h. */

/*
 * The kernel's command line without what differs from boot to boot of one
 * machine (*ret_identity) and the words of a variant, which it leaves out
 * there (*ret_variant, "" for none). What follows "--" is for init. Pure.
 */
void environment_split_cmdline(
	const char *cmdline, char **ret_identity, char **ret_variant);

/*
 * MemTotal lacks what the kernel keeps for itself, which differs by some MiB
 * from kernel to kernel of one machine; and installed memory is a multiple of
 * a large power of two. So: rounded up to an eighth of the largest power of
 * two that is not above it. Pure.
 */
uint64_t environment_round_memory(uint64_t total_bytes);

/* "Mitigation: ..." of each vulnerability that this CPU has; NULL: not told. */
char *environment_mitigations(const char *root);

/* Active swap by kind, size class and, for zram, algorithm: "zram lzo-rle 1G"; "none". */
char *environment_swap(const char *root);

/* Vendor and product by DMI or the device tree; NULL: neither is there. */
char *environment_product(const char *root);

/*
 * "none", the hypervisor ("kvm", "xen", "hyper-v", "vmware", "powervm",
 * "qemu" where it is QEMU with an unknown accelerator) or "unknown" for one
 * that does not tell. product may be NULL.
 */
char *environment_hypervisor(const char *root, const char *product);

/* Workarounds for errata of the CPU that are on and touch TLB flushes; or "unknown". */
char *environment_errata(const char *root, const char *arch);

#endif
