// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/interrupts.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static struct interrupts parse(const char *text)
{
	struct interrupts in;
	struct err err = { "" };

	cr_assert_eq(interrupts_parse(text, &in, &err), 0, "%s", err.text);
	return in;
}

static const struct interrupt_row *find_row(const struct interrupts *in, const char *label)
{
	for (size_t i = 0; i < in->n_rows; i++)
		if (strcmp(in->rows[i].label, label) == 0)
			return &in->rows[i];
	cr_assert_fail("no row %s", label);
	return NULL;
}

Test(interrupts, reads_below_a_root)
{
	static const struct {
		const char *root;
		size_t n_cpus;
		int last_cpu;
		size_t n_rows;
		const char *label, *name;
		uint64_t last;
	} rows[] = {
		{ "x86", 4, 10, 11, "TLB", "TLB shootdowns", 4444 },
		{ "x86", 4, 10, 11, "16", "IR-IO-APIC   16-fasteoi   0000:00:1f.2", 0 },
		{ "x86", 4, 10, 11, "30", "PCI-MSI 524288-edge", 3 },
		{ "x86", 4, 10, 11, "1204",
			"IR-PCI-MSIX-0000:01:00.1    3-edge      "
			"ice-0000:01:00.1:ctrl-TxRx-0",
			0 },
		{ "x86", 4, 10, 11, "PIN", "Posted-interrupt notification event", 5 },
		{ "arm64", 4, 3, 10, "IPI0", "Rescheduling interrupts", 2 },
		{ "arm64", 4, 3, 10, "41", "17020000.pinctrl  41 Edge      16020000.mmc cd",
			0 },
		{ "riscv", 2, 1, 6, "5", "RISC-V INTC   5  riscv-timer", 10821 },
		{ "ppc64le", 3, 16, 7, "16", "XICS   2 Edge      IPI", 500 },
		{ "s390x", 3, 5, 7, "EXT", "", 22 },
		{ "s390x", 3, 5, 7, "C15", "[I/O] 3215", 1 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct interrupt_row *row;
		struct interrupts in;
		struct err err = { "" };
		char root[64];

		snprintf(root, sizeof(root), "tests/fixtures/%s", rows[i].root);
		cr_assert_eq(interrupts_read(root, &in, &err), 0, "%s", err.text);
		cr_expect_eq(in.n_rows, rows[i].n_rows, "%s: %zu", root, in.n_rows);
		cr_expect_eq(in.n_refused, 0, "%s", root);
		cr_assert_eq(in.n_cpus, rows[i].n_cpus, "%s", root);
		cr_expect_eq(in.cpus[in.n_cpus - 1], rows[i].last_cpu, "%s", root);
		row = find_row(&in, rows[i].label);
		cr_assert_eq(row->n_counts, in.n_cpus);
		cr_expect_eq(row->counts[in.n_cpus - 1], rows[i].last, "%s", row->label);
		cr_expect_str_eq(row->name, rows[i].name, "%s", row->name);
		interrupts_clear(&in);
	}
}

Test(interrupts, this_machine)
{
	struct interrupts in;
	struct err err = { "" };

	cr_assert_eq(interrupts_read("", &in, &err), 0, "%s", err.text);
	cr_expect_eq(in.n_refused, 0);
	interrupts_clear(&in);
	cr_expect_eq(interrupts_read("tests/fixtures/none", &in, &err), -ENOENT);
	cr_expect(strstr(err.text, "proc/interrupts"), "%s", err.text);
}

/* Each line behind a header of two CPUs and one good row. */
Test(interrupts, rows_and_what_is_none)
{
	static const struct {
		const char *line;
		int n_counts; /* -1: refused */
	} lines[] = {
		{ "IPI0:1145401553 7 Rescheduling interrupts\n", 2 },
		{ "TLB: 1 2\n", 2 },
		{ "\t\t 16:\t1\t2\tGIC 27 Edge gt\n", 2 },
		{ "EXT: 1 2 \n", 2 },
		{ "I/O: 1 2\n", 2 },
		{ "7: 1 2 8000000.ethernet-tx0\n", 2 },
		{ "ERR: 12\n", 1 },
		{ "Err:          0\r\n", 1 },
		{ "MIS: 0\n", 1 },
		{ "FIQ:              usb_fiq\n", 0 },
		{ "TLB: 1 2 TLB shootdowns", 2 },
		/* cut: by a console, an author, or in the middle of a number */
		{ "IPI6: 1\n", -1 },
		{ "38: 0 v2 106 Level v3d\n", -1 },
		{ "15: 0 el DMA IRQ\n", -1 },
		{ " 20:...\n", -1 },
		{ "TLB:\n", -1 },
		{ "TLB: 1 2", -1 },
		{ "ERR: 1", -1 },
		/* more counts than CPUs, or none that fits */
		{ "TLB: 1 2 3\n", -1 },
		{ "TLB: 1 2 3 TLB shootdowns\n", -1 },
		{ "TLB: 1 18446744073709551616 x\n", -1 },
		{ "TLB: 1 9223372036854775808 x\n", -1 },
		{ "TLB: 1 -2 x\n", -1 },
		/* the second half of a wrapped row, or another program's line */
		{ "  arch_timer\n", -1 },
		{ "0 0 0 IR-PCI-MSI 2097152-edge nvme0q0\n", -1 },
		{ "1572864-edge      nvkm\n", -1 },
		{ "134742016 Edge      nvme0q0\n", -1 },
		{ "ehci_hcd:usb2, enp0s10\n", -1 },
		{ "ahci[0000:00:0b.0]\n", -1 },
		{ " 33    0          0     GICv2  51 L\n", -1 },
		{ "[  189.9] splice: 3 callbacks suppressed\n", -1 },
		{ "Timestamp: 1737461846.86642\n", -1 },
		{ "-----8<----------8<----------\n", -1 },
		{ ": 1 2 x\n", -1 },
	};

	for (size_t i = 0; i < COUNT(lines); i++) {
		char text[256] = "  CPU0  CPU1\n 1: 5 6 first\n";
		struct interrupts in;

		strcat(text, lines[i].line);
		in = parse(text);
		cr_expect_eq(in.n_refused, lines[i].n_counts < 0, "%s", lines[i].line);
		cr_assert_eq(in.n_rows, 1 + (lines[i].n_counts >= 0), "%s", lines[i].line);
		if (lines[i].n_counts >= 0)
			cr_expect_eq(in.rows[1].n_counts, (size_t)lines[i].n_counts, "%s",
				lines[i].line);
		interrupts_clear(&in);
	}
}

Test(interrupts, header_behind_other_lines)
{
	struct interrupts in =
		parse("Timestamp: 1.5\nroot@box:~# cat x\n[ 1.0] CPU0: up\n\n"
		      "   CPU1       CPU4\nLOC: 1 2 a\nLOC: 3 4 b\n");

	cr_expect_eq(in.n_cpus, 2);
	cr_expect_eq(in.cpus[0], 1);
	cr_expect_eq(in.cpus[1], 4);
	cr_expect_eq(
		in.n_refused, 0, "lines ahead of the header are no rows that were lost");
	cr_assert_eq(in.n_rows, 2, "a label may repeat");
	cr_expect_eq(in.rows[1].counts[1], 4);
	interrupts_clear(&in);
}

Test(interrupts, refuses_in_one_line)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "no header" },
		{ "TLB: 1 2 TLB shootdowns\n", "no header" },
		{ "CPU1 CPU0\nTLB: 1 2 x\n", "no header" },
		{ "CPU0 CPU0\nTLB: 1 2 x\n", "no header" },
		{ "CPU0 CPU65536\nTLB: 1 2 x\n", "no header" },
		{ "CPU0 CPU1 ^M\nTLB: 1 2 x\n", "no header" },
		{ "CPU0 CPU\nTLB: 1 2 x\n", "no header" },
		{ "CPU0 CPU1\n", "no row" },
		{ "CPU0 CPU1\nx\n", "no row" },
		{ "CPU0 CPU1\nTLB: 1 2 x\nb\nc\n", "2 of 3 lines" },
		{ "CPU0 CPU1\nCPU2\n1: 0 0\n0 a\n2: 0 0\n0 b\n",
			"line 2: a second header" },
		{ "CPU0\nTLB: 1 x\nCPU0\nTLB: 2 x\n", "line 3: a second header" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct interrupts in = { .n_cpus = 42 };
		struct err err = { "" };

		cr_expect_eq(interrupts_parse(bad[i].text, &in, &err), -EINVAL, "%s",
			bad[i].text);
		cr_expect(strstr(err.text, bad[i].why), "%s: %s", bad[i].text, err.text);
		cr_expect_eq(in.n_cpus, 42, "touched the output");
	}
}

