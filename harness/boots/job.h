/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest is to do, as a file in its initramfs. Pure.
 *
 * Lines of a key and, after one blank, a value, in this order; blank lines and
 * lines that start with # do not count:
 *
 *	shootdown-job 1
 *	sysctl NAME VALUE      for the whole boot, any number
 *	step NAME              any number of steps, done one after the other
 *	deadline_ms NUMBER     after that the step is killed, and the job ends
 *	sysctl NAME VALUE      for this step, any number; after it, as before
 *	arg WORD               the program's path, then its arguments
 *	send PATH              a file that the step leaves, sent under its NAME
 *
 * deadline_ms and at least one arg are needed in a step.
 */
#ifndef BOOTS_JOB_H
#define BOOTS_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct job_sysctl {
	char *name; /* "vm.swappiness"; dots, or slashes as sysctl(8) has them */
	char *value;
};

struct job_sysctls {
	struct job_sysctl *items;
	size_t count;
};

struct job_step {
	char *name;
	uint64_t deadline_ms;
	struct job_sysctls sysctls;
	char **argv; /* ended by NULL */
	size_t argc;
	char *send; /* or NULL */
};

struct job {
	struct job_sysctls sysctls;
	struct job_step *steps;
	size_t n_steps;
};

/* 0, or -EINVAL and the line that is wrong. */
int job_parse(const char *text, struct job *ret, struct err *err);

/*
 * The file's text, freed by the caller; each deadline times scale. -EINVAL for
 * what would not come back as it is (an empty name, a line break in a value).
 */
int job_format(const struct job *job, unsigned int scale, char **ret_text, struct err *err);

/* To build one. What is returned belongs to the job until the next call. */
struct job_step *job_add_step(struct job *job, const char *name, uint64_t deadline_ms);
void job_add_sysctl(struct job_sysctls *to, const char *name, const char *value);
void job_add_arg(struct job_step *step, const char *word);

/* The file below /proc/sys that a sysctl's name stands for, freed by the caller. */
char *job_sysctl_path(const char *name);

void job_sysctls_clear(struct job_sysctls *s);
void job_clear(struct job *job);

#endif
