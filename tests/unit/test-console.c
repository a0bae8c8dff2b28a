// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boots/console.h"

Test(console, knows_complaints_by_how_the_kernel_begins_them)
{
	static const struct {
		const char *line;
		enum console_fault fault;
	} cases[] = {
		{ "", CONSOLE_CLEAN },
		{ "[    0.000000] Linux version 6.12.117", CONSOLE_CLEAN },
		{ "Warning: unable to open an initial console.", CONSOLE_CLEAN },
		{ "[    0.1] Spectre V2 : WARNING: Unprivileged eBPF is enabled",
			CONSOLE_CLEAN },
		{ "[    0.1] TAA: Vulnerable: CPU bug present", CONSOLE_CLEAN },
		{ "[    1.0] Bugs: none, Oops-free", CONSOLE_CLEAN },
		{ "[not a stamp] WARNING: CPU: 0", CONSOLE_CLEAN },
		{ "[    2.5] ------------[ cut here ]------------", CONSOLE_WARNING },
		{ "[    2.5] WARNING: CPU: 1 PID: 33 at mm/rmap.c:650", CONSOLE_WARNING },
		{ "WARNING: CPU: 1 PID: 33 at mm/rmap.c:650", CONSOLE_WARNING },
		{ "[    2.5][  T33] WARNING: CPU: 1 PID: 33", CONSOLE_WARNING },
		{ "[   21.0] rcu: INFO: rcu_preempt detected stalls on CPUs",
			CONSOLE_WARNING },
		{ "[  121.0] INFO: task swap:33 blocked for more than 120 s.",
			CONSOLE_WARNING },
		{ "[   26.0] watchdog: BUG: soft lockup - CPU#1 stuck for 22s!",
			CONSOLE_BUG },
		{ "[    3.0] BUG: Bad page state in process swap  pfn:1", CONSOLE_BUG },
		{ "[    3.0] Oops: general protection fault, probably", CONSOLE_BUG },
		{ "[    3.0] Internal error: Oops: 0000000096000004 [#1] SMP",
			CONSOLE_BUG },
		{ "[    3.0] Kernel panic - not syncing: Attempted to kill init!",
			CONSOLE_PANIC },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_eq(console_classify(cases[i].line), cases[i].fault, "%s",
			cases[i].line);
}

static void feed(struct console *c, const char *text)
{
	console_feed(c, text, strlen(text));
}

Test(console, keeps_the_first_complaint_and_the_gravest)
{
	struct console c = { 0 };

	feed(&c, "[    1.0] fine\r\n[    2.0] ------------[ cut here ]------------\r\n");
	feed(&c, "[    2.0] WARNING: CPU: 0 at mm/rmap.c:1\r\n[    2.1] WARN");
	feed(&c, "ING: CPU: 1 at mm/rmap.c:2\r\n");
	cr_assert_eq(c.fault, CONSOLE_WARNING);
	cr_assert_str_eq(c.fault_line, "[    2.0] WARNING: CPU: 0 at mm/rmap.c:1");
	feed(&c, "[    3.0] Kernel panic - not syncing: Fatal exception\n[    4.0] BUG: "
		 "late\n");
	cr_assert_eq(c.fault, CONSOLE_PANIC);
	cr_assert_str_eq(
		c.fault_line, "[    3.0] Kernel panic - not syncing: Fatal exception");
	cr_assert_str_eq(c.first_line, "[    2.0] WARNING: CPU: 0 at mm/rmap.c:1");
}

Test(console, keeps_the_last_lines_in_order)
{
	struct console c = { 0 };
	char expected[CONSOLE_LAST_LINES * 16] = "", *tail;

	for (int i = 0; i < 100; i++) {
		char line[16];

		snprintf(line, sizeof(line), "line %d\n", i);
		feed(&c, line);
		if (i >= 100 - CONSOLE_LAST_LINES)
			strcat(expected, line);
	}
	tail = console_tail(&c);
	cr_assert_str_eq(tail, expected);
	free(tail);
	feed(&c, "half");
	tail = console_tail(&c);
	cr_assert_str_eq(strrchr(tail, '9') + 1, "\nhalf\n");
	free(tail);
}

Test(console, survives_anything)
{
	static const char odd[] = "\033[2J\033[1;1Ha\0b\tc\xff\n";
	struct console c = { 0 };
	char *tail;

	console_feed(&c, odd, sizeof(odd) - 1);
	tail = console_tail(&c);
	cr_assert_str_eq(tail, "a?b\tc?\n");
	free(tail);
	for (int i = 0; i < 10 * CONSOLE_LINE_BYTES; i++)
		feed(&c, "x");
	feed(&c, "\n");
	tail = console_tail(&c);
	cr_assert_eq(strlen(tail), strlen("a?b\tc?\n") + CONSOLE_LINE_BYTES);
	free(tail);
}
