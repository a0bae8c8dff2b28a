/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands of shootdown, each a main of its own: they print, and return
 * the exit code. argv[0] is "shootdown NAME".
 */
#ifndef COMMANDS_H
#define COMMANDS_H

int cmd_ab(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_claims(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_kernel(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_nightly(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_sweep(int argc, char **argv);

/* Exit codes that the subcommands share. */
enum {
	EXIT_OK = 0,
	EXIT_FOUND = 1,   /* what was looked for is there: a failed workload, a leftover */
	EXIT_USAGE = 2,   /* usage, input or output */
	EXIT_NOTHING = 3, /* nothing could be measured or compared */
	EXIT_STOPPED = 130, /* Ctrl-C */
};

#endif
