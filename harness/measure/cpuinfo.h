/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/cpuinfo: what kind of CPU this is, as text that can be compared.
 * Pure, except for cpuinfo_read().
 */
#ifndef MEASURE_CPUINFO_H
#define MEASURE_CPUINFO_H

#include "base/err.h"

/*
 * Strings are never NULL: "" where the architecture does not tell. Where cores
 * differ, each string has its different values joined with " + " in order of
 * first appearance ("Cortex-A55 + Cortex-A76").
 */
struct cpuinfo {
	char *model;     /* model name; arm64: known part name, or "0x41/0xfff" */
	char *stepping;  /* x86: family-model-stepping; arm64: rNpM; ppc: revision */
	char *microcode; /* x86 */
	int n_cpus;      /* entries */
};

/*
 * 0; -EINVAL for no processor, a line behind the first one that is no "key :
 * value", numbers that do not ascend, or fewer entries than the text says.
 */
int cpuinfo_parse(const char *text, struct cpuinfo *ret, struct err *err);
int cpuinfo_read(const char *root, struct cpuinfo *ret, struct err *err);
void cpuinfo_clear(struct cpuinfo *c);

#endif
