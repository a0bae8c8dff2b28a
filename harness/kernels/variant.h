/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A variant: which kernel is built and how it is booted, as a text file
 * kconfigs/variants/NAME.variant of "key = value" lines. A # at the start of a
 * line makes it a comment. Each key stands at most once:
 *
 *	summary  one line for people; required
 *	source   "package NAME" (/usr/src/NAME.tar.xz of the Debian package),
 *	         "git DIR COMMIT", or "tree DIR" (unpacked); required
 *	patches  files and folders below kconfigs/, or after "./" beside this file,
 *	         applied in that order
 *	config   fragments below kconfigs/, put over tinyconfig in that order;
 *	         "ARCH" in a name stands for the architecture; required
 *	cmdline  words for the kernel's command line
 *	sysctl   NAME=VALUE words, set and read back before anything is measured;
 *	         "if SYMBOL" after them: where the kernel's configuration has it
 *	least    rules of verdicts/least.h: the fewest flushes that this kernel does
 *	         where it is right
 *
 * Image and boot are kept apart: cmdline, sysctl and least never make another image.
 * Pure, except for variant_load() and variant_list().
 */
#ifndef KERNELS_VARIANT_H
#define KERNELS_VARIANT_H

#include <stddef.h>

#include "base/err.h"

/* Words; owns them. */
struct words {
	char **items;
	size_t count;
};

enum source_kind { SOURCE_PACKAGE, SOURCE_GIT, SOURCE_TREE };

struct variant {
	char *name;
	char *summary;
	enum source_kind kind;
	char *source; /* package name or folder */
	char *commit; /* of SOURCE_GIT; NULL otherwise */
	struct words patches, config, cmdline;
	struct words sysctls; /* "vm.name=1" */
	struct words least;   /* "swap:tlbi=0.95" */
	char *sysctls_if;     /* symbol, without CONFIG_; NULL: always */
};

/*
 * file_name is for messages only. 0, or -EINVAL with "FILE:LINE: ..." in err:
 * an unknown or repeated key, a missing one, an empty value, a control
 * character, a path that leaves kconfigs/, a sysctl without "=", what is no rule.
 */
int variant_parse(const char *name, const char *file_name, const char *text,
	struct variant *ret, struct err *err);

/*
 * By name, or where there is a slash in it by the path of its file. -ENOENT: no
 * such variant; the line names those that exist.
 */
int variant_load(const char *name, struct variant *ret, struct err *err);
void variant_clear(struct variant *v);

/* Sorted names of all variants; -ENOENT where kconfigs/variants is not found. */
int variant_list(struct words *ret, struct err *err);

void words_add(struct words *w, const char *word);
void words_clear(struct words *w);

#endif
