/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -M pseries -bios: loaded at 0, starts at 0x100 in big-endian real mode, of
 * which the plugin knows nothing: the kernels that it is for are little-endian.
 */
#include "count.inc"

	.machine power9
	.macro	mark m
	.long	MARK_PPC + (\m) * MARK_PPC_STEP
	.endm
	.macro	repeat n, insn:vararg
	li	6, \n
	mtctr	6
0:	\insn
	bdnz	0b
	.endm
	.macro	big word
	.byte	(\word >> 24) & 255, (\word >> 16) & 255, (\word >> 8) & 255, \word & 255
	.endm

	.globl	_start
	.org	0x100
_start:
	big	0x7c6000a6	/* mfmsr r3 */
	big	0x60630001	/* ori r3, r3, 1: MSR[LE] */
	big	0x7c7b03a6	/* mtsrr1 r3 */
	big	0x38800200	/* li r4, 0x200 */
	big	0x7c9a03a6	/* mtsrr0 r4 */
	big	0x4c000024	/* rfid */
	.org	0x200
	li	3, 0x37c	/* H_REGISTER_PROC_TBL: radix, and guests may tlbie */
	li	4, 0x1d
	li	5, 0
	li	6, 0
	li	7, 0
	sc	1
	li	4, 0
	li	5, 0
	ptesync
	open_window
	repeat	1000, tlbie 4, 5, 0, 1, 1
	repeat	700, tlbiel 4, 5, 0, 1, 1
	repeat	300, tlbsync
	repeat	500, ptesync
	repeat	200, sync
	mark	MARK_CLOSE
	ptesync
	li	3, 0		/* H_RTAS */
	ori	3, 3, 0xf000
	lis	4, rtas@h
	ori	4, 4, rtas@l
	sc	1
1:	b	1b
	.balign	64
rtas:	/* power-off, two arguments, one result */
	big	0x2003
	big	2
	big	1
	.long	0, 0, 0
