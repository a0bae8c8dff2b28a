/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a night boots, below the machine's folder of images:
 *
 *	ARM/image    the kernel
 *	ARM/initrd   its initial RAM disk
 *	ARM/release  how its `uname -r` ends: by this it is known on arrival
 *	ARM/cmdline  words for its command line
 *	ARM/sysctl   NAME=VALUE, one a line, set before measuring
 *	ARM/commit   that it was built from, for the history
 *
 * ARM is "reference" or "tonight". Whoever builds kernels elsewhere puts them
 * there; the last three may be missing.
 */
#ifndef NIGHTS_IMAGES_H
#define NIGHTS_IMAGES_H

#include "base/err.h"
#include "boots/plan.h"
#include "kernels/variant.h"
#include "nights/machine_file.h"

struct night_image {
	char *image, *initrd; /* paths */
	char *release, *cmdline;
	char *commit; /* "": not known */
	struct words sysctls;
};

/* 0; -ENOENT: a file is missing, and is named. */
int night_image_load(const struct machine_file *m, enum arm arm, struct night_image *ret,
	struct err *err);
void night_image_clear(struct night_image *image);

/* Puts a kernel that was built from v there; release as above. commit NULL: not known. */
int night_image_store(const struct machine_file *m, enum arm arm, const struct variant *v,
	const char *image, const char *release, const char *commit, struct err *err);

/*
 * The command line of an arm, freed by the caller: what the running kernel was
 * given (running), but for what says where it came from and for an earlier
 * arm's words; fixed (the text of kconfigs/night.cmdline); the machine's words
 * and the arm's; and who it is. Pure.
 */
char *night_command_line(const char *running, const char *fixed,
	const struct machine_file *m, const struct night_image *image, const char *night_id,
	enum arm arm);

/* The value of a word KEY=VALUE of a command line, freed by the caller; or NULL. Pure. */
char *night_find_word(const char *command_line, const char *key);

#endif
