// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/interrupt.h"

volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	interrupted = number;
}

void interrupt_catch(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}
