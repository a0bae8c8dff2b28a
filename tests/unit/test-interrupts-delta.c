// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/interrupts.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

Test(interrupt_classify, rows_of_each_architecture)
{
	static const struct {
		const char *label, *name;
		enum interrupt_class class;
	} rows[] = {
		/* x86 */
		{ "TLB", "TLB shootdowns", INTERRUPT_TLB },
		{ "CAL", "Function call interrupts", INTERRUPT_CALL },
		{ "RES", "Rescheduling interrupts", INTERRUPT_RESCHEDULE },
		{ "LOC", "Local timer interrupts", INTERRUPT_NOT_IPI },
		{ "IWI", "IRQ work interrupts", INTERRUPT_NOT_IPI },
		{ "24", "PCI-MSI 524288-edge      TLB", INTERRUPT_NOT_IPI },
		/* arm, arm64, riscv; the numbers differ from kernel to kernel */
		{ "IPI0", "Rescheduling interrupts", INTERRUPT_RESCHEDULE },
		{ "IPI2", "Rescheduling interrupts", INTERRUPT_RESCHEDULE },
		{ "IPI1", "Function call interrupts", INTERRUPT_CALL },
		{ "IPI4", "Single function call interrupts", INTERRUPT_CALL },
		{ "IPI1", "Timer broadcast interrupts", INTERRUPT_OTHER_IPI },
		{ "IPI3", "CPU stop (for crash dump) interrupts", INTERRUPT_OTHER_IPI },
		{ "IPI3", "CPU stop NMIs", INTERRUPT_OTHER_IPI },
		{ "IPI5", "IRQ work interrupts", INTERRUPT_OTHER_IPI },
		{ "IPI7", "completion interrupts", INTERRUPT_OTHER_IPI },
		{ "IPI10", "KGDB roundup interrupts", INTERRUPT_OTHER_IPI },
		{ "11", "GICv3  30 Level     arch_timer", INTERRUPT_NOT_IPI },
		{ "5", "RISC-V INTC   5  riscv-timer", INTERRUPT_NOT_IPI },
		{ "Err", "", INTERRUPT_NOT_IPI },
		/* loongarch: the numbered row is the sum of the IPI rows */
		{ "IPI0", "LoongArch  1  Rescheduling interrupts", INTERRUPT_RESCHEDULE },
		{ "IPI1", "LoongArch  2  Function call interrupts", INTERRUPT_CALL },
		{ "IPI3", "LoongArch  4  Clear vector interrupts", INTERRUPT_OTHER_IPI },
		{ "20", "CPUINTC  12  IPI", INTERRUPT_NOT_IPI },
		/* powerpc */
		{ "16", "XICS   2 Edge      IPI", INTERRUPT_OTHER_IPI },
		{ "19", "XIVE-IPI   0 Edge      IPI-0", INTERRUPT_OTHER_IPI },
		{ "251", "MPIC  251 Edge      ipi call function", INTERRUPT_CALL },
		{ "252", "MPIC  252 Edge      ipi reschedule", INTERRUPT_RESCHEDULE },
		{ "253", "MPIC  253 Edge      ipi tick-broadcast", INTERRUPT_OTHER_IPI },
		{ "254", "MPIC  254 Edge      nmi ipi", INTERRUPT_OTHER_IPI },
		{ "DBL", "Doorbell interrupts", INTERRUPT_OTHER_IPI },
		{ "17", "XICS  11 Level     eth0", INTERRUPT_NOT_IPI },
		{ "17", "OPAL EVT  11 Level     opal-msg", INTERRUPT_NOT_IPI },
		{ "TAU", "PowerPC             Thermal Assist (cpu temp)",
			INTERRUPT_NOT_IPI },
		{ "LOC", "Local timer interrupts for timer event device",
			INTERRUPT_NOT_IPI },
		{ "SPU", "Spurious interrupts", INTERRUPT_NOT_IPI },
		{ "PMI", "Performance monitoring interrupts", INTERRUPT_NOT_IPI },
		{ "MCE", "Machine check exceptions", INTERRUPT_NOT_IPI },
		{ "HMI", "Hypervisor Maintenance Interrupts", INTERRUPT_NOT_IPI },
		{ "NMI", "System Reset interrupts", INTERRUPT_NOT_IPI },
		{ "WDG", "Watchdog soft-NMI interrupts", INTERRUPT_NOT_IPI },
		{ "LOC", "Local timer interrupts for others", INTERRUPT_NOT_IPI },
		{ "BCT", "Broadcast timer interrupts for timer event device",
			INTERRUPT_NOT_IPI },
		/* s390x */
		{ "EXT", "", INTERRUPT_NOT_IPI },
		{ "CLK", "[EXT] Clock Comparator", INTERRUPT_NOT_IPI },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char label[16], name[64];
		struct interrupt_row row = { label, name, 0, NULL };

		strcpy(label, rows[i].label);
		strcpy(name, rows[i].name);
		cr_expect_eq(interrupt_classify(&row), rows[i].class, "%s: %s: %d", label,
			name, (int)interrupt_classify(&row));
	}
}

static struct interrupts parse(const char *text)
{
	struct interrupts in;
	struct err err = { "" };

