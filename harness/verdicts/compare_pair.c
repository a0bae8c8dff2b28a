// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_pair.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/effect.h"

char *field_format(const struct field *f)
{
	return f->text ? mem_text(f->text) : mem_format("%" PRId64, f->number);
}

bool field_equal(const struct field *a, const struct field *b)
{
	if (!a->text || !b->text)
		return !a->text && !b->text && a->number == b->number;
	return strcmp(a->text, b->text) == 0;
}

static bool has_field(const struct fields *f, const struct field *wanted)
{
	const struct field *found = fields_find(f, wanted->name);

	return found && field_equal(found, wanted);
}

bool runs_alike(const struct run *a, const struct run *b)
{
	if (strcmp(a->workload, b->workload) != 0 || a->revision != b->revision ||
		a->params.count != b->params.count)
		return false;
	for (size_t i = 0; i < a->params.count; i++)
		if (!has_field(&b->params, &a->params.items[i]))
			return false;
	return true;
}

/* "timed", where a run does not say. */
static const char *pass_of(const struct run *run)
{
	const struct field *pass = fields_find(&run->params, "pass");

	return pass && pass->text ? pass->text : "timed";
}

/*
 * Whether a run of the same workload and pass lacks this parameter, or has
 * another value.
 */
static bool param_varies(
	const struct record *r, const struct run *run, const struct field *param)
{
	for (size_t i = 0; i < r->n_runs; i++)
		if (strcmp(r->runs[i].workload, run->workload) == 0 &&
			strcmp(pass_of(&r->runs[i]), pass_of(run)) == 0 &&
			!has_field(&r->runs[i].params, param))
			return true;
	return false;
}

static bool revision_varies(const struct record *r, const struct run *run)
{
	for (size_t i = 0; i < r->n_runs; i++)
		if (strcmp(r->runs[i].workload, run->workload) == 0 &&
			r->runs[i].revision != run->revision)
			return true;
	return false;
}

/* Adds ":name=value", or ",name=value" after another. */
static void label_add(char **label, const char *name, const char *value)
{
	char *longer = mem_format(
		"%s%c%s=%s", *label, strchr(*label, ':') ? ',' : ':', name, value);

	free(*label);
	*label = longer;
}

static char *make_label(
	const struct record *base, const struct record *cand, const struct run *run)
{
	char *label = mem_text(run->workload), *value;

	if (revision_varies(base, run) || revision_varies(cand, run)) {
		value = mem_format("%u", run->revision);
		label_add(&label, "revision", value);
		free(value);
	}
	for (size_t i = 0; i < run->params.count; i++) {
		const struct field *param = &run->params.items[i];

		/* Of the passes it is the timed one that needs no name. */
		if (strcmp(param->name, "pass") == 0
				? strcmp(pass_of(run), "timed") == 0
				: !param_varies(base, run, param) &&
					  !param_varies(cand, run, param))
			continue;
		value = field_format(param);
		label_add(&label, param->name, value);
		free(value);
	}
	return label;
}

struct run_pair *run_pairs_make(
	const struct record *base, const struct record *cand, size_t *ret_count)
{
	struct run_pair *pairs = mem_zeroed(base->n_runs + cand->n_runs, sizeof(*pairs));
	bool *taken = mem_zeroed(cand->n_runs, sizeof(*taken));
	size_t n = 0;

	for (size_t i = 0; i < base->n_runs; i++) {
		struct run_pair *pair = &pairs[n++];

		pair->base = &base->runs[i];
		pair->label = make_label(base, cand, pair->base);
		for (size_t k = 0; k < cand->n_runs && !pair->cand; k++) {
			if (taken[k] || !runs_alike(pair->base, &cand->runs[k]))
				continue;
			pair->cand = &cand->runs[k];
			taken[k] = true;
		}
	}
	for (size_t k = 0; k < cand->n_runs; k++) {
		if (taken[k])
			continue;
		pairs[n].cand = &cand->runs[k];
		pairs[n++].label = make_label(base, cand, &cand->runs[k]);
	}
	free(taken);
	*ret_count = n;
	return pairs;
}

void run_pairs_free(struct run_pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(pairs[i].label);
	free(pairs);
}

static bool same_number(const struct number *a, const struct number *b)
{
	if (a->is_real != b->is_real)
		return false;
	return a->is_real ? a->real == b->real : a->integer == b->integer;
}

/* *any_duration is set where one was compared. */
static bool same_values(const struct run *a, const struct metric *x, const struct metric *y,
	bool *any_duration)
{
	if (!y || !x->values || !y->values)
		return !x->values && (!y || !y->values);
	for (size_t i = 0; i < a->n_samples; i++)
		if (!same_number(&x->values[i], &y->values[i]))
			return false;
	*any_duration |= a->n_samples > 0 && effect_is_duration(x->unit);
	return true;
}

bool records_same_samples(const struct record *a, const struct record *b)
{
	bool any_duration = false;

	if (a->n_runs != b->n_runs)
		return false;
	for (size_t i = 0; i < a->n_runs; i++) {
		const struct run *x = &a->runs[i], *y = &b->runs[i];

		if (!runs_alike(x, y) || x->n_samples != y->n_samples ||
			x->n_metrics != y->n_metrics)
			return false;
		for (size_t k = 0; k < x->n_metrics; k++)
			if (!same_values(x, &x->metrics[k],
				    run_find_metric(y, x->metrics[k].name), &any_duration))
				return false;
	}
	return any_duration;
}

bool name_is_listed(const char *list, const char *key)
{
	size_t length = strlen(key);

	while (list && *list) {
		size_t part = strcspn(list, ",");

		if (part == length && strncmp(list, key, length) == 0)
			return true;
		list += part + (list[part] == ',');
	}
	return false;
}
