/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of capability.c. Each fills state, found and fix of c, named before. */
#ifndef MEASURE_CAPABILITY_PARTS_H
#define MEASURE_CAPABILITY_PARTS_H

#include "capability.h"

/* fix may be NULL. */
void capability_say(struct capability *c, enum capability_state state, const char *fix,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Read below root. */
void capability_cpus(const char *root, struct capability *c);
void capability_nodes(const char *root, struct capability *c);
void capability_swap(const char *root, struct capability *c);
void capability_zram(const char *root, struct capability *c);
void capability_thp(const char *root, struct capability *c);
void capability_cgroup(const char *root, struct capability *c);
void capability_interrupts(const char *root, struct capability *c);
void capability_vmstat_tlb(const char *root, struct capability *c);
void capability_batching(const char *root, struct capability *c);
void capability_switch(const char *root, struct capability *c);
void capability_paranoid(const char *root, struct capability *c);

/* Tried on this machine; root is "". */
void capability_software_events(const char *root, struct capability *c);
void capability_hardware_events(const char *root, struct capability *c);
void capability_profile(const char *root, struct capability *c);
void capability_tracepoint(const char *root, struct capability *c);
void capability_kvm(const char *root, struct capability *c);

#endif
