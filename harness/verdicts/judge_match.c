// SPDX-License-Identifier: GPL-2.0-or-later
/* Which boot of one side belongs to which of the other. */
#include <stdlib.h>

#include "base/mem.h"
#include "verdicts/judge.h"

/* A boot of v alone in its block, and alone of v's boots there; or NULL. */
static const struct boot_value *boot_of_block(
	const struct compare_value *v, unsigned int block)
{
	const struct boot_value *found = NULL;

	for (size_t i = 0; i < v->n_boots; i++) {
		if (v->boots[i].block != block)
			continue;
		if (found || v->boots[i].many_blocks)
			return NULL;
		found = &v->boots[i];
	}
	return found;
}

static const struct boot_value *boot_of_number(
	const struct compare_value *v, unsigned int boot)
{
	for (size_t i = 0; i < v->n_boots; i++)
		if (v->boots[i].boot == boot)
			return &v->boots[i];
	return NULL;
}

/* Number 0 is the running machine's, which has no partner: two files may have it. */
static bool match(const struct compare_value *base, const struct compare_value *cand,
	bool by_block, struct judgement *j)
{
	size_t n = 0;

	for (size_t i = 0; i < base->n_boots; i++) {
		const struct boot_value *b = &base->boots[i], *c = NULL;

		if (by_block && b->block != 0) {
			b = boot_of_block(base, b->block);
			c = b ? boot_of_block(cand, b->block) : NULL;
		} else if (!by_block && b->boot != 0) {
			c = boot_of_number(cand, b->boot);
		}
		if (!c)
			continue;
		j->base[n] = b->value;
		j->cand[n++] = c->value;
	}
	if (n == 0)
		return false;
	j->n_base = j->n_cand = n;
	j->n_left_over = base->n_boots + cand->n_boots - 2 * n;
	j->pairing = by_block ? PAIR_BLOCK : PAIR_BOOT;
	return true;
}

void judge_match(const struct compare_value *base, const struct compare_value *cand,
	enum pairing wanted, struct judgement *j)
{
	j->base = mem_zeroed(base->n_boots, sizeof(*j->base));
	j->cand = mem_zeroed(base->n_boots + cand->n_boots, sizeof(*j->cand));
	if (wanted == PAIR_AUTO && match(base, cand, false, j))
		return;
	if (wanted != PAIR_NONE && match(base, cand, true, j))
		return;
	j->pairing = PAIR_NONE;
	for (size_t i = 0; i < base->n_boots; i++)
		j->base[i] = base->boots[i].value;
	for (size_t i = 0; i < cand->n_boots; i++)
		j->cand[i] = cand->boots[i].value;
	j->n_base = base->n_boots;
	j->n_cand = cand->n_boots;
}
