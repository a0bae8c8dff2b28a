/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/interrupts, of any architecture: which CPU received how many of what.
 * Pure, except for interrupts_read().
 *
 * Format: kernel/irq/proc.c show_interrupts() and each architecture's
 * arch_show_interrupts(). The header names the online CPUs only, so a column
 * is found through it and never by its position.
 */
#ifndef MEASURE_INTERRUPTS_H
#define MEASURE_INTERRUPTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct interrupt_row {
	char *label;      /* before the first colon, without blanks: "TLB", "IPI0", "24" */
	char *name;       /* after the counts, blanks at both ends cut: "TLB shootdowns" */
	size_t n_counts;  /* n_cpus; 1 for ERR, Err, MIS, BAD; 0 for FIQ */
	uint64_t *counts; /* by column */
};

struct interrupts {
	int *cpus; /* from the header: the CPU of each column */
	size_t n_cpus;
	struct interrupt_row *rows; /* in the order of the file; labels may repeat */
	size_t n_rows;
	size_t n_refused; /* lines that are no row: garbled, wrapped, cut */
};

/*
 * What a row counts, as far as the project cares. By label on x86, by name
 * elsewhere (IPI numbers differ from kernel to kernel): the text that the
 * architecture prints for it.
 */
enum interrupt_class {
	INTERRUPT_TLB,        /* x86 TLB: a shootdown arrived */
	INTERRUPT_CALL,       /* CAL; "Function call interrupts", and the like */
	INTERRUPT_RESCHEDULE, /* RES; "Rescheduling interrupts" */
	INTERRUPT_OTHER_IPI,  /* any further IPI row of arm64, riscv, loongarch, powerpc */
	INTERRUPT_NOT_IPI,    /* anything else, s390x's sums of other rows included */
};

/*
 * Parses one snapshot; lines ahead of the header are passed over. 0; -EINVAL
 * where there is no header line with CPUs, or a second one (wrapped, or two
 * snapshots), or more than half of the lines are no rows; the line says which.
 */
int interrupts_parse(const char *text, struct interrupts *ret, struct err *err);
int interrupts_read(const char *root, struct interrupts *ret, struct err *err);
void interrupts_clear(struct interrupts *in);

enum interrupt_class interrupt_classify(const struct interrupt_row *row);

/*
 * Sums by CPU what arrived of a class between two snapshots:
 * ret_deltas[i] belongs to after->cpus[i]; the caller provides after->n_cpus.
 * 0; -ENODATA where no row of the class exists; -ESTALE where CPUs or rows of
 * the class differ between the two, or a count went backwards; -EINVAL for
 * INTERRUPT_NOT_IPI, whose sum would count some interrupts twice.
 */
int interrupts_delta(const struct interrupts *before, const struct interrupts *after,
	enum interrupt_class which, int64_t *ret_deltas);

#endif
