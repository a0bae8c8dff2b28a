/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Child processes, started from an argument vector and never through a shell.
 *
 * A child leads a process group of its own, so that whatever it starts can be
 * ended with it and a Ctrl-C of the terminal reaches only this program, which
 * decides. Should this program die, the child gets a SIGTERM from the kernel
 * (PR_SET_PDEATHSIG); its own children are then its business. The thread that
 * starts a child must therefore outlive it.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct process_spec {
	const char *const *argv; /* ended by NULL; argv[0] without a slash: from PATH */
	const char *cwd;         /* NULL: the caller's */
	const char *const
		*env;      /* "NAME=value" put over the caller's, ended by NULL; or NULL */
	const char *input; /* a file for stdin; NULL: /dev/null */
	const char *log;   /* a file that stdout and stderr are appended to; NULL: none */
	/*
	 * Called from process_wait() with each line of stdout and stderr, without
	 * its newline; a line beyond 64 KiB comes in parts. NULL: no one listens.
	 */
	void (*on_line)(void *context, const char *line);
	void *context;
};

struct process;

/*
 * 0, or -errno with a line: -ENOENT where the program, the folder or a file
 * does not exist. The texts of spec need not outlive the call.
 */
int process_start(const struct process_spec *spec, struct process **ret, struct err *err);

pid_t process_pid(const struct process *p); /* also its group */

/*
 * Waits until the child has ended and its output is read, for timeout_ms
 * (-1: for ever) or until *stop is not 0 (NULL: no such flag; looked at five
 * times a second). 0 with *ret_status as of waitpid(2); -ETIMEDOUT or
 * -EINTR while it runs on; -errno where the log cannot be written.
 */
int process_wait(struct process *p, int timeout_ms, const volatile sig_atomic_t *stop,
	int *ret_status);

/*
 * Ends the whole group: SIGTERM, grace_ms later SIGKILL, and waits. *ret_status
 * as above; may be NULL. Harmless once the child has ended.
 */
void process_stop(struct process *p, int grace_ms, int *ret_status);

/* Stops the child if it still runs. Accepts NULL. */
void process_free(struct process *p);

/*
 * Start, wait, free. 0: it ended with status 0. -ECHILD: it ended otherwise,
 * and the line says how. -EINTR: *stop was set, and the group was ended.
 */
int process_run(const struct process_spec *spec, const volatile sig_atomic_t *stop,
	struct err *err);

/*
 * As process_run, and returns stdout and stderr as one text, freed by the
 * caller: after 0 and after -ECHILD, untouched otherwise. The spec's log and
 * on_line are not used.
 */
int process_capture(const struct process_spec *spec, char **ret_output, struct err *err);

/* "exit status 2", "killed by SIGSEGV"; freed by the caller. */
char *process_describe(int status);

/* Full path of an executable, looked for in PATH unless name has a slash; or -ENOENT. */
int process_find(const char *name, char **ret_path);

#endif
