/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/cpuinfo: what kind of CPU this is, as text that can be compared.
 * Pure, except for cpuinfo_read().
 */
#ifndef MEASURE_CPUINFO_H
#define MEASURE_CPUINFO_H

#include "base/err.h"

/*
 * Strings are never NULL: "" where the architecture does not tell. A machine
 * with several kinds of cores has them joined in order of first appearance
 * with " + " ("0x41/0xd05 r1p0 + 0x41/0xd0a r1p1").
 */
struct cpuinfo {
	char *model;     /* model name; arm64: known part name or implementer/part */
	char *stepping;  /* x86: family-model-stepping; arm64: rNpM; ppc: revision */
	char *microcode; /* x86 */
	int n_cpus;      /* entries */
};

int cpuinfo_parse(const char *text, struct cpuinfo *ret, struct err *err);
int cpuinfo_read(const char *root, struct cpuinfo *ret, struct err *err);
void cpuinfo_clear(struct cpuinfo *c);

#endif
