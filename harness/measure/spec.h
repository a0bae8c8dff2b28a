/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload with its parameters, from what a user types: NAME or
 * NAME:key=value,key=value. Pure.
 */
#ifndef MEASURE_SPEC_H
#define MEASURE_SPEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/bench.h"
#include "measure/cpulist.h"

struct spec {
	const struct workload *workload;
	uint64_t *values;    /* one for each of workload->params */
	char **texts;        /* likewise; NULL but for PARAM_FILES */
	uint64_t iterations; /* operations in each sample; 0: from the time budget */
	int cpu;             /* where the measuring thread is pinned */
};

/* What values are checked against. */
struct spec_machine {
	size_t page_bytes;
	struct cpulist cpus; /* online, and allowed to this process; not empty */
};

/* The parameters that every workload has: iterations and cpu. */
extern const struct param spec_common_params[];

/*
 * 0; -EINVAL for what is wrong on every machine: an unknown name (with the
 * nearest known one), no number, out of range, not a multiple of the page;
 * -ENODEV for what this machine has not: so many CPUs, that CPU.
 * cpu=auto is the last CPU: interrupts tend to go to the first.
 */
int spec_parse(const char *text, const struct spec_machine *machine, struct spec *ret,
	struct err *err);
void spec_clear(struct spec *spec);

/* The same again, in the words of spec_parse; without the parameters that have
 * their defaults. Freed by the caller. */
char *spec_format(const struct spec *spec);

/* The value of the ith of workload->params as text. Freed by the caller. */
char *spec_value_text(const struct spec *spec, size_t i);

/* One value as text: "1048576", "read"; not of PARAM_FILES. Freed by the caller. */
char *param_format(const struct param *param, uint64_t value);

#endif
