/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lab machine in QEMU for tests: a disk, a default kernel, two arms. The
 * environment: O, the folder of the built programs; KERNEL, the default kernel
 * and the reference, and OTHER, another image of `shootdown kernel build`, both
 * for x86_64, with the ends of their releases in RELEASE and OTHER_RELEASE.
 */
#ifndef TESTS_LAB_H
#define TESTS_LAB_H

#include <stdbool.h>
#include <stddef.h>

#define MACHINE                                                                            \
	"summary = a lab machine\narch = x86_64\nboot = kexec\n"                           \
	"reference = prebuilt\ntonight = prebuilt\nresults = /lab/results\n"               \
	"state = /lab/night\ncmdline = panic=-1\n"
#define SUITE "suite = lab\ndeadline = 90s\n"

#define BOOTED " intent arrived measured"

/* Init and fini of a suite. */
void lab_set_up(void);
void lab_tear_down(void);

extern char *lab_content;     /* folder of what will be on the disk */
extern const char *lab_clock; /* where it is set at power-on, as "2001-01-01"; or NULL */

/* A text file of the disk, before it is made. */
void lab_put(const char *name, const char *text);
void lab_make_disk(void);

/* A file of the disk while the machine is off, freed by the caller; "": not there. */
char *lab_read(const char *path);

/*
 * Runs the machine until it powers off, or until pattern stands on its console
 * and the power is cut (true). What says nothing for too long is reset, as the
 * management controller of a server does.
 */
bool lab_run(const char *pattern);
bool lab_said(const char *pattern);

/* The events of the journal, as "night intent arrived ...", freed by the caller. */
char *lab_events(void);
void lab_expect_events(const char *wanted);
size_t lab_count(const char *text, const char *word);

/* Whether both arms have a result of today. */
void lab_expect_results(bool wanted);

#endif
