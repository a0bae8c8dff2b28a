/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shootdown ab: what the workloads ask of a guest. */
#ifndef COMMANDS_AB_WORKLOADS_H
#define COMMANDS_AB_WORKLOADS_H

#include "commands/ab_parts.h"

/* What is to be run in the guests, those of the suite included. */
struct ab_workloads {
	size_t count;
	struct words words;  /* besides the suite, as one would type them in a guest */
	uint64_t disk_bytes; /* of files that the largest makes; 0: none does */
	struct words files;  /* of this machine, which are read: on the disk as well */
};

/* -EINVAL, also for a name with a typing error: now and not in the guest. */
int ab_look_at_workloads(
	const struct ab_arguments *a, struct ab_workloads *ret, struct err *err);
void ab_workloads_clear(struct ab_workloads *w);

#endif
