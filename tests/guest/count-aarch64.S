/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -M virt -cpu max: starts at EL1 with the MMU off. */
#include "count.inc"

	.arch	armv8.7-a
	.macro	mark m
	.inst	MARK_ARM64 + ((\m) << MARK_ARM64_SHIFT)
	.endm
	.macro	repeat n, insn:vararg
	mov	x1, \n
0:	\insn
	subs	x1, x1, 1
	b.ne	0b
	.endm

	.globl	_start
_start:
	mov	x0, xzr
	tlbi	vae1is, x0
	dsb	ish
	open_window
	repeat	1000, tlbi vae1is, x0
	repeat	300, tlbi vale1, x0
	repeat	200, tlbi aside1is, x0
	repeat	100, tlbi vmalle1
	repeat	70, tlbi vmalle1is
	repeat	50, tlbi rvae1is, x0
	repeat	30, tlbi vaae1os, x0
	repeat	2000, dsb ish
	repeat	1500, dsb ishst
	repeat	600, dsb nsh
	repeat	500, dsb sy
	mark	MARK_CLOSE
	tlbi	vae1is, x0
	dsb	ish
	ldr	x0, =0x84000008	/* PSCI SYSTEM_OFF */
	hvc	0
1:	b	1b
