/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An A/B experiment in guests: boots what its plan says, keeps everything in
 * one folder, and makes one result of each arm.
 *
 *	FOLDER/manifest.json        the plan, and what became of each boot
 *	FOLDER/boots/007/           console.log, qemu.log, and a result of each step:
 *	FOLDER/boots/007/base-3.json   arm and block
 *	FOLDER/base.json, cand.json the samples of all boots
 */
#ifndef BOOTS_EXPERIMENT_H
#define BOOTS_EXPERIMENT_H

#include "boots/guest.h"
#include "boots/manifest.h"
#include "kernels/variant.h"

/* One side. */
struct experiment_arm {
	const char *system_map;     /* of kernel, for guest.plugin; or NULL */
	const char *kernel;         /* image */
	const char *words;          /* for the command line; or "" */
	const char *const *sysctls; /* "vm.name=1", set and read back; ended by NULL */
};

struct experiment {
	const char *folder;
	struct experiment_arm arms[2]; /* by enum arm */
	/* accel, cpus, nodes, memory, arch, base_layer, keep, stop: of each boot. */
	struct guest_config guest;
	const char *const *run_words; /* of `shootdown run` in the guest; ended by NULL */
	uint64_t step_ms;             /* deadline of one step, on real hardware */
	/* Before each boot, and after it; may be NULL. */
	void (*starting)(void *arg, const struct manifest *m, size_t i);
	void (*ended)(void *arg, const struct manifest *m, size_t i);
	void *arg;
};

/*
 * Does the boots of m that are not done, saving m after each. A boot that
 * fails for a reason outside of guest and kernel is tried again, twice at
 * most; whatever else happens to one is noted, and the next one follows.
 * 0; -EINTR: stopped, m is saved; else -errno where the folder cannot be
 * written, or no guest can be started at all.
 */
int experiment_run(const struct experiment *x, struct manifest *m, struct err *err);

/*
 * The samples of all boots that ended well, by arm; also written to base.json
 * and cand.json. An arm without any has no runs. The caller frees both.
 * least: by arm, the rules of verdicts/least.h that its variant declares.
 */
int experiment_collect(const char *folder, const struct manifest *m,
	const struct words *const least[2], struct record *ret[2], struct err *err);

#endif
