/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which arm is measured when, in an A/B experiment: written before the first
 * boot, from a recorded seed. Pure.
 *
 * Order matters (what ran before warms what runs after), so half of the blocks
 * are AB and half BA (of an odd number, one more of either), in random order:
 * a randomised block design, as R. A. Fisher's.
 */
#ifndef BOOTS_PLAN_H
#define BOOTS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arm { ARM_BASE, ARM_CAND };

struct plan_step {
	enum arm arm;
	unsigned int block; /* from 1 on, unique in the plan */
};

struct plan_boot {
	unsigned int boot; /* from 1 on */
	struct plan_step *steps;
	size_t n_steps;
};

struct plan {
	struct plan_boot *boots;
	size_t n_boots;
};

/*
 * One image for both arms: n_boots boots, each with n_blocks blocks of both
 * arms. Otherwise n_boots blocks of two boots, one for each arm, and n_blocks
 * is 1. Both at least 1.
 */
void plan_make(bool one_image, unsigned int n_boots, unsigned int n_blocks, uint64_t seed,
	struct plan *ret);
void plan_clear(struct plan *p);

#endif
