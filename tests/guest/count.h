/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the programs count-ARCH.S, each of which runs on a machine without an
 * operating system, executes known numbers of instructions within a window of
 * the counting plugin, and turns the machine off. They define the macro mark.
 */
#include "harness/counting/mark.h"

#define NUMBER 81985529216486895 /* 0x123456789abcdef */

	.macro	open_window
	.set	bit, 63
	.rept	64
	mark	((NUMBER >> bit) & 1)
	.set	bit, bit - 1
	.endr
	mark	MARK_OPEN
	.endm