/*
 * Some tools had room for so many CPUs, or so many bytes of a line. Every
 * second CPU is offline, and the counts have all the digits there are.
 */
Test(interrupts, machines_of_any_size)
{
	static const size_t sizes[] = { 1, 42, 43, 64, 128, 1152 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		size_t n = sizes[i], bytes;
		char *text;
		FILE *out = open_memstream(&text, &bytes);
		struct interrupts in;

		cr_assert(out);
		fprintf(out, "%12s", "");
		for (size_t cpu = 0; cpu < n; cpu++)
			fprintf(out, "CPU%-8zu", cpu * 2);
		fputs("\n TLB: ", out);
		for (size_t cpu = 0; cpu < n; cpu++)
			fprintf(out, "%10zu ", 4294967295 - cpu);
		fputs("  TLB shootdowns\n ERR:          7\n", out);
		cr_assert_eq(fclose(out), 0);
		in = parse(text);
		cr_assert_eq(in.n_cpus, n);
		cr_expect_eq(in.n_refused, 0);
		cr_assert_eq(in.rows[0].n_counts, n);
		for (size_t cpu = 0; cpu < n; cpu++) {
			cr_expect_eq(in.cpus[cpu], (int)cpu * 2);
			cr_expect_eq(in.rows[0].counts[cpu], 4294967295 - cpu);
		}
		cr_expect_eq(in.rows[1].n_counts, 1);
		interrupts_clear(&in);
		free(text);
	}
}