	cr_assert_eq(interrupts_parse(text, &in, &err), 0, "%s", err.text);
	return in;
}

#define CPUS "CPU0 CPU2\n"

Test(interrupts_delta, sums_or_says_why_not)
{
	static const struct {
		const char *before, *after;
		enum interrupt_class which;
		int ret;
		int64_t first, last;
	} deltas[] = {
		{ CPUS "TLB: 1 2 x\nLOC: 9 9 y\n", CPUS "TLB: 4 2 x\nLOC: 99 99 y\n",
			INTERRUPT_TLB, 0, 3, 0 },
		{ CPUS "TLB: 0 0 x\n", CPUS "TLB: 0 0 x\n", INTERRUPT_TLB, 0, 0, 0 },
		{ CPUS "TLB: 0 4294967295 x\n", CPUS "TLB: 0 8589934590 x\n", INTERRUPT_TLB,
			0, 0, 4294967295 },
		/* the sum of several rows, among others that came or went */
		{ CPUS "7: 0 0 gone\nIPI3: 1 2 CPU stop interrupts\nIPI4: 10 20 IRQ work "
		       "interrupts\n",
			CPUS
			"IPI3: 2 2 CPU stop interrupts\n8: 5 5 new\nIPI4: 20 50 IRQ work "
			"interrupts\n",
			INTERRUPT_OTHER_IPI, 0, 11, 30 },
		/* two rows with one label */
		{ CPUS "DBL: 1 1 a\nDBL: 2 2 b\n", CPUS "DBL: 2 1 a\nDBL: 2 9 b\n",
			INTERRUPT_OTHER_IPI, 0, 1, 7 },
		/* powerpc: two rows LOC, and IPIs by two ways */
		{ CPUS "16: 1 2 XICS 2 Edge IPI\nLOC: 5 5 a\nLOC: 9 9 b\nPMI: 3 3 c\n"
		       "DBL: 10 20 Doorbell interrupts\n",
			CPUS "16: 2 4 XICS 2 Edge IPI\nLOC: 50 50 a\nLOC: 90 90 b\n"
			     "PMI: 30 30 c\nDBL: 14 28 Doorbell interrupts\n",
			INTERRUPT_OTHER_IPI, 0, 5, 10 },
		/* no such row, which is not 0 */
		{ CPUS "IPI0: 1 2 x\n", CPUS "IPI0: 1 2 x\n", INTERRUPT_TLB, -ENODATA, 0,
			0 },
		/* a count that went backwards, on any CPU */
		{ CPUS "TLB: 1 2 x\n", CPUS "TLB: 1 1 x\n", INTERRUPT_TLB, -ESTALE, 0, 0 },
		{ CPUS "TLB: 4294967295 2 x\n", CPUS "TLB: 3 5 x\n", INTERRUPT_TLB, -ESTALE,
			0, 0 },
		/* a CPU that went offline, came back, or another one */
		{ CPUS "TLB: 1 2 x\n", "CPU0\nTLB: 1 x\n", INTERRUPT_TLB, -ESTALE, 0, 0 },
		{ "CPU0\nTLB: 1 x\n", CPUS "TLB: 1 2 x\n", INTERRUPT_TLB, -ESTALE, 0, 0 },
		{ CPUS "TLB: 1 2 x\n", "CPU0 CPU1\nTLB: 1 2 x\n", INTERRUPT_TLB, -ESTALE, 0,
			0 },
		/* a row that only one of the two has, or that another took the place of */
		{ CPUS "TLB: 1 2 x\n", CPUS "LOC: 1 2 x\n", INTERRUPT_TLB, -ESTALE, 0, 0 },
		{ CPUS "LOC: 1 2 x\n", CPUS "TLB: 1 2 x\n", INTERRUPT_TLB, -ESTALE, 0, 0 },
		{ CPUS "16: 1 2 XICS 2 IPI\n", CPUS "17: 9 9 XICS 2 IPI\n",
			INTERRUPT_OTHER_IPI, -ESTALE, 0, 0 },
		/* what would not fit */
		{ CPUS "TLB: 0 0 x\nTLB: 0 0 y\n",
			CPUS "TLB: 0 9223372036854775807 x\nTLB: 0 1 y\n", INTERRUPT_TLB,
			-ESTALE, 0, 0 },
		/* sums and their parts */
		{ CPUS "EXT: 1 2\nCLK: 1 2 [EXT] x\n", CPUS "EXT: 2 3\nCLK: 2 3 [EXT] x\n",
			INTERRUPT_NOT_IPI, -EINVAL, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(deltas); i++) {
		struct interrupts before = parse(deltas[i].before);
		struct interrupts after = parse(deltas[i].after);
		int64_t found[2] = { 42, 42 };
		int ret = interrupts_delta(&before, &after, deltas[i].which, found);

		cr_expect_eq(ret, deltas[i].ret, "%zu: %d", i, ret);
		cr_expect_eq(
			found[0], ret < 0 ? 42 : deltas[i].first, "%zu: %ld", i, found[0]);
		cr_expect_eq(
			found[1], ret < 0 ? 42 : deltas[i].last, "%zu: %ld", i, found[1]);
		interrupts_clear(&before);
		interrupts_clear(&after);
	}
}
