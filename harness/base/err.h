/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors: a negative errno for the program, one line for the person.
 *
 * Modules never print. A function that can fail for a reason that its caller
 * could not word takes a struct err and writes one line into it: what failed,
 * where, and what to do about it. Only the mains show that line.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

struct err {
	char text[1024]; /* one line, no newline at its end */
};

/*
 * Writes the line and returns code, so that a failure is one statement:
 *
 *	return err_set(err, -EINVAL, "%s: line %d: ...", path, line);
 *
 * err may be NULL; code is a negative errno. A text that is too long is cut.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
