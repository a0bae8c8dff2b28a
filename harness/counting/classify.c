// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Encodings: Arm ARM (DDI 0487) C5.1.3 and C6.2, TLBI and DSB; Intel SDM
 * volume 2; Power ISA 3.1 book III 6.9.3 and book II 4.6; RISC-V privileged
 * specification, SFENCE.VMA and Svinval.
 */
#include "counting/classify.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "counting/mark.h"

/* Instructions of all architectures but x86 are little-endian words here. */
static bool get_word(const unsigned char *b, size_t n, uint32_t *ret)
{
	if (n != 4)
		return false;
	*ret = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	return true;
}

static unsigned int field(uint32_t word, unsigned int low, unsigned int bits)
{
	return word >> low & ((1u << bits) - 1);
}

/*
 * arm64. A TLBI by what it names: an address (in any or in one address space,
 * or an intermediate physical one), an ASID, a range, or all there is; and by
 * whom it reaches: the inner or the outer shareable domain, or this CPU.
 */
enum { TLBI_VA, TLBI_ASID, TLBI_RANGE, TLBI_ALL };
enum { SCOPE_IS, SCOPE_OS, SCOPE_LOCAL, SCOPES };

static const char *const arm64_classes[] = {
	"tlbi_va_is",
	"tlbi_va_os",
	"tlbi_va_local",
	"tlbi_asid_is",
	"tlbi_asid_os",
	"tlbi_asid_local",
	"tlbi_range_is",
	"tlbi_range_os",
	"tlbi_range_local",
	"tlbi_all_is",
	"tlbi_all_os",
	"tlbi_all_local",
	/* By CRm / 4 (domain) and CRm % 4 (1: loads, 2: stores, 3: both). */
	"dsb_oshld",
	"dsb_oshst",
	"dsb_osh",
	"dsb_nshld",
	"dsb_nshst",
	"dsb_nsh",
	"dsb_ishld",
	"dsb_ishst",
	"dsb_ish",
	"dsb_ld",
	"dsb_st",
	"dsb_sy",
	NULL,
};
#define DSB_FIRST (SCOPES * 4)

/* By op2, for stages other than the second alone. */
static int tlbi_kind(unsigned int op1, unsigned int op2)
{
	static const signed char el1[] = { TLBI_ALL, TLBI_VA, TLBI_ASID, TLBI_VA, -1,
		TLBI_VA, -1, TLBI_VA };
	static const signed char el2[] = { TLBI_ALL, TLBI_VA, -1, -1, TLBI_ALL, TLBI_VA,
		TLBI_ALL, -1 };

	return op1 == 0 ? el1[op2] : el2[op2];
}

static int tlbi_stage2(unsigned int crm, unsigned int op2)
{
	static const signed char inner[] = { -1, TLBI_VA, TLBI_RANGE, -1, -1, TLBI_VA,
		TLBI_RANGE, -1 };
	static const struct {
		signed char kind, scope;
	} other[] = { { TLBI_VA, SCOPE_OS }, { TLBI_VA, SCOPE_LOCAL },
		{ TLBI_RANGE, SCOPE_LOCAL }, { TLBI_RANGE, SCOPE_OS },
		{ TLBI_VA, SCOPE_OS }, { TLBI_VA, SCOPE_LOCAL },
		{ TLBI_RANGE, SCOPE_LOCAL }, { TLBI_RANGE, SCOPE_OS } };

	if (crm == 4)
		return other[op2].kind * SCOPES + other[op2].scope;
	return inner[op2] < 0 ? -1 : inner[op2] * SCOPES + SCOPE_IS;
}

static int arm64_tlbi(uint32_t word)
{
	const unsigned int op1 = field(word, 16, 3), crm = field(word, 8, 4);
	const unsigned int op2 = field(word, 5, 3);
	static const struct {
		bool known, range;
		signed char scope;
	} by_crm[16] = {
		[1] = { true, false, SCOPE_OS },
		[2] = { true, true, SCOPE_IS },
		[3] = { true, false, SCOPE_IS },
		[5] = { true, true, SCOPE_OS },
		[6] = { true, true, SCOPE_LOCAL },
		[7] = { true, false, SCOPE_LOCAL },
	};
	int kind;

	if (op1 == 4 && (crm == 0 || crm == 4))
		return tlbi_stage2(crm, op2);
	if (!by_crm[crm].known || (op1 != 0 && op1 != 4 && op1 != 6))
		return -1;
	kind = tlbi_kind(op1, op2);
	/* Ranges have the op2 of their single addresses. */
	if (by_crm[crm].range)
		kind = kind == TLBI_VA ? TLBI_RANGE : -1;
	return kind < 0 ? -1 : kind * SCOPES + by_crm[crm].scope;
}

/* CRm of 0 and 4 are other barriers (SSBB, PSSBB); 8 and 12 act as SY. */
static int arm64_dsb(unsigned int crm)
{
	if (crm == 0 || crm == 4)
		return -1;
	if (crm % 4 == 0)
		crm = 15;
	return DSB_FIRST + (int)(crm / 4 * 3 + crm % 4 - 1);
}

