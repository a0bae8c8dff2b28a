// SPDX-License-Identifier: GPL-2.0-or-later
/* The words and bytes are those that binutils 2.40 makes of what stands behind them. */
#include <criterion/criterion.h>
#include <string.h>

#include "counting/classify.h"
#include "counting/mark.h"

struct word_case {
	uint32_t word;
	const char *class; /* NULL: none */
};

static void check_word(const char *target, const struct word_case *c)
{
	const struct count_arch *arch = count_find_arch(target);
	const unsigned char bytes[] = { c->word & 255, c->word >> 8 & 255,
		c->word >> 16 & 255, c->word >> 24 };
	int class = arch->classify(bytes, 4);

	if (!c->class)
		cr_expect_eq(class, -1, "%08x is a %s", c->word,
			class < 0 ? "" : arch->classes[class]);
	else
		cr_expect(class >= 0 && strcmp(arch->classes[class], c->class) == 0,
			"%08x is no %s but %s", c->word, c->class,
			class < 0 ? "none" : arch->classes[class]);
	/* Half an instruction is none. */
	cr_expect_eq(arch->classify(bytes, 2), -1);
}

/* clang-format off */
static const struct word_case arm64[] = {
	{ 0xd508831f, "tlbi_all_is" }, /* tlbi vmalle1is */
	{ 0xd508811f, "tlbi_all_os" }, /* tlbi vmalle1os */
	{ 0xd508871f, "tlbi_all_local" }, /* tlbi vmalle1 */
	{ 0xd5088323, "tlbi_va_is" }, /* tlbi vae1is x3 */
	{ 0xd5088123, "tlbi_va_os" }, /* tlbi vae1os x3 */
	{ 0xd5088723, "tlbi_va_local" }, /* tlbi vae1 x3 */
	{ 0xd5088343, "tlbi_asid_is" }, /* tlbi aside1is x3 */
	{ 0xd5088143, "tlbi_asid_os" }, /* tlbi aside1os x3 */
	{ 0xd5088743, "tlbi_asid_local" }, /* tlbi aside1 x3 */
	{ 0xd5088363, "tlbi_va_is" }, /* tlbi vaae1is x3 */
	{ 0xd5088163, "tlbi_va_os" }, /* tlbi vaae1os x3 */
	{ 0xd5088763, "tlbi_va_local" }, /* tlbi vaae1 x3 */
	{ 0xd50883a3, "tlbi_va_is" }, /* tlbi vale1is x3 */
	{ 0xd50881a3, "tlbi_va_os" }, /* tlbi vale1os x3 */
	{ 0xd50887a3, "tlbi_va_local" }, /* tlbi vale1 x3 */
	{ 0xd50883e3, "tlbi_va_is" }, /* tlbi vaale1is x3 */
	{ 0xd50881e3, "tlbi_va_os" }, /* tlbi vaale1os x3 */
	{ 0xd50887e3, "tlbi_va_local" }, /* tlbi vaale1 x3 */
	{ 0xd5088223, "tlbi_range_is" }, /* tlbi rvae1is x3 */
	{ 0xd5088523, "tlbi_range_os" }, /* tlbi rvae1os x3 */
	{ 0xd5088623, "tlbi_range_local" }, /* tlbi rvae1 x3 */
	{ 0xd5088263, "tlbi_range_is" }, /* tlbi rvaae1is x3 */
	{ 0xd5088563, "tlbi_range_os" }, /* tlbi rvaae1os x3 */
	{ 0xd5088663, "tlbi_range_local" }, /* tlbi rvaae1 x3 */
	{ 0xd50882a3, "tlbi_range_is" }, /* tlbi rvale1is x3 */
	{ 0xd50885a3, "tlbi_range_os" }, /* tlbi rvale1os x3 */
	{ 0xd50886a3, "tlbi_range_local" }, /* tlbi rvale1 x3 */
	{ 0xd50882e3, "tlbi_range_is" }, /* tlbi rvaale1is x3 */
	{ 0xd50885e3, "tlbi_range_os" }, /* tlbi rvaale1os x3 */
	{ 0xd50886e3, "tlbi_range_local" }, /* tlbi rvaale1 x3 */
	{ 0xd50c8223, "tlbi_range_is" }, /* tlbi rvae2is x3 */
	{ 0xd50c8523, "tlbi_range_os" }, /* tlbi rvae2os x3 */
	{ 0xd50c8623, "tlbi_range_local" }, /* tlbi rvae2 x3 */
	{ 0xd50c831f, "tlbi_all_is" }, /* tlbi alle2is */
	{ 0xd50c811f, "tlbi_all_os" }, /* tlbi alle2os */
	{ 0xd50c871f, "tlbi_all_local" }, /* tlbi alle2 */
	{ 0xd50c8323, "tlbi_va_is" }, /* tlbi vae2is x3 */
	{ 0xd50c8123, "tlbi_va_os" }, /* tlbi vae2os x3 */
	{ 0xd50c8723, "tlbi_va_local" }, /* tlbi vae2 x3 */
	{ 0xd50c839f, "tlbi_all_is" }, /* tlbi alle1is */
	{ 0xd50c819f, "tlbi_all_os" }, /* tlbi alle1os */
	{ 0xd50c879f, "tlbi_all_local" }, /* tlbi alle1 */
	{ 0xd50c83a3, "tlbi_va_is" }, /* tlbi vale2is x3 */
	{ 0xd50c81a3, "tlbi_va_os" }, /* tlbi vale2os x3 */
	{ 0xd50c87a3, "tlbi_va_local" }, /* tlbi vale2 x3 */
	{ 0xd50c83df, "tlbi_all_is" }, /* tlbi vmalls12e1is */
	{ 0xd50c81df, "tlbi_all_os" }, /* tlbi vmalls12e1os */
	{ 0xd50c87df, "tlbi_all_local" }, /* tlbi vmalls12e1 */
	{ 0xd50e831f, "tlbi_all_is" }, /* tlbi alle3is */
	{ 0xd50e811f, "tlbi_all_os" }, /* tlbi alle3os */
	{ 0xd50e871f, "tlbi_all_local" }, /* tlbi alle3 */
	{ 0xd50e8323, "tlbi_va_is" }, /* tlbi vae3is x3 */
	{ 0xd50e8123, "tlbi_va_os" }, /* tlbi vae3os x3 */
	{ 0xd50e8723, "tlbi_va_local" }, /* tlbi vae3 x3 */
	{ 0xd50e83a3, "tlbi_va_is" }, /* tlbi vale3is x3 */
	{ 0xd50e81a3, "tlbi_va_os" }, /* tlbi vale3os x3 */
	{ 0xd50e87a3, "tlbi_va_local" }, /* tlbi vale3 x3 */
	{ 0xd50c8023, "tlbi_va_is" }, /* tlbi ipas2e1is x3 */
	{ 0xd50c8403, "tlbi_va_os" }, /* tlbi ipas2e1os x3 */
	{ 0xd50c8423, "tlbi_va_local" }, /* tlbi ipas2e1 x3 */
	{ 0xd50c80a3, "tlbi_va_is" }, /* tlbi ipas2le1is x3 */
	{ 0xd50c8483, "tlbi_va_os" }, /* tlbi ipas2le1os x3 */
	{ 0xd50c84a3, "tlbi_va_local" }, /* tlbi ipas2le1 x3 */
	{ 0xd50c8043, "tlbi_range_is" }, /* tlbi ripas2e1is x3 */
	{ 0xd50c8463, "tlbi_range_os" }, /* tlbi ripas2e1os x3 */
	{ 0xd50c8443, "tlbi_range_local" }, /* tlbi ripas2e1 x3 */
	{ 0xd50c80c3, "tlbi_range_is" }, /* tlbi ripas2le1is x3 */
	{ 0xd50c84e3, "tlbi_range_os" }, /* tlbi ripas2le1os x3 */
	{ 0xd50c84c3, "tlbi_range_local" }, /* tlbi ripas2le1 x3 */
	{ 0xd5033f9f, "dsb_sy" }, /* dsb sy */
	{ 0xd5033e9f, "dsb_st" }, /* dsb st */
	{ 0xd5033d9f, "dsb_ld" }, /* dsb ld */
	{ 0xd5033b9f, "dsb_ish" }, /* dsb ish */
	{ 0xd5033a9f, "dsb_ishst" }, /* dsb ishst */
	{ 0xd503399f, "dsb_ishld" }, /* dsb ishld */
	{ 0xd503379f, "dsb_nsh" }, /* dsb nsh */
	{ 0xd503369f, "dsb_nshst" }, /* dsb nshst */
	{ 0xd503359f, "dsb_nshld" }, /* dsb nshld */
	{ 0xd503339f, "dsb_osh" }, /* dsb osh */
	{ 0xd503329f, "dsb_oshst" }, /* dsb oshst */
	{ 0xd503319f, "dsb_oshld" }, /* dsb oshld */
	{ 0xd503309f, NULL }, /* ssbb */
	{ 0xd503349f, NULL }, /* pssbb */
	{ 0xd5033bbf, NULL }, /* dmb ish */
	{ 0xd5033fdf, NULL }, /* isb */
	{ 0xd508711f, NULL }, /* ic ialluis */
	{ 0xd50b7e23, NULL }, /* dc civac x3 */
	{ 0xd5087803, NULL }, /* at s1e1r x3 */
	{ 0xd503201f, NULL }, /* nop */
	{ 0xd2eba05f, NULL }, /* mov xzr #0x5d02000000000000 */
	/* The nXS forms have CRn 9, and bits of their own of DSB. */
	{ 0xd5089323, "tlbi_va_is" }, /* tlbi vae1isnxs x3 */
	{ 0xd508971f, "tlbi_all_local" }, /* tlbi vmalle1nxs */
	{ 0xd5089523, "tlbi_range_os" }, /* tlbi rvae1osnxs x3 */
	{ 0xd5033a3f, "dsb_ish" }, /* dsb ishnxs */
	{ 0xd503363f, "dsb_nsh" }, /* dsb nshnxs */
	{ 0xd503323f, "dsb_osh" }, /* dsb oshnxs */
	{ 0xd5033e3f, "dsb_sy" }, /* dsb synxs */
	{ 0xd503389f, "dsb_sy" }, /* dsb #8: reserved, acts as sy */
	/* Neighbours. */
	{ 0xd5087323, NULL }, /* sys #0, c7, c3, #1, x3 */
	{ 0xd508a323, NULL }, /* CRn 10 */
	{ 0xd5088083, NULL }, /* CRm 0 of EL1 */
	{ 0xd5088203, NULL }, /* a range without an address */
	{ 0xd50883c3, NULL }, /* op2 6 of EL1 */
	{ 0xd50b8323, NULL }, /* op1 3 */
	{ 0xd5033f5f, NULL }, /* clrex */
	{ 0xd5288323, NULL }, /* sysl */
	{ 0, NULL },
};

