// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/plan.h"

#include <stdlib.h>

#include "base/mem.h"

/* splitmix64 (Steele, Lea, Flood: OOPSLA 2014), for the order only. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Half of them true, in random order (Fisher and Yates). Freed by the caller. */
static bool *coin_flips(size_t n, uint64_t seed)
{
	bool *flips = mem_zeroed(n, sizeof(*flips));
	const size_t odd = n % 2 ? next_random(&seed) % 2 : 0;

	for (size_t i = 0; i < n; i++)
		flips[i] = i < n / 2 + odd;
	for (size_t i = n; i > 1; i--) {
		const size_t j = next_random(&seed) % i;
		const bool kept = flips[i - 1];

		flips[i - 1] = flips[j];
		flips[j] = kept;
	}
	return flips;
}

static enum arm arm_at(bool cand_first, size_t place)
{
	return cand_first == (place == 0) ? ARM_CAND : ARM_BASE;
}

/* All blocks, one after the other, as 2 * n_blocks steps. */
static struct plan_step *make_steps(size_t n_blocks, uint64_t seed)
{
	struct plan_step *steps = mem_zeroed(2 * n_blocks, sizeof(*steps));
	bool *cand_first = coin_flips(n_blocks, seed);

	for (size_t i = 0; i < 2 * n_blocks; i++)
		steps[i] = (struct plan_step){
			.arm = arm_at(cand_first[i / 2], i % 2),
			.block = (unsigned int)(i / 2 + 1),
		};
	free(cand_first);
	return steps;
}

void plan_make(bool one_image, unsigned int n_boots, unsigned int n_blocks, uint64_t seed,
	struct plan *ret)
{
	const size_t all_blocks = (size_t)n_boots * n_blocks;
	const size_t per_boot = one_image ? 2 * n_blocks : 1;
	struct plan_step *steps = make_steps(all_blocks, seed);
	struct plan p = { .n_boots = 2 * all_blocks / per_boot };

	p.boots = mem_zeroed(p.n_boots, sizeof(*p.boots));
	for (size_t i = 0; i < p.n_boots; i++) {
		struct plan_boot *boot = &p.boots[i];

		boot->boot = (unsigned int)(i + 1);
		boot->n_steps = per_boot;
		boot->steps = mem_zeroed(per_boot, sizeof(*boot->steps));
		for (size_t s = 0; s < per_boot; s++)
			boot->steps[s] = steps[i * per_boot + s];
	}
	free(steps);
	*ret = p;
}

void plan_clear(struct plan *p)
{
	for (size_t i = 0; i < p->n_boots; i++)
		free(p->boots[i].steps);
	free(p->boots);
	*p = (struct plan){ 0 };
}
