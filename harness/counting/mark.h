/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that do nothing on any processor and that the plugin knows: so
 * a program in a guest says where a window of counting opens and closes.
 *
 * To open one: its number, not 0, as 64 times MARK_ZERO or MARK_ONE, highest
 * bit first, then MARK_OPEN, all on one CPU. To close it: MARK_CLOSE, anywhere.
 *
 * Also for assembly, which has only the macros in capitals.
 */
#ifndef COUNTING_MARK_H
#define COUNTING_MARK_H

#define MARK_ZERO 0
#define MARK_ONE 1
#define MARK_OPEN 2
#define MARK_CLOSE 3
#define MARKS 4

/* x86: nopl disp32(%rax); the displacement is this plus the mark. */
#define MARK_X86_NOPL 0x0f, 0x1f, 0x80
#define MARK_X86_DISP 0x53684400
/* arm64: movz xzr, #(0x5d00 + mark), lsl #48. */
#define MARK_ARM64 0xd2eba01f
#define MARK_ARM64_SHIFT 5
/* ppc: xoris rN, rN, 0 with N = 20 + mark, in both of its fields. */
#define MARK_PPC 0x6e940000
#define MARK_PPC_STEP 0x00210000
/* riscv: slti zero, zero, 0x530 + mark: a hint in the range left to users. */
#define MARK_RISCV 0x53002013
#define MARK_RISCV_SHIFT 20

#ifndef __ASSEMBLER__
#include <stdint.h>

#if defined(__x86_64__)
#define MARK(m)                                                                            \
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" ::"i"(MARK_X86_DISP + (m))  \
			 : "memory")
#elif defined(__aarch64__)
#define MARK(m)                                                                            \
	__asm__ volatile(".inst %c0" ::"i"(MARK_ARM64 + ((m) << MARK_ARM64_SHIFT))         \
			 : "memory")
#elif defined(__powerpc64__)
#define MARK(m) __asm__ volatile(".long %c0" ::"i"(MARK_PPC + (m)*MARK_PPC_STEP) : "memory")
#elif defined(__riscv)
#define MARK(m)                                                                            \
	__asm__ volatile(".4byte %0" ::"i"(MARK_RISCV + ((m) << MARK_RISCV_SHIFT))         \
			 : "memory")
#else
#define MARK(m) ((void)(m)) /* no plugin counts there */
#endif

static inline void mark_number(uint64_t number)
{
	for (int bit = 63; bit >= 0; bit--) {
		if (number >> bit & 1)
			MARK(MARK_ONE);
		else
			MARK(MARK_ZERO);
	}
}
#endif

#endif
