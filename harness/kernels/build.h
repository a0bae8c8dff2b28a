/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a variant to a kernel image, once for each content. */
#ifndef KERNELS_BUILD_H
#define KERNELS_BUILD_H

#include <stdbool.h>

#include "base/err.h"
#include "kernels/arch.h"
#include "kernels/source.h"
#include "kernels/variant.h"
#include "kernels/watch.h"

struct kernel_request {
	const struct variant *variant;
	const struct kernel_arch *arch;
	unsigned int pages_kib;     /* one of the architecture's */
	const char *tree;           /* in place of the variant's source; or NULL */
	const char *commit;         /* of tree; NULL: as it is, or HEAD where it is git's */
	const char *patches;        /* file or folder, after the variant's; or NULL */
	const struct words *config; /* fragments after the variant's, by path; or NULL */
};

/* All that an image is made of, and its name: the key is a digest of the rest. */
struct kernel_plan {
	const struct kernel_arch *arch;
	struct source source;
	struct words patches, fragments; /* paths, in order */
	char *compiler;                  /* its and the linker's version */
	char *key;
};

/* Builds nothing. What cannot be found, or is not installed, is named. */
int kernel_plan(const struct kernel_request *request, const struct kernel_watch *watch,
	struct kernel_plan *ret, struct err *err);
void kernel_plan_clear(struct kernel_plan *plan);

/* How `uname -r` of its kernel ends, freed by the caller: no other image's does. */
char *kernel_release_end(const struct kernel_plan *plan);

/* Files of one folder of the cache. */
struct kernel_image {
	char *folder, *image, *vmlinux, *system_map, *config, *log;
};
void kernel_image_clear(struct kernel_image *image);

/* 0, or -ENOENT where it has not been built. */
int kernel_find(const struct kernel_plan *plan, struct kernel_image *ret);

/*
 * From the cache, or built with that many jobs. ret_was_built may be NULL.
 * -EINTR: stopped; -ECHILD: the build failed, and the line has the first error
 * and the path of the log, which stays.
 */
int kernel_build(const struct kernel_plan *plan, unsigned int jobs,
	const struct kernel_watch *watch, struct kernel_image *ret, bool *ret_was_built,
	struct err *err);

#endif
