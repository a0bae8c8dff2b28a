/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.json of an experiment's folder: what was asked for, the plan, and
 * what became of each boot. Written whole after each boot, so that an
 * interrupted experiment goes on where it was.
 */
#ifndef BOOTS_MANIFEST_H
#define BOOTS_MANIFEST_H

#include "base/err.h"
#include "boots/plan.h"
#include "verdicts/record.h"

#define MANIFEST_SCHEMA "shootdown-experiment-1"

struct boot_entry {
	char *result; /* guest_result_name(): "ok", "panic"; NULL: not done yet */
	char *phase;  /* that it reached */
	char *reason; /* one line; "" for ok */
	char *console_tail;
	unsigned int attempts;
	uint64_t duration_ms;
};

struct manifest {
	struct fields options; /* what was asked for; must be the same to go on */
	uint64_t seed;
	bool one_image;
	unsigned int n_boots, n_blocks; /* as for plan_make() */
	struct plan plan;               /* made from the four above */
	struct boot_entry *entries;     /* one for each boot of the plan */
};

/* Takes the options over (they are cleared), and makes the plan. */
void manifest_new(struct fields *options, uint64_t seed, bool one_image,
	unsigned int n_boots, unsigned int n_blocks, struct manifest *ret);
void manifest_clear(struct manifest *m);

/* FOLDER/manifest.json. -ENOENT: none there; -EPROTO: it is none, the line says where. */
int manifest_load(const char *folder, struct manifest *ret, struct err *err);
int manifest_save(const struct manifest *m, const char *folder, struct err *err);

/*
 * Whether an experiment with these options may go on here: 0, or -EEXIST and
 * the option that differs with both values.
 */
int manifest_check_options(const struct manifest *m, const struct fields *options,
	const char *folder, struct err *err);

size_t manifest_n_done(const struct manifest *m);

#endif
