// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* How boots of one side differ, as two sides of such boots would. */
static struct judgement of_one_side(const struct compare_row *row, double alpha)
{
	struct judgement j = row->judgement;
	double *logs = mem_zeroed(j.n_base, sizeof(*logs));

	for (size_t i = 0; i < j.n_base && j.scale == SCALE_RATIO; i++)
		logs[i] = log(j.base[i]);
	j.pairing = PAIR_NONE;
	j.tested = stats_one_sample(j.base, j.n_base, alpha, &j.differences) &&
		   isfinite(j.differences.sd);
	if (j.scale == SCALE_RATIO)
		j.tested &= stats_one_sample(logs, j.n_base, alpha, &j.logs);
	free(logs);
	return j;
}

static struct power_row plan_row(
	const struct compare_row *row, bool one_side, double alpha, size_t min_n)
{
	struct power_row r = { .row = row };
	struct judgement j;

	if (!row->judged) {
		r.why = row->note ? row->note : "not measured on both sides";
		return r;
	}
	j = one_side ? of_one_side(row, alpha) : row->judgement;
	r.effect = j.effect;
	r.n_seen = one_side || j.n_base < j.n_cand ? j.n_base : j.n_cand;
	if (!j.tested) {
		r.why = "one boot: how boots differ is not known; measure 2 or more, as "
			"shootdown ab does";
		return r;
	}
	r.paired = j.pairing != PAIR_NONE;
	/* A count that does not vary shows any change in the second boot. */
	if (j.scale == SCALE_EXACT) {
		r.needed = 2;
		return r;
	}
	r.needed = judge_needed(&j, min_n, alpha, &r.relative);
	r.sd = r.relative ? j.logs.sd : j.differences.sd;
	return r;
}

/* One that decides, and of which there is something to say. */
static bool concerns(const struct compare_row *row)
{
	return row->declared && row->selected && (row->base.known || row->cand.known);
}

void power_plan_make(const struct comparison *c, bool one_side, struct power_plan *ret)
{
	struct power_plan p = { .rows = mem_zeroed(c->n_rows, sizeof(*p.rows)) };

	for (size_t i = 0; i < c->n_rows; i++)
		p.n_family += concerns(&c->rows[i]) && c->rows[i].judged &&
			      c->rows[i].judgement.scale != SCALE_EXACT;
	if (p.n_family == 0)
		p.n_family = 1;
	p.alpha = c->rules.alpha / (double)p.n_family;
	for (size_t i = 0; i < c->n_rows; i++) {
		struct power_row *r = &p.rows[p.n_rows];

		if (!concerns(&c->rows[i]))
			continue;
		*r = plan_row(&c->rows[i], one_side, p.alpha, c->rules.min_n);
		p.needed = r->needed > p.needed ? r->needed : p.needed;
		p.n_rows++;
	}
	*ret = p;
}

void power_plan_clear(struct power_plan *p)
{
	free(p->rows);
	*p = (struct power_plan){ 0 };
}