static const struct word_case ppc[] = {
	{ 0x7ca12264, "tlbie" }, /* tlbie r4, r5, 0, 0, 1 */
	{ 0x7cab2264, "tlbie" }, /* tlbie r4, r5, 2, 1, 1 */
	{ 0x7c001a64, "tlbie" }, /* tlbie r3, r0 */
	{ 0x7ca12224, "tlbiel" }, /* tlbiel r4, r5, 0, 0, 1 */
	{ 0x7c003a24, "tlbiel" }, /* tlbiel r7 */
	{ 0x7c00046c, "tlbsync" },
	{ 0x7c4004ac, "ptesync" },
	{ 0x7c0004ac, NULL }, /* hwsync */
	{ 0x7c2004ac, NULL }, /* lwsync */
	{ 0x7c8004ac, NULL }, /* phwsync */
	{ 0x7c0006ac, NULL }, /* eieio */
	{ 0x7c001b64, NULL }, /* slbie r3 */
	{ 0x6ed60000, NULL }, /* a mark */
	{ 0x60000000, NULL }, /* nop */
};

static const struct word_case riscv[] = {
	{ 0x12000073, "sfence_vma_all" }, /* sfence.vma */
	{ 0x12050073, "sfence_vma_va" }, /* sfence.vma a0 */
	{ 0x12b50073, "sfence_vma_va" }, /* sfence.vma a0, a1 */
	{ 0x12b00073, "sfence_vma_asid" }, /* sfence.vma zero, a1 */
	{ 0x16b50073, "sinval_vma" }, /* sinval.vma a0, a1 */
	{ 0x18000073, NULL }, /* sfence.w.inval */
	{ 0x18100073, NULL }, /* sfence.inval.ir */
	{ 0x22b50073, NULL }, /* hfence.vvma a0, a1 */
	{ 0x0ff0000f, NULL }, /* fence */
	{ 0x0000100f, NULL }, /* fence.i */
	{ 0x10500073, NULL }, /* wfi */
};
/* clang-format on */

