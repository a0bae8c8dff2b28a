// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/least.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare.h"

/* The sum of the metrics of a rule, by boot. */
struct sums {
	unsigned int *boots;
	double *values;
	size_t count;
};

static bool is_name(const char *text, size_t length)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";

	return length > 0 && strspn(text, letters) >= length;
}

const char *least_check(const char *rule)
{
	static const char wanted[] =
		"WORKLOAD:NAME=NUMBER is wanted, as swap:tlbi=0.95, or NAME+NAME=NUMBER "
		"for a sum";
	const char *colon = strchr(rule, ':'), *equals = strchr(rule, '=');
	char *end;
	double least;

	if (!colon || !equals || equals < colon || !is_name(rule, (size_t)(colon - rule)))
		return wanted;
	for (const char *name = colon + 1; name < equals + 1;) {
		const size_t length = strcspn(name, "+=");

		if (!is_name(name, length))
			return wanted;
		name += length + 1;
	}
	least = strtod(equals + 1, &end);
	return *end || end == equals + 1 || !isfinite(least) || least <= 0 ? wanted : NULL;
}

static void sums_clear(struct sums *s)
{
	free(s->boots);
	free(s->values);
	*s = (struct sums){ 0 };
}

/* All metrics of a run have the same boots; a value that is not known is less than none. */
static void add_value(struct sums *s, const struct compare_value *v)
{
	if (!s->boots) {
		s->boots = mem_zeroed(v->n_boots, sizeof(*s->boots));
		s->values = mem_zeroed(v->n_boots, sizeof(*s->values));
		s->count = v->n_boots;
	}
	for (size_t i = 0; i < s->count && i < v->n_boots; i++) {
		s->boots[i] = v->boots[i].boot;
		s->values[i] += v->boots[i].value;
	}
}

/* 0; -ENODATA: the run lacks the metric. */
static int add_metric(
	const struct run *run, const char *name, size_t length, struct sums *s)
{
	char *full = mem_format("%.*s_per_%s", (int)length, name, run->unit);
	const struct metric *m = run_find_metric(run, full);
	struct compare_value v = { 0 };
	int code = m && m->values ? compare_value_of(run, m, &v) : -ENODATA;

	free(full);
	if (code == 0 && (!v.known || (s->boots && v.n_boots != s->count)))
		code = -ENODATA;
	if (code == 0)
		add_value(s, &v);
	compare_value_clear(&v);
	return code;
}

static int sum_up(const struct run *run, const char *names, struct sums *ret)
{
	struct sums s = { 0 };
	int code = 0;

	while (code == 0 && *names != '=') {
		const size_t length = strcspn(names, "+=");

		code = add_metric(run, names, length, &s);
		names += length + (names[length] == '+');
	}
	if (code < 0)
		sums_clear(&s);
	else
		*ret = s;
	return code;
}

static void fail(struct run *run, const char *rule, unsigned int boot, double value)
{
	const char *names = strchr(rule, ':') + 1, *equals = strchr(rule, '=');

	free(run->reason);
	run->status = RUN_FAILED;
	run->reason =
		mem_format("too few flushes: in boot %u %.3g of %.*s for each %s, where "
			   "this kernel cannot be right with less than %s: stale "
			   "translations are left behind",
			boot, value, (int)(equals - names), names, run->unit, equals + 1);
}

static int apply(struct run *run, const char *rule)
{
	const char *colon = strchr(rule, ':');
	const double least = strtod(strchr(rule, '=') + 1, NULL);
	struct sums s;
	int code;

	if (run->status != RUN_OK || strlen(run->workload) != (size_t)(colon - rule) ||
		strncmp(run->workload, rule, (size_t)(colon - rule)) != 0)
		return 0;
	code = sum_up(run, colon + 1, &s);
	if (code < 0)
		return code == -ENODATA ? 0 : code;
	for (size_t i = 0; i < s.count && run->status == RUN_OK; i++)
		if (s.values[i] < least)
			fail(run, rule, s.boots[i], s.values[i]);
	sums_clear(&s);
	return 0;
}

int least_apply(struct record *r, char *const *rules, size_t n_rules)
{
	int code = 0;

	for (size_t i = 0; i < r->n_runs; i++)
		for (size_t k = 0; k < n_rules && code == 0; k++)
			code = apply(&r->runs[i], rules[k]);
	return code;
}
