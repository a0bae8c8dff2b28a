/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown ab share. */
#ifndef COMMANDS_AB_PARTS_H
#define COMMANDS_AB_PARTS_H

#include <argp.h>

#include "boots/experiment.h"
#include "kernels/build.h"
#include "verdicts/compare.h"

struct ab_arguments {
	const char *command;  /* for messages: "ab" */
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
	const char *commits[2]; /* of tree, by enum arm; or NULL */
	unsigned int n_boots, n_blocks, n_samples, cpus, nodes, jobs;
	uint64_t memory_bytes, time_ns, seed;
	bool has_seed, profile, keep;
	char *repeat; /* the command as it was given, each word on a line */
	/* Of one experiment among several: its name for the progress line, or NULL; and
	 * whether what holds for all of them has been said. */
	const char *what;
	bool again;
};

/*
 * The options of guests and experiments; its input is a struct ab_arguments.
 * ab_complete() then fills in what was not given, but for names, workloads, suite
 * and own_folder.
 */
extern const struct argp ab_argp;
int ab_complete(struct ab_arguments *a, struct err *err);

/*
 * Builds, boots what is not done yet in a->own_folder, and collects. -EINTR:
 * stopped, the same goes on. The caller frees manifest and records.
 */
int ab_measure(const struct ab_arguments *a, struct manifest *ret_manifest,
	struct record *ret_arms[2], struct err *err);

/* ab_measure() and ab_report(). *ret_code is the exit code where it returns 0. */
int ab_run(const struct ab_arguments *a, int *ret_code, struct err *err);

/* Whether there are such guests here, before minutes go into a kernel. */
int ab_check_guest(const struct ab_arguments *a, struct err *err);

/* The guests' initramfs, but for the job. Names what has to be built first. */
int ab_write_base_layer(const struct ab_arguments *a, const char *path, struct err *err);

/* Fills in the accelerator; prints why it is emulation. */
int ab_choose_accel(const struct ab_arguments *a, struct experiment *x, struct err *err);

/* Prints the boots whose results do not count, with what the console said last. */
size_t ab_print_failures(const struct manifest *m);

/* Prints the boots that failed and the comparison; returns its exit code. */
int ab_report(const struct ab_arguments *a, const struct manifest *m,
	struct record *const arms[2]);

/* Prints which functions took over from which, where instructions were counted. */
void ab_print_functions(const struct ab_arguments *a, const struct comparison *c);

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

/* A default folder is for the newest experiment: a finished one makes room. */
int ab_set_aside(const char *folder, struct err *err);

int ab_build(const struct ab_arguments *a, struct ab_kernels *ret, struct err *err);
void ab_kernels_clear(struct ab_kernels *k);

#endif
