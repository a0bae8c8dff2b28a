// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "measure/cpuinfo.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))
#define X86(n, microcode)                                                                  \
	"processor\t: " n                                                                  \
	"\ncpu family\t: 6\nmodel\t\t: 87\nmodel name\t: A  CPU @ 1.4GHz\n"                \
	"stepping\t: 1\nmicrocode\t: " microcode "\npower management:\n\n"

Test(cpuinfo, reads_below_a_root)
{
	static const struct {
		const char *root;
		int n_cpus;
		const char *model, *stepping, *microcode;
	} machines[] = {
		{ "tests/fixtures/x86", 4, "Imaginary Core 7 with 3 cores off", "6-170-4",
			"0x1c" },
		{ "tests/fixtures/arm64", 4, "Cortex-A55 + Cortex-A76 + 0x41/0xfff",
			"r2p0 + r15p12 + r0p1", "" },
		{ "tests/fixtures/riscv", 2, "sifive,u74-mc", "", "" },
		{ "tests/fixtures/ppc64le", 3, "POWER9, altivec supported",
			"2.3 (pvr 004e 1203)", "" },
		{ "tests/fixtures/s390x", 3, "IBM/S390 2817", "", "" },
	};
	struct err err = { "" };
	struct cpuinfo c;

	for (size_t i = 0; i < COUNT(machines); i++) {
		cr_assert_eq(cpuinfo_read(machines[i].root, &c, &err), 0, "%s", err.text);
		cr_expect_eq(c.n_cpus, machines[i].n_cpus, "%s", machines[i].root);
		cr_expect_str_eq(c.model, machines[i].model, "%s", c.model);
		cr_expect_str_eq(c.stepping, machines[i].stepping, "%s", c.stepping);
		cr_expect_str_eq(c.microcode, machines[i].microcode, "%s", c.microcode);
		cpuinfo_clear(&c);
		cr_expect_null(c.model);
	}
	cr_expect_eq(cpuinfo_read("tests/fixtures/none", &c, &err), -ENOENT);
	cr_expect(strstr(err.text, "proc/cpuinfo"), "%s", err.text);
}

Test(cpuinfo, tells_what_is_there)
{
	static const struct {
		const char *text;
		int n_cpus;
		const char *model, *stepping, *microcode;
	} texts[] = {
		{ X86("0", "0x1b6") X86("4", "0x1b7"), 2, "A  CPU @ 1.4GHz", "6-87-1",
			"0x1b6 + 0x1b7" },
		/* an old arm kernel tells about all CPUs behind the last entry */
		{ "Processor\t: AArch64 rev 1\nprocessor\t: 0\nprocessor\t: 1\n\n"
		  "CPU implementer\t: 0x48\nCPU variant\t: 0x1\nCPU part\t: 0xd01\n"
		  "CPU revision\t: 0\n\nHardware\t: x\n",
			2, "Kunpeng-920", "r1p0", "" },
		{ "processor\t: 0\nhart\t: 0\nisa\t: rv64imafdc\nmmu\t: sv39\n", 1,
			"rv64imafdc", "", "" },
		{ "system type\t\t: generic\n\nprocessor\t\t: 0\nModel Name\t\t: "
		  "Loongson-3A5000\n",
			1, "Loongson-3A5000", "", "" },
		/* a paste with words ahead; and no newline at its end */
		{ "the /proc/cpuinfo of my box\nLinux 6.6: aarch64\n\nprocessor\t: 0\n"
		  "CPU implementer\t: 0x41\nCPU part\t: 0xd0c",
			1, "Neoverse-N1", "", "" },
		{ "processor\t: 7\nbogomips\t: 50\n", 1, "", "", "" },
	};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct err err = { "" };
		struct cpuinfo c;

		cr_assert_eq(cpuinfo_parse(texts[i].text, &c, &err), 0, "%s", err.text);
		cr_expect_eq(c.n_cpus, texts[i].n_cpus, "%s", texts[i].text);
		cr_expect_str_eq(c.model, texts[i].model, "%s", c.model);
		cr_expect_str_eq(c.stepping, texts[i].stepping, "%s", c.stepping);
		cr_expect_str_eq(c.microcode, texts[i].microcode, "%s", c.microcode);
		cpuinfo_clear(&c);
	}
}

Test(cpuinfo, refuses_in_one_line)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "no processor" },
		{ "Model name:  Some CPU\nThread(s) per core: 2\n", "no processor" },
		{ "processor\t: x\n", "not a number" },
		{ "processor\t: 99999999999\n", "not a number" },
		{ "processor\t: 0\nflags\t: fpu\nvme de\n", "line 3" },
		{ X86("0", "1") X86("1", "1") X86("0", "1"), "processor 0 after 1" },
		{ X86("0", "1") X86("0", "1"), "processor 0 after 0" },
		{ "# processors    : 3\nprocessor 0: version = FF,  machine = 8561\n",
			"1 entries of 3" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct cpuinfo c = { .n_cpus = 42 };
		struct err err = { "" };

		cr_expect_eq(
			cpuinfo_parse(bad[i].text, &c, &err), -EINVAL, "%s", bad[i].text);
		cr_expect(strstr(err.text, bad[i].why), "%s: %s", bad[i].text, err.text);
		cr_expect_eq(c.n_cpus, 42, "touched the output");
	}
}
