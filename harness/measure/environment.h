/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was measured where: the identity, subject and state of a result, read
 * from /proc, /sys, hwloc, uname and the kernel's configuration.
 */
#ifndef MEASURE_ENVIRONMENT_H
#define MEASURE_ENVIRONMENT_H

#include "measure/interrupts.h"
#include "verdicts/record.h"

/*
 * Fills record->identity, ->subject and ->state; the keys stand in
 * results/README.md. root is "" or a recorded machine's folder, where hwloc
 * and uname are not asked. What cannot be read is left out of the record, or
 * says "unknown" where a key must not be missing.
 */
int environment_fill(const char *root, struct record *record, struct err *err);

/*
 * How this kernel flushes other CPUs without interrupting them, so that
 * /proc/interrupts does not count it: "invlpgb" (an instruction), "hypercall",
 * or NULL, if it does neither. The caller frees it.
 */
char *environment_broadcast(const char *root);

/* Whether the TLB row, of which in has none counted, stays 0 whatever happens. */
bool environment_flushes_by_hypercall(const char *root, const struct interrupts *in);

#endif
