/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiboot: starts in 32-bit protected mode without paging. */
#include "count.inc"

	.macro	mark m
	.byte	MARK_X86_NOPL
	.long	MARK_X86_DISP + (\m)
	.endm
	.macro	repeat n, insn:vararg
	mov	$\n, %ecx
0:	\insn
	dec	%ecx
	jnz	0b
	.endm

	.balign	4
	.long	0x1badb002, 0, -0x1badb002

	.globl	_start
_start:
	xor	%eax, %eax
	mov	%cr4, %edx
	invlpg	(%eax)
	open_window
	repeat	1000, invlpg (%eax)
	repeat	70, invlpg %fs:0x12345678(,%eax,8)
	repeat	300, mov %eax, %cr3
	repeat	200, mov %edx, %cr4
	repeat	50, mov %cr3, %ebx
	mark	MARK_CLOSE
	invlpg	(%eax)
	out	%al, $0xf4	/* isa-debug-exit */
1:	jmp	1b
