/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an instruction does to the TLB, told from its bytes. Pure. */
#ifndef COUNTING_CLASSIFY_H
#define COUNTING_CLASSIFY_H

#include <stddef.h>

#define CLASSES_MAX 24

struct count_arch {
	const char *target; /* QEMU's name of it */
	/* By class, ended by NULL: "tlbi_va_is". */
	const char *const *classes;
	/* Each returns -1 for what is none. bytes: as they stand in memory. */
	int (*classify)(const unsigned char *bytes, size_t n);
	int (*mark)(const unsigned char *bytes, size_t n); /* of mark.h */
};

/* Or NULL. */
const struct count_arch *count_find_arch(const char *target);

#endif
