// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <string.h>

#include "boots/plan.h"

/* Each block has both arms; of n blocks, how many begin with the candidate. */
static size_t check_blocks(const struct plan *p, size_t n_blocks)
{
	size_t seen[2][64] = { 0 }, first[64] = { 0 }, order = 0, cand_first = 0;

	for (size_t b = 0; b < p->n_boots; b++) {
		for (size_t s = 0; s < p->boots[b].n_steps; s++) {
			const struct plan_step *step = &p->boots[b].steps[s];

			cr_assert(step->block >= 1 && step->block <= n_blocks);
			seen[step->arm][step->block]++;
			order++;
			if (!first[step->block]) {
				first[step->block] = order;
				cand_first += step->arm == ARM_CAND;
			}
		}
	}
	for (size_t i = 1; i <= n_blocks; i++) {
		cr_assert_eq(seen[ARM_BASE][i], 1, "block %zu", i);
		cr_assert_eq(seen[ARM_CAND][i], 1, "block %zu", i);
	}
	return cand_first;
}

Test(plan, one_image_has_both_arms_in_each_boot)
{
	struct plan p;

	plan_make(true, 6, 2, 1, &p);
	cr_assert_eq(p.n_boots, 6);
	for (size_t i = 0; i < p.n_boots; i++) {
		cr_assert_eq(p.boots[i].boot, i + 1);
		cr_assert_eq(p.boots[i].n_steps, 4);
	}
	cr_assert_eq(check_blocks(&p, 12), 6, "half of the blocks are BA");
	plan_clear(&p);
}

Test(plan, two_images_have_a_boot_each)
{
	struct plan p;

	plan_make(false, 5, 1, 3, &p);
	cr_assert_eq(p.n_boots, 10);
	for (size_t i = 0; i < p.n_boots; i++) {
		cr_assert_eq(p.boots[i].n_steps, 1);
		cr_assert_eq(p.boots[i].steps[0].block, i / 2 + 1);
	}
	check_blocks(&p, 5);
	plan_clear(&p);
}

Test(plan, odd_numbers_are_balanced_but_for_one)
{
	size_t sums[2] = { 0 };

	for (uint64_t seed = 0; seed < 64; seed++) {
		struct plan p;
		size_t n;

		plan_make(false, 5, 1, seed, &p);
		n = check_blocks(&p, 5);
		cr_assert(n == 2 || n == 3);
		sums[n - 2]++;
		plan_clear(&p);
	}
	cr_assert(sums[0] > 16 && sums[1] > 16, "%zu and %zu", sums[0], sums[1]);
}

Test(plan, the_seed_decides)
{
	struct plan a, b;
	size_t differing = 0;

	plan_make(true, 10, 1, 5, &a);
	plan_make(true, 10, 1, 5, &b);
	for (size_t i = 0; i < 10; i++)
		cr_assert_eq(a.boots[i].steps[0].arm, b.boots[i].steps[0].arm);
	plan_clear(&b);
	for (uint64_t seed = 6; seed < 10; seed++) {
		plan_make(true, 10, 1, seed, &b);
		for (size_t i = 0; i < 10; i++)
			differing += a.boots[i].steps[0].arm != b.boots[i].steps[0].arm;
		plan_clear(&b);
	}
	cr_assert_gt(differing, 4);
	plan_clear(&a);
}
