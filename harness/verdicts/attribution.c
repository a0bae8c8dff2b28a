// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/attribution.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare.h"
#include "verdicts/compare_pair.h"

#define GROUP "group_share:"
#define FLUSH_GROUP "tlb_flush"
/* The 97.5 % point of the normal distribution. */
#define Z 1.96

/* What a side says: of each boot the time, that on the CPU, and the shares. */
struct times {
	struct compare_value whole, on_cpu;
	double hits;
};

static const struct metric *find(const struct run *run, const char *name)
{
	char *full = mem_format("%s_per_%s", name, run->unit);
	const struct metric *m = run_find_metric(run, full);

	free(full);
	return m;
}

static void times_clear(struct times *t)
{
	compare_value_clear(&t->whole);
	compare_value_clear(&t->on_cpu);
}

/* Where the CPU's time was not counted, all of the time is taken for it. */
static int read_times(const struct attribution_side *side, struct times *t)
{
	const struct metric *ns = find(side->timed, "ns");
	const struct metric *cpu = find(side->timed, "task_clock_ns");
	const struct metric *hits = run_find_metric(side->profiled, "profile_hits");
	int ret;

	if (!ns || ns->unavailable || !hits || hits->unavailable)
		return -ENODATA;
	if (!cpu || cpu->unavailable)
		cpu = ns;
	for (size_t i = 0; i < side->profiled->n_samples; i++)
		t->hits += record_value(side->profiled, hits, i);
	ret = compare_value_of(side->timed, ns, &t->whole);
	if (ret == 0)
		ret = compare_value_of(side->timed, cpu, &t->on_cpu);
	if (ret == 0 && (!t->whole.known || !t->on_cpu.known))
		ret = -ENODATA;
	return ret;
}

static const struct boot_value *boot_of(const struct compare_value *v, unsigned int boot)
{
	for (size_t i = 0; i < v->n_boots; i++)
		if (v->boots[i].boot == boot)
			return &v->boots[i];
	return NULL;
}

/* a * x + b * y, of the boots that both have. y may be NULL. */
static struct compare_value combine(
	double a, const struct compare_value *x, double b, const struct compare_value *y)
{
	struct compare_value v = { .known = true };
	double sum = 0;

	v.boots = mem_zeroed(x->n_boots, sizeof(*v.boots));
	for (size_t i = 0; i < x->n_boots; i++) {
		const struct boot_value *other = y ? boot_of(y, x->boots[i].boot) : NULL;
		struct boot_value *to = &v.boots[v.n_boots];

		if (y && !other)
			continue;
		*to = x->boots[i];
		to->value = a * x->boots[i].value + (other ? b * other->value : 0);
		sum += to->value;
		v.n_boots++;
	}
	v.value = v.n_boots ? sum / (double)v.n_boots : NAN;
	return v;
}

/* share * time, of the boots that both have. */
static struct compare_value multiply(
	const struct compare_value *share, const struct compare_value *time)
{
	struct compare_value v = combine(1, share, 0, time);
	double sum = 0;

	for (size_t i = 0; i < v.n_boots; i++) {
		v.boots[i].value *= boot_of(time, v.boots[i].boot)->value;
		sum += v.boots[i].value;
	}
	v.value = v.n_boots ? sum / (double)v.n_boots : NAN;
	return v;
}

/* The difference of two sides and its interval, in *part. */
static void judge(const struct compare_value *base, const struct compare_value *cand,
	const struct judge_rules *rules, struct attribution_part *part, size_t *ret_n_base,
	size_t *ret_n_cand)
{
	struct judgement j;

	/* As of shares, differences are tested and no ratios. */
	judge_measure(base, cand, KIND_SHARE, (struct effect){ 0 }, rules, &j);
	part->base = stats_mean(j.base, j.n_base);
	part->cand = stats_mean(j.cand, j.n_cand);
	part->difference = part->cand - part->base;
	part->has_interval = j.tested;
	if (j.tested) {
		part->low = j.differences.low;
		part->high = j.differences.high;
	}
	*ret_n_base = j.n_base;
	*ret_n_cand = j.n_cand;
	judgement_clear(&j);
}

/* The sampling error of a part is that of its share, times the time. */
static double variance(double part, double time, double hits)
{
	const double share = time > 0 ? part / time : 0;

	return hits > 0 ? time * time * share * fmax(1 - share, 0) / hits : 0;
}

static void estimate_interval(
	const struct times *base, const struct times *cand, struct attribution_part *part)
{
	const double half =
		Z * sqrt(variance(part->base, base->on_cpu.value, base->hits) +
			    variance(part->cand, cand->on_cpu.value, cand->hits));

	part->low = part->difference - half;
	part->high = part->difference + half;
	part->has_interval = true;
}

static struct attribution_part *add_part(struct attribution *a, const char *name)
{
	struct attribution_part *part;

	a->parts = mem_resize(a->parts, a->n_parts + 1, sizeof(*a->parts));
	part = &a->parts[a->n_parts++];
	*part = (struct attribution_part){ .name = mem_text(name) };
	return part;
}

