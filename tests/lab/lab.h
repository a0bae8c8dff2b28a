/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lab machine in QEMU for tests: a disk, a default kernel, two arms. The
 * environment: O, the folder of the built programs; KERNEL, the default kernel
 * and the reference, and OTHER, another image of `shootdown kernel build`, both
 * for x86_64; the same will do.
 */
#ifndef TESTS_LAB_H
#define TESTS_LAB_H

#include <stdbool.h>
#include <stddef.h>

#define WATCHED "watchdog = /dev/watchdog\nwatchdog_timeout = 60s\n"
#define SUITE "suite = lab\ndeadline = 90s\n"

#define BOOTED " intent arrived measured"

/* Init and fini of a suite. */
void lab_set_up(void);
void lab_tear_down(void);

extern const char *lab_built;        /* folder of the programs */
extern char *lab_disk, *lab_console; /* files */
extern char *lab_content;            /* folder of what will be on the disk */
extern const char *lab_clock; /* where it is set at power-on, as "2001-01-01"; or NULL */

/* A text file of the disk, before it is made. */
void lab_put(const char *name, const char *text);
/* Likewise, of ci/machines/qemu-lab.machine and more lines. */
void lab_put_machine(const char *name, const char *lines);
void lab_make_disk(void);

/* Gives the arm an initial RAM disk in which nothing is done. Before the disk is made. */
void lab_hang_in_userspace(const char *arm);

/* Fills the disk that was made but for that many blocks of 4 KiB. */
void lab_fill_disk(unsigned int left_blocks);

/* A file of the disk while the machine is off, freed by the caller; "": not there. */
char *lab_read(const char *path);

/*
 * Runs the machine until it powers off, or until pattern stands on its console
 * and the power is cut (true). What says nothing for too long is reset, as the
 * management controller of a server does.
 */
bool lab_run(const char *pattern);
bool lab_said(const char *pattern);
extern unsigned int lab_resets;     /* by that controller, so far */
extern unsigned int lab_silence_ms; /* after which it does */

/* The events of the journal, as "night intent arrived ...", freed by the caller. */
char *lab_events(void);
void lab_expect_events(const char *wanted);
size_t lab_count(const char *text, const char *word);

/* Each arm has a result of this one night with so many boots; 0: no night has. */
void lab_expect_results(size_t n_boots);

/*
 * The power fails as soon as pattern, which tells that an event is on the disk, is on
 * the console. What is cut off in a boot must count as failed (n_failed); else it may
 * have begun the next. Then the night ends well, with a verdict, and counts once.
 */
void lab_expect_survives_cut(const char *pattern, const char *state, size_t n_failed);

/*
 * For the closing line: that this fault is injected in this state of the night,
 * which is the event last written.
 */
void lab_note_fault(const char *state, const char *fault);

#endif
