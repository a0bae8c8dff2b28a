/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What PID 1 of a guest and of a lab machine share. */
#ifndef GUEST_INIT_PARTS_H
#define GUEST_INIT_PARTS_H

/* The kernel's file systems, and the console as stdin, stdout and stderr. */
void guest_mount_all(void);

/* The value of KEY=VALUE on the kernel's command line, freed by the caller; or NULL. */
char *guest_find_word(const char *key);

/* A lab machine with its state on this disk, as "vda". */
void guest_be_lab(const char *disk) __attribute__((noreturn));

#endif