#define CHECK_ALL(target, cases)                                                           \
	for (size_t i = 0; i < sizeof(cases) / sizeof(*(cases)); i++)                      \
	check_word(target, &(cases)[i])

Test(classify, arm64)
{
	CHECK_ALL("aarch64", arm64);
}

Test(classify, ppc)
{
	CHECK_ALL("ppc64", ppc);
}

Test(classify, riscv)
{
	CHECK_ALL("riscv64", riscv);
}

Test(classify, x86)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *class;
	} cases[] = {
		{ "\x0f\x01\x38", 3, "invlpg" },                         /* (%rax) */
		{ "\x43\x0f\x01\xbc\xc8\x78\x56\x34\x12", 9, "invlpg" }, /* d(%r8,%r9,8) */
		{ "\x65\x0f\x01\x38", 4, "invlpg" },                     /* %gs:(%rax) */
		{ "\x67\x0f\x01\x38", 4, "invlpg" },                     /* (%eax) */
		{ "\x0f\x22\xd8", 3, "cr3" },                 /* mov %rax, %cr3 */
		{ "\x41\x0f\x22\xdb", 4, "cr3" },             /* mov %r11, %cr3 */
		{ "\x41\x0f\x22\xe7", 4, "cr4" },             /* mov %r15, %cr4 */
		{ "\x66\x0f\x38\x82\x18", 5, "invpcid" },     /* (%rax), %rbx */
		{ "\x66\x45\x0f\x38\x82\x08", 6, "invpcid" }, /* (%r8), %r9 */
		{ "\x0f\x22\xc0", 3, NULL },                  /* mov %rax, %cr0 */
		{ "\x44\x0f\x22\xc0", 4, NULL },              /* mov %rax, %cr8 */
		{ "\x44\x0f\x22\xd8", 4, NULL },              /* CR11: none */
		{ "\x0f\x20\xd8", 3, NULL },                  /* mov %cr3, %rax */
		{ "\x66\x0f\x38\x80\x18", 5, NULL },          /* invept */
		{ "\x0f\x38\x82\x18", 4, NULL }, /* invpcid without its prefix */
		{ "\x0f\x01\x10", 3, NULL },     /* lgdt */
		{ "\x0f\x01\xf8", 3, NULL },     /* swapgs */
		{ "\x0f\x01\xdf", 3, NULL },     /* invlpga */
		{ "\x0f\xae\x38", 3, NULL },     /* clflush */
		{ "\x0f\x09", 2, NULL },         /* wbinvd */
		{ "\x40", 1, NULL },             /* inc %eax in 32-bit code */
		{ "\x66\x66\x66", 3, NULL },
		{ "\x0f\x01", 2, NULL },
		{ "\x90", 1, NULL },
	};
	const struct count_arch *arch = count_find_arch("x86_64");

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int class =
			arch->classify((const unsigned char *)cases[i].bytes, cases[i].n);
		const char *got = class < 0 ? "none" : arch->classes[class];

		cr_expect_str_eq(
			got, cases[i].class ? cases[i].class : "none", "case %zu", i);
	}
}

