/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ctrl-C, SIGTERM and SIGHUP end a long command in good order. */
#ifndef COMMANDS_INTERRUPT_H
#define COMMANDS_INTERRUPT_H

#include <signal.h>

/* The number of the signal that came; 0: none. */
extern volatile sig_atomic_t interrupted;

void interrupt_catch(void);

#endif
