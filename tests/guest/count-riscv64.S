/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -M virt -bios none: starts in machine mode at 0x80000000. */
#include "count.inc"

	.macro	mark m
	.4byte	MARK_RISCV + ((\m) << MARK_RISCV_SHIFT)
	.endm
	.macro	repeat n, insn:vararg
	li	a1, \n
0:	\insn
	addi	a1, a1, -1
	bnez	a1, 0b
	.endm

	.globl	_start
_start:
	csrr	a0, mhartid
1:	bnez	a0, 1b
	sfence.vma
	open_window
	repeat	1000, sfence.vma a0
	repeat	700, sfence.vma a0, a2
	repeat	300, sfence.vma zero, a2
	repeat	100, sfence.vma
	mark	MARK_CLOSE
	sfence.vma
	li	a0, 0x100000	/* the test device: pass */
	li	a1, 0x5555
	sw	a1, (a0)
2:	j	2b
