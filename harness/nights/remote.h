/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lab machine as seen from another: reached by ssh(1) and scp(1), as the user's
 * configuration of them says, and never asked for a password. It comes and goes,
 * since it boots.
 */
#ifndef NIGHTS_REMOTE_H
#define NIGHTS_REMOTE_H

#include <signal.h>

#include "base/err.h"

struct remote {
	const char *host; /* a name of ssh's */
	const volatile sig_atomic_t *stop;
};

#define REMOTE_AWAY 255 /* what ssh ends with where it has no connection, or lost it */

/*
 * Runs a command there, of words without newlines and ended by NULL, each of which
 * arrives as it is. 0 with
 * its exit status and all that it and ssh wrote, freed by the caller. -EINTR:
 * stopped; the command may go on.
 */
int remote_run(const struct remote *r, const char *const *words, int *ret_status,
	char **ret_output, struct err *err);

/* Copies a file there, or from there. -ECHILD: scp's line. */
int remote_put(const struct remote *r, const char *from, const char *to, struct err *err);
int remote_get(const struct remote *r, const char *from, const char *to, struct err *err);

/* The last line of a text that is not empty, freed by the caller. Pure. */
char *remote_last_line(const char *text);

/* Words as a shell has to be given them, one blank between, freed by the caller. Pure. */
char *remote_command(const char *const *words);

#endif
