// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/curve.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_pair.h"

/* What is shown when not told, the first with values; of one side, the clock's first. */
static const char *const decisive[] = { "tlb_shootdowns_per_*", "dsb_ish_per_*",
	"sfence_vma_per_*", "tlbie_per_*", "call_ipis_per_*", "ns_per_*" };
#define N_DECISIVE (sizeof(decisive) / sizeof(*decisive))

static const struct run *run_of(const struct compare_row *row)
{
	return row->base_run ? row->base_run : row->cand_run;
}

static bool has_values(const struct compare_row *row, bool two_sided)
{
	return row->base.known && (!two_sided || (row->cand.known && row->judged));
}

/* The metric's name in c, which stays c's; NULL: there is none. */
static const char *choose_metric(
	const struct comparison *c, const char *param, bool two_sided)
{
	for (size_t i = 0; i < N_DECISIVE; i++) {
		const char *glob =
			decisive[two_sided ? i : (i + N_DECISIVE - 1) % N_DECISIVE];

		for (size_t k = 0; k < c->n_rows; k++) {
			const struct compare_row *row = &c->rows[k];

			if (fnmatch(glob, row->metric, 0) == 0 &&
				has_values(row, two_sided) &&
				fields_find(&run_of(row)->params, param))
				return row->metric;
		}
	}
	return NULL;
}

static struct curve_point *find_or_add(struct curve *c, const struct run *run)
{
	const struct field *value = fields_find(&run->params, c->param);
	struct curve_point *p;

	for (size_t i = 0; i < c->n_points; i++)
		if (field_equal(fields_find(&c->points[i].run->params, c->param), value))
			return &c->points[i];
	c->points = mem_resize(c->points, c->n_points + 1, sizeof(*c->points));
	p = &c->points[c->n_points++];
	*p = (struct curve_point){
		.label = field_format(value),
		.numeric = !value->text,
		.x = (double)value->number,
		.run = run,
	};
	return p;
}

/* Better by more than what matters. One boot says it too: how sure it is, is not here. */
static bool is_better(const struct compare_row *row)
{
	const struct effect *e = &row->judgement.effect;
	const double gain =
		row->better == BETTER_HIGHER ? row->difference : -row->difference;

	if (!row->judged || !row->has_difference || row->better == BETTER_NONE)
		return false;
	if (gain <= 0 || gain < e->absolute)
		return false;
	return !row->has_ratio || fabs(log(row->ratio)) >= log1p(e->relative);
}

/* The timed samples come before those of other passes: the first row with values. */
static void take_row(struct curve *c, const struct compare_row *row)
{
	const bool whole = strcmp(row->metric, "-") == 0;
	struct curve_point *p;

	if (!fields_find(&run_of(row)->params, c->param))
		return;
	p = find_or_add(c, run_of(row));
	if (p->known || (!whole && strcmp(row->metric, c->metric) != 0))
		return;
	if (p->row && !row->base.known && !row->cand.known)
		return;
	p->row = row;
	p->known = row->base.known && (row->cand.known || !c->two_sided);
	p->better = c->two_sided && is_better(row);
	if (whole)
		return;
	c->better = row->better;
	c->emulated |= row->word == WORD_EMULATED;
	if (!c->unit)
		c->unit = mem_text(row->unit);
}

static int by_x(const void *left, const void *right)
{
	const struct curve_point *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

static void put_in_order(struct curve *c)
{
	c->ordered = true;
	for (size_t i = 0; i < c->n_points; i++)
		c->ordered &= c->points[i].numeric;
	if (c->ordered && c->n_points)
		qsort(c->points, c->n_points, sizeof(*c->points), by_x);
}

enum crossover crossover_find(
	const struct curve_point *points, size_t n_points, size_t *ret_from)
{
	size_t from = n_points, n_worse = 0;
	bool known = false;

	for (size_t i = n_points; i-- > 0;) {
		if (!points[i].known)
			continue;
		known = true;
		n_worse += !points[i].better;
		if (points[i].better && n_worse == 0)
			from = i;
	}
	if (!known)
		return CROSSOVER_NONE;
	if (from == n_points)
		return CROSSOVER_NOWHERE;
	*ret_from = from;
	return n_worse ? CROSSOVER_FROM : CROSSOVER_EVERYWHERE;
}

static int compare(const struct record *base, const struct record *cand, const char *metric,
	struct comparison **ret, struct err *err)
{
	const struct compare_options options = { .show = SHOW_ALL, .metric = metric };
	struct comparison *c;
	const int status = compare_records(base, cand, &options, &c);

	if (status < 0) {
		err_set(err, status, "no memory for a comparison");
		return status;
	}
	if (c->comparable) {
		*ret = c;
		return 0;
	}
	err_set(err, -ESTALE, "two machines: %s is %s and %s", c->identity[0].key,
		c->identity[0].base, c->identity[0].cand);
	comparison_free(c);
	return -ESTALE;
}

/* *metric, or the one that is chosen; freed by the caller. */
static int name_metric(const struct record *base, const struct record *cand,
	const char *param, const char *metric, char **ret, struct err *err)
{
	const bool two_sided = base != cand;
	struct comparison *c;
	const char *name;
	int status;

	if (metric) {
		*ret = mem_text(metric);
		return 0;
	}
	status = compare(base, cand, NULL, &c, err);
	if (status < 0)
		return status;
	name = choose_metric(c, param, two_sided);
	if (name)
		*ret = mem_text(name);
	else
		status = err_set(err, -ENODATA,
			"no point has a value of a metric that decides: see the reasons, or "
			"name another with --metric");
	comparison_free(c);
	return status;
}

/* The points of c->comparison. -ENODATA: none has the metric. */
static int take_points(struct curve *c, struct err *err)
{
	for (size_t i = 0; i < c->comparison->n_rows; i++)
		take_row(c, &c->comparison->rows[i]);
	if (!c->unit)
		return err_set(err, -ENODATA, "no point has the metric %s", c->metric);
	put_in_order(c);
	if (c->two_sided && c->ordered && !c->emulated && c->better != BETTER_NONE)
		c->crossover = crossover_find(c->points, c->n_points, &c->from);
	return 0;
}

int curve_make(const struct record *base, const struct record *cand, const char *param,
	const char *metric, struct curve *ret, struct err *err)
{
	struct curve c = { .two_sided = cand != NULL, .param = mem_text(param) };
	int status = name_metric(base, cand ? cand : base, param, metric, &c.metric, err);

	if (status == 0)
		status = compare(base, cand ? cand : base, c.metric, &c.comparison, err);
	if (status == 0)
		status = take_points(&c, err);
	if (status == 0)
		*ret = c;
	else
		curve_clear(&c);
	return status;
}

void curve_clear(struct curve *c)
{
	for (size_t i = 0; i < c->n_points; i++)
		free(c->points[i].label);
	free(c->points);
	free(c->param);
	free(c->metric);
	free(c->unit);
	comparison_free(c->comparison);
	*c = (struct curve){ 0 };
}