static int arm64_classify(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word))
		return -1;
	/* CRn is 8, or 9 for the nXS forms; likewise of DSB below. */
	if ((word & 0xfff8e000) == 0xd5088000)
		return arm64_tlbi(word);
	if ((word & 0xfffff0ff) == 0xd503309f)
		return arm64_dsb(field(word, 8, 4));
	if ((word & 0xfffff3ff) == 0xd503323f)
		return arm64_dsb(field(word, 10, 2) * 4 + 3);
	return -1;
}

static int arm64_mark(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word) || (word & ~(3u << MARK_ARM64_SHIFT)) != MARK_ARM64)
		return -1;
	return (int)field(word, MARK_ARM64_SHIFT, 2);
}

enum { X86_INVLPG, X86_INVPCID, X86_CR3, X86_CR4 };
static const char *const x86_classes[] = { "invlpg", "invpcid", "cr3", "cr4", NULL };

static bool is_prefix(unsigned char byte)
{
	return memchr("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", byte, 11);
}

static int x86_classify(const unsigned char *b, size_t n)
{
	bool data16 = false;
	unsigned char rex = 0;
	unsigned int reg;
	size_t i = 0;

	for (; i < n && is_prefix(b[i]); i++)
		data16 |= b[i] == 0x66;
	/* In 32-bit code, where these are instructions, nothing follows. */
	if (i < n && (b[i] & 0xf0) == 0x40)
		rex = b[i++];
	if (n - i < 3 || b[i] != 0x0f)
		return -1;
	reg = b[i + 2] >> 3 & 7;
	switch (b[i + 1]) {
	case 0x01:
		return reg == 7 && b[i + 2] < 0xc0 ? X86_INVLPG : -1;
	case 0x22: /* REX.R makes it CR8 and up. */
		return rex & 4 ? -1 : reg == 3 ? X86_CR3 : reg == 4 ? X86_CR4 : -1;
	case 0x38:
		return b[i + 2] == 0x82 && data16 ? X86_INVPCID : -1;
	}
	return -1;
}

static int x86_mark(const unsigned char *b, size_t n)
{
	static const unsigned char start[] = { MARK_X86_NOPL };
	uint32_t disp;

	if (n != 7 || memcmp(b, start, 3) != 0 || !get_word(b + 3, 4, &disp))
		return -1;
	return disp - MARK_X86_DISP < MARKS ? (int)(disp - MARK_X86_DISP) : -1;
}

static const char *const ppc_classes[] = { "tlbie", "tlbiel", "tlbsync", "ptesync", NULL };

/* In the order of their classes. */
static const struct {
	uint32_t mask, value;
} ppc_words[] = {
	{ 0xfc0007fe, 0x7c000264 }, { 0xfc0007fe, 0x7c000224 }, { 0xfc0007fe, 0x7c00046c },
	{ 0xfce007fe, 0x7c4004ac }, /* sync with L = 2 */
};

static int ppc_classify(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word))
		return -1;
	for (int i = 0; ppc_classes[i]; i++)
		if ((word & ppc_words[i].mask) == ppc_words[i].value)
			return i;
	return -1;
}

static int ppc_mark(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word))
		return -1;
	for (unsigned int m = 0; m < MARKS; m++)
		if (word == MARK_PPC + m * MARK_PPC_STEP)
			return (int)m;
	return -1;
}

enum { RISCV_VA, RISCV_ASID, RISCV_ALL, RISCV_SINVAL };
static const char *const riscv_classes[] = { "sfence_vma_va", "sfence_vma_asid",
	"sfence_vma_all", "sinval_vma", NULL };

static int riscv_classify(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word))
		return -1;
	if ((word & 0xfe007fff) == 0x16000073)
		return RISCV_SINVAL;
	if ((word & 0xfe007fff) != 0x12000073)
		return -1;
	/* rs1: the address; rs2: the address space; zero: all of them. */
	if (field(word, 15, 5))
		return RISCV_VA;
	return field(word, 20, 5) ? RISCV_ASID : RISCV_ALL;
}

static int riscv_mark(const unsigned char *bytes, size_t n)
{
	uint32_t word;

	if (!get_word(bytes, n, &word) || (word & ~(3u << MARK_RISCV_SHIFT)) != MARK_RISCV)
		return -1;
	return (int)field(word, MARK_RISCV_SHIFT, 2);
}

static const struct count_arch arches[] = {
	{ "x86_64", x86_classes, x86_classify, x86_mark },
	{ "aarch64", arm64_classes, arm64_classify, arm64_mark },
	{ "ppc64", ppc_classes, ppc_classify, ppc_mark },
	{ "riscv64", riscv_classes, riscv_classify, riscv_mark },
};

const struct count_arch *count_find_arch(const char *target)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (strcmp(arches[i].target, target) == 0)
			return &arches[i];
	return NULL;
}