/* What mark.h lets the assembler write, as found in its output. */
Test(classify, marks)
{
	static const struct {
		const char *target, *bytes;
		size_t n;
		int mark;
	} cases[] = {
		{ "x86_64", "\x0f\x1f\x80\x00\x44\x68\x53", 7, MARK_ZERO },
		{ "x86_64", "\x0f\x1f\x80\x03\x44\x68\x53", 7, MARK_CLOSE },
		{ "x86_64", "\x0f\x1f\x80\x04\x44\x68\x53", 7, -1 },
		{ "x86_64", "\x0f\x1f\x80\xff\x43\x68\x53", 7, -1 },
		{ "x86_64", "\x0f\x1f\x80\x00\x00\x00\x00", 7, -1 },
		{ "x86_64", "\x0f\x1f\x80\x00\x44\x68\x53", 6, -1 },
		{ "aarch64", "\x1f\xa0\xeb\xd2", 4, MARK_ZERO },
		{ "aarch64", "\x5f\xa0\xeb\xd2", 4, MARK_OPEN },
		{ "aarch64", "\x9f\xa0\xeb\xd2", 4, -1 }, /* #0x5d04 */
		{ "aarch64", "\x5e\xa0\xeb\xd2", 4, -1 }, /* into x30 */
		{ "aarch64", "\x1f\x20\x03\xd5", 4, -1 }, /* nop */
		{ "ppc64", "\x00\x00\x94\x6e", 4, MARK_ZERO },
		{ "ppc64", "\x00\x00\xd6\x6e", 4, MARK_OPEN },
		{ "ppc64", "\x00\x00\xf7\x6e", 4, MARK_CLOSE },
		{ "ppc64", "\x00\x00\x18\x6f", 4, -1 },
		{ "ppc64", "\x00\x00\xd7\x6e", 4, -1 }, /* of two registers */
		{ "riscv64", "\x13\x20\x00\x53", 4, MARK_ZERO },
		{ "riscv64", "\x13\x20\x20\x53", 4, MARK_OPEN },
		{ "riscv64", "\x13\x20\x40\x53", 4, -1 },
		{ "riscv64", "\x13\x00", 2, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct count_arch *arch = count_find_arch(cases[i].target);

		cr_expect_eq(arch->mark((const unsigned char *)cases[i].bytes, cases[i].n),
			cases[i].mark, "case %zu", i);
		cr_expect_eq(
			arch->classify((const unsigned char *)cases[i].bytes, cases[i].n),
			-1);
	}
	cr_assert_null(count_find_arch("i386"));
	/* And they do nothing here. */
	mark_number(7);
	MARK(MARK_OPEN);
	MARK(MARK_CLOSE);
}
