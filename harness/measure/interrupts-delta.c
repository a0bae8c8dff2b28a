// SPDX-License-Identifier: GPL-2.0-or-later
/* interrupts.h, its second half: what a row counts, and its growth. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "interrupts.h"
#include "text.h"

static struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

/* "IPI0": the rows of arm, arm64, riscv and loongarch. */
static bool is_ipi_label(const char *label)
{
	return strncmp(label, "IPI", 3) == 0 && isdigit((unsigned char)label[3]);
}

/* loongarch puts "LoongArch 1" before the text, arm had "Single function call ...". */
static enum interrupt_class classify_ipi(struct span name)
{
	if (span_ends(name, "Rescheduling interrupts"))
		return INTERRUPT_RESCHEDULE;
	if (span_ends(name, "Function call interrupts") ||
		span_ends(name, "Single function call interrupts"))
		return INTERRUPT_CALL;
	return INTERRUPT_OTHER_IPI;
}

/*
 * powerpc's IPIs are ordinary rows with a number, told by what requested them:
 * one for each message ("ipi call function"), or one for all of them ("IPI" of
 * XICS, "IPI-0" of XIVE). Elsewhere a row named "IPI" repeats what the IPI
 * rows tell (loongarch).
 */
static enum interrupt_class classify_powerpc(struct span name)
{
	struct span rest = name, last;

	if (span_ends(name, " ipi call function"))
		return INTERRUPT_CALL;
	if (span_ends(name, " ipi reschedule"))
		return INTERRUPT_RESCHEDULE;
	if (span_ends(name, " ipi tick-broadcast") || span_ends(name, " nmi ipi"))
		return INTERRUPT_OTHER_IPI;
	if ((span_starts(name, "XICS ") || span_starts(name, "XIVE-")) &&
		span_last_word(&rest, &last) &&
		(span_is(last, "IPI") || span_starts(last, "IPI-")))
		return INTERRUPT_OTHER_IPI;
	return INTERRUPT_NOT_IPI;
}

enum interrupt_class interrupt_classify(const struct interrupt_row *row)
{
	if (strcmp(row->label, "TLB") == 0)
		return INTERRUPT_TLB;
	if (strcmp(row->label, "CAL") == 0)
		return INTERRUPT_CALL;
	if (strcmp(row->label, "RES") == 0)
		return INTERRUPT_RESCHEDULE;
	if (strcmp(row->label, "DBL") == 0)
		return INTERRUPT_OTHER_IPI;
	if (is_ipi_label(row->label))
		return classify_ipi(span_of(row->name));
	return classify_powerpc(span_of(row->name));
}

/* The next row of that class from *i on, which is moved behind it; NULL at the end. */
static const struct interrupt_row *next_of(
	const struct interrupts *in, enum interrupt_class which, size_t *i)
{
	while (*i < in->n_rows) {
		const struct interrupt_row *row = &in->rows[(*i)++];

		if (interrupt_classify(row) == which)
			return row;
	}
	return NULL;
}

static bool have_same_cpus(const struct interrupts *a, const struct interrupts *b)
{
	return a->n_cpus == b->n_cpus &&
	       memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(*a->cpus)) == 0;
}

/*
 * Whether both are the same row, complete, and no count fell. *total grows by
 * what arrived: where that fits, the sum of each CPU does.
 */
static bool have_grown(const struct interrupt_row *old, const struct interrupt_row *new,
	size_t n_cpus, int64_t *total)
{
	if (strcmp(old->label, new->label) != 0 || strcmp(old->name, new->name) != 0 ||
		old->n_counts != n_cpus || new->n_counts != n_cpus)
		return false;
	for (size_t cpu = 0; cpu < n_cpus; cpu++)
		if (new->counts[cpu] < old->counts[cpu] ||
			__builtin_add_overflow(
				*total, new->counts[cpu] - old->counts[cpu], total))
			return false;
	return true;
}

int interrupts_delta(const struct interrupts *before, const struct interrupts *after,
	enum interrupt_class which, int64_t *ret_deltas)
{
	const struct interrupt_row *old, *new;
	size_t i = 0, k = 0, n_rows = 0;
	int64_t total = 0;

	if (which == INTERRUPT_NOT_IPI)
		return -EINVAL;
	if (!have_same_cpus(before, after))
		return -ESTALE;
	for (;; n_rows++) {
		old = next_of(before, which, &i);
		new = next_of(after, which, &k);
		if (!old && !new)
			break;
		if (!old || !new || !have_grown(old, new, after->n_cpus, &total))
			return -ESTALE;
	}
	if (n_rows == 0)
		return -ENODATA;
	memset(ret_deltas, 0, after->n_cpus * sizeof(*ret_deltas));
	for (i = 0, k = 0; n_rows > 0; n_rows--) {
		old = next_of(before, which, &i);
		new = next_of(after, which, &k);
		for (size_t cpu = 0; cpu < after->n_cpus; cpu++)
			ret_deltas[cpu] += (int64_t)(new->counts[cpu] - old->counts[cpu]);
	}
	return 0;
}
