/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown ab share. */
#ifndef COMMANDS_AB_PARTS_H
#define COMMANDS_AB_PARTS_H

#include "boots/experiment.h"
#include "kernels/build.h"

struct ab_arguments {
	const char *names[2]; /* variants, by enum arm */
	struct words workloads;
	const char *suite;  /* or NULL */
	const char *folder; /* as given; NULL: the default */
	char *own_folder;   /* the one that is used */
	const struct kernel_arch *arch;
	const char *cpu;   /* of QEMU; NULL: the machine's default */
	const char *pages; /* as given, or NULL */
	unsigned int pages_kib;
	const char *tree, *patches;
	unsigned int n_boots, n_blocks, n_samples, cpus, nodes, jobs;
	uint64_t memory_bytes, time_ns, seed;
	bool has_seed, keep;
};

/* Prints. *ret_code is the exit code where it returns 0. */
int ab_run(const struct ab_arguments *a, int *ret_code, struct err *err);

/* Whether there are such guests here, before minutes go into a kernel. */
int ab_check_guest(const struct ab_arguments *a, struct err *err);

/* The guests' initramfs, but for the job. Names what has to be built first. */
int ab_write_base_layer(const struct ab_arguments *a, const char *path, struct err *err);

/* Fills in the accelerator; prints why it is emulation. */
int ab_choose_accel(struct experiment *x, struct err *err);

/* Prints the boots that failed and the comparison; returns its exit code. */
int ab_report(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2]);

/* Both kernels, from the cache or built. */
struct ab_kernels {
	struct variant variants[2];
	struct kernel_plan plans[2];
	struct kernel_image images[2];
	bool one_image; /* they differ in sysctls only */
};

/*
 * The experiment in the folder, if it is this one; or a new one. -EEXIST: there
 * is another.
 */
int ab_open_manifest(const struct ab_arguments *a, const struct ab_kernels *k,
	struct manifest *ret, struct err *err);

int ab_build(const struct ab_arguments *a, struct ab_kernels *ret, struct err *err);
void ab_kernels_clear(struct ab_kernels *k);

#endif