/*
 * Half of the whole is the line: d is the flush's part less half of the whole,
 * boot by boot, so that what both share drops out.
 */
static enum attribution_word find_word(
	const struct attribution_part *whole, const struct attribution_part *d)
{
	const bool less = whole->high < 0;

	if (!whole->has_interval || (whole->low <= 0 && whole->high >= 0))
		return ATTRIBUTION_NONE;
	if (!d->has_interval)
		return ATTRIBUTION_UNDECIDED;
	if (less ? d->high < 0 : d->low > 0)
		return ATTRIBUTION_FLUSH;
	if (less ? d->low > 0 : d->high < 0)
		return ATTRIBUTION_NOT_TLB;
	return ATTRIBUTION_UNDECIDED;
}

struct sides {
	struct times base, cand;
	const struct judge_rules *rules;
};

static void judge_flush(struct attribution *a, const struct sides *s,
	const struct compare_value *flush_base, const struct compare_value *flush_cand)
{
	struct compare_value base = combine(1, flush_base, -0.5, &s->base.whole);
	struct compare_value cand = combine(1, flush_cand, -0.5, &s->cand.whole);
	struct attribution_part d = { 0 };
	size_t n_base, n_cand;

	judge(&base, &cand, s->rules, &d, &n_base, &n_cand);
	a->word = find_word(&a->whole, &d);
	compare_value_clear(&base);
	compare_value_clear(&cand);
}

static int add_group(struct attribution *a, const struct sides *s, const char *name,
	const struct attribution_side *base, const struct attribution_side *cand)
{
	const struct metric *b = run_find_metric(base->profiled, name);
	const struct metric *c = run_find_metric(cand->profiled, name);
	struct compare_value shares[2] = { 0 }, values[2];
	struct attribution_part *part;
	int ret;

	if (!c || b->unavailable || c->unavailable)
		return -ENODATA;
	ret = compare_value_of(base->profiled, b, &shares[0]);
	if (ret == 0)
		ret = compare_value_of(cand->profiled, c, &shares[1]);
	if (ret == 0) {
		values[0] = multiply(&shares[0], &s->base.on_cpu);
		values[1] = multiply(&shares[1], &s->cand.on_cpu);
		part = add_part(a, name + strlen(GROUP));
		judge(&values[0], &values[1], s->rules, part, &a->n_base, &a->n_cand);
		if (!a->by_boots)
			estimate_interval(&s->base, &s->cand, part);
		if (strcmp(part->name, FLUSH_GROUP) == 0)
			judge_flush(a, s, &values[0], &values[1]);
		compare_value_clear(&values[0]);
		compare_value_clear(&values[1]);
	}
	compare_value_clear(&shares[0]);
	compare_value_clear(&shares[1]);
	return ret;
}

static void add_rest(struct attribution *a, const struct sides *s)
{
	struct compare_value base = combine(1, &s->base.whole, -1, &s->base.on_cpu);
	struct compare_value cand = combine(1, &s->cand.whole, -1, &s->cand.on_cpu);
	size_t n_base, n_cand;

	judge(&base, &cand, s->rules, add_part(a, "not running"), &n_base, &n_cand);
	compare_value_clear(&base);
	compare_value_clear(&cand);
}

static int fill(struct attribution *a, const struct sides *s,
	const struct attribution_side *base, const struct attribution_side *cand)
{
	int ret = 0;

	judge(&s->base.whole, &s->cand.whole, s->rules, &a->whole, &a->n_base, &a->n_cand);
	a->by_boots = a->whole.has_interval;
	a->hits_base = s->base.hits;
	a->hits_cand = s->cand.hits;
	for (size_t i = 0; i < base->profiled->n_metrics && ret == 0; i++)
		if (strncmp(base->profiled->metrics[i].name, GROUP, strlen(GROUP)) == 0)
			ret = add_group(a, s, base->profiled->metrics[i].name, base, cand);
	if (ret == 0 && a->n_parts == 0)
		ret = -ENODATA;
	if (ret == 0)
		add_rest(a, s);
	return ret;
}

int attribution_make(const struct attribution_side *base,
	const struct attribution_side *cand, const char *workload,
	const struct judge_rules *rules, struct attribution *ret)
{
	struct attribution a = {
		.workload = mem_text(workload),
		.whole.name = mem_text("whole"),
		.unit = mem_format("ns/%s", base->timed->unit),
	};
	struct sides s = { .rules = rules };
	int code = read_times(base, &s.base);

	if (code == 0)
		code = read_times(cand, &s.cand);
	if (code == 0)
		code = fill(&a, &s, base, cand);
	if (code == 0) {
		a.emulated = find(base->timed, "ns")->emulated ||
			     find(cand->timed, "ns")->emulated;
		*ret = a;
	} else {
		attribution_clear(&a);
	}
	times_clear(&s.base);
	times_clear(&s.cand);
	return code;
}

void attribution_clear(struct attribution *a)
{
	free(a->workload);
	free(a->unit);
	free(a->whole.name);
	for (size_t i = 0; i < a->n_parts; i++)
		free(a->parts[i].name);
	free(a->parts);
	*a = (struct attribution){ 0 };
}
