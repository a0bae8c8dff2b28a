/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program needs to be run, read from its ELF file; the one user of libelf. */
#ifndef KERNELS_ELF_H
#define KERNELS_ELF_H

#include <stddef.h>

#include "base/err.h"

struct elf_needs {
	unsigned int elf_class, machine; /* ELFCLASS64, EM_X86_64 ... */
	char *loader;                    /* PT_INTERP; NULL: static, or a library */
	char *runpath;                   /* DT_RUNPATH or DT_RPATH; or NULL */
	char **names;                    /* DT_NEEDED: "libc.so.6" */
	size_t n_names;
};

/* -ENOEXEC for a file that is no ELF program or library. */
int elf_read_needs(const char *path, struct elf_needs *ret, struct err *err);
void elf_needs_clear(struct elf_needs *n);

#endif
