// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "verdicts/compare.h"
#include "verdicts/compare_verdict.h"
#include "verdicts/record_json.h"
#include "verdicts/series_parts.h"

bool night_day(const char *date, long *ret)
{
	struct tm tm = { 0 }, given;
	time_t seconds;
	int used = 0;

	if (sscanf(date, "%4d-%2d-%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &used) !=
			3 ||
		used != 10 || date[10] || strspn(date, "0123456789-") != 10)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	given = tm;
	seconds = timegm(&tm);
	if (tm.tm_year != given.tm_year || tm.tm_mon != given.tm_mon ||
		tm.tm_mday != given.tm_mday)
		return false;
	*ret = (long)(seconds / 86400);
	return true;
}

void machine_init(struct machine *m, const char *name)
{
	*m = (struct machine){ .name = mem_text(name) };
}

static void series_clear(struct series *s)
{
	free(s->key);
	free(s->workload);
	free(s->metric);
	free(s->unit);
	free(s->points);
	free(s->absent);
}

void machine_clear(struct machine *m)
{
	for (size_t i = 0; i < m->n_nights; i++) {
		free(m->nights[i].date);
		free(m->nights[i].kernel);
		free(m->nights[i].commit);
	}
	for (size_t i = 0; i < m->n_setups; i++) {
		free(m->setups[i].digest);
		fields_clear(&m->setups[i].fields);
	}
	for (size_t i = 0; i < m->n_series; i++)
		series_clear(&m->series[i]);
	free(m->nights);
	free(m->setups);
	free(m->series);
	free(m->name);
	*m = (struct machine){ 0 };
}

static bool is_selected(
	const struct series_rules *rules, const char *key, const char *metric)
{
	if (!rules->pattern)
		return compare_is_declared(metric);
	return fnmatch(rules->pattern, key, 0) == 0 ||
	       fnmatch(rules->pattern, metric, 0) == 0;
}

/*
 * The series of that key, or a new one; NULL: not asked for. *at is where the
 * one before was found: nights mostly hold the same series in the same order.
 */
static struct series *find_series(struct machine *m, const char *workload,
	const struct metric *metric, size_t setup, const struct series_rules *rules,
	size_t *at)
{
	char *key = mem_format(
		"%s/%s/%s/%s", m->name, m->setups[setup].digest, workload, metric->name);
	struct series *s;

	if (!is_selected(rules, key, metric->name)) {
		free(key);
		return NULL;
	}
	for (size_t i = 0; i < m->n_series; i++) {
		s = &m->series[(*at + i) % m->n_series];
		if (strcmp(s->key, key) == 0) {
			*at = (size_t)(s - m->series) + 1;
			free(key);
			return s;
		}
	}
	m->series = mem_resize(m->series, m->n_series + 1, sizeof(*m->series));
	s = &m->series[m->n_series++];
	*s = (struct series){ .key = key,
		.workload = mem_text(workload),
		.metric = mem_text(metric->name),
		.unit = mem_text(metric->unit),
		.setup = setup,
		.better = metric->better,
		.kind = metric->kind,
		.effect = effect_of(rules->effects, rules->n_effects, metric->name,
			metric->unit, metric->kind),
		.declared = compare_is_declared(metric->name) && metric->kind != KIND_SHARE,
		.ratio = metric->kind == KIND_SAMPLE };
	return s;
}

/* NULL: the two can be compared; freed by the caller. */
static char *refusal(const struct metric *r, const struct metric *t)
{
	if (r->unavailable || t->unavailable)
		return mem_format("unavailable: %s",
			t->unavailable ? t->unavailable : r->unavailable);
	if (strcmp(r->unit, t->unit) != 0 || r->better != t->better)
		return mem_text("unit or direction differ from the reference's");
	return NULL;
}

/* The logarithm of the ratio, pair by pair where there are pairs. */
static double mean_log(const struct judgement *j)
{
	double base = 0, cand = 0;

	for (size_t i = 0; i < j->n_base; i++)
		base += j->base[i] > 0 ? log(j->base[i]) : NAN;
	for (size_t i = 0; i < j->n_cand; i++)
		cand += j->cand[i] > 0 ? log(j->cand[i]) : NAN;
	return cand / (double)j->n_cand - base / (double)j->n_base;
}

/* Returns why there is no reading, freed by the caller; NULL: there is one. */
static char *take_values(const struct compare_value *r, const struct compare_value *t,
	const struct metric *metric, struct series *s, struct reading *ret)
{
	struct judgement j = { 0 };

	if (!r->known || !t->known)
		return mem_text("no sample counts");
	if (effect_is_duration(metric->unit) && (r->negative || t->negative))
		return mem_text("a duration below 0: its clock jumped");
	judge_match(r, t, PAIR_AUTO, &j);
	*ret = (struct reading){ .known = true,
		.tonight = t->value,
		.reference = r->value,
		.log = mean_log(&j),
		.difference = stats_mean(j.cand, j.n_cand) - stats_mean(j.base, j.n_base) };
	s->varies |= r->varies || t->varies;
	judgement_clear(&j);
	return NULL;
}

static char *take_reading(const struct run *reference, const struct run *tonight,
	const char *name, struct series *s, struct reading *ret)
{
	const struct metric *r = reference ? run_find_metric(reference, name) : NULL;
	const struct metric *t = tonight ? run_find_metric(tonight, name) : NULL;
	struct compare_value values[2] = { 0 };
	char *why;

	if (!r || !t)
		return mem_format("not in the result of %s",
			t ? "the reference" : "tonight's kernel");
	why = refusal(r, t);
	if (why)
		return why;
	if (compare_value_of(reference, r, &values[0]) < 0 ||
		compare_value_of(tonight, t, &values[1]) < 0)
		abort();
	why = take_values(&values[0], &values[1], t, s, ret);
	compare_value_clear(&values[0]);
	compare_value_clear(&values[1]);
	return why;
}

static const struct run *find_run(const struct record *r, const struct run *like)
{
	for (size_t i = 0; r && i < r->n_runs; i++)
		if (runs_alike(&r->runs[i], like))
			return &r->runs[i];
	return NULL;
}

static void add_point(struct series *s, size_t night, const struct reading *first,
	const struct reading *again)
{
	s->points = mem_resize(s->points, s->n_points + 1, sizeof(*s->points));
	s->points[s->n_points++] =
		(struct point){ .night = night, .first = *first, .again = *again };
	s->ratio &= !isnan(first->log) && (!again->known || !isnan(again->log));
	free(s->absent);
	s->absent = NULL;
}

/* The series of a workload that gave no numbers tonight. */
static void mark_absent(
	struct machine *m, const char *workload, const struct run *run, const char *side)
{
	for (size_t i = 0; i < m->n_series; i++) {
		struct series *s = &m->series[i];

		if (s->setup != m->nights[m->n_nights - 1].setup ||
			strcmp(s->workload, workload) != 0)
			continue;
		free(s->absent);
		s->absent = mem_format("%s %s: %s", side, record_status_words[run->status],
			run->reason ? run->reason : "no reason given");
	}
}

/* One run of tonight's; what it was run against may lack it. */
static void add_run(struct machine *m, const struct night_results *results,
	const struct run *run, const struct series_rules *rules, size_t *at)
{
	const struct run *reference = find_run(results->reference, run);
	const struct run *run_again = find_run(results->tonight_again, run);
	const struct run *reference_again = find_run(results->reference_again, run);
	const size_t night = m->n_nights - 1;
	char *name = series_run_name(run);
	size_t n = run->n_metrics;

	if (run->status != RUN_OK || (reference && reference->status != RUN_OK)) {
		bool own = run->status != RUN_OK;

		mark_absent(m, name, own ? run : reference, own ? "tonight" : "reference");
		n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct reading first = { 0 }, again = { 0 };
		struct series *s;
		char *why;

		if (run->metrics[i].emulated) {
			m->n_emulated += is_selected(rules, "", run->metrics[i].name);
			continue;
		}
		s = find_series(
			m, name, &run->metrics[i], m->nights[night].setup, rules, at);
		if (!s || (s->n_points && s->points[s->n_points - 1].night == night))
			continue;
		why = take_reading(reference, run, s->metric, s, &first);
		if (why) {
			free(s->absent);
			s->absent = why;
			continue;
		}
		if (m->nights[night].again)
			free(take_reading(
				reference_again, run_again, s->metric, s, &again));
		add_point(s, night, &first, &again);
	}
	free(name);
}

static char *subject_text(const struct record *r, const char *name)
{
	const struct field *f = fields_find(&r->subject, name);

	return f ? field_format(f) : NULL;
}

static void begin_night(struct machine *m, const char *date, const struct record *tonight,
	bool again, size_t setup)
{
	char *kernel = subject_text(tonight, "kernel_release");
	struct night *n;

	m->nights = mem_resize(m->nights, m->n_nights + 1, sizeof(*m->nights));
	n = &m->nights[m->n_nights++];
	*n = (struct night){ .date = mem_text(date),
		.kernel = kernel ? kernel : mem_text(""),
		.commit = subject_text(tonight, "commit"),
		.setup = setup,
		.again = again };
	night_day(date, &n->day);
	m->n_emulated = 0;
	for (size_t i = 0; i < m->n_series; i++) {
		free(m->series[i].absent);
		m->series[i].absent = mem_text(m->series[i].setup == setup
						       ? "not in the result"
						       : "the machine or the reference "
							 "kernel is another");
	}
}

int machine_add_night(struct machine *m, const char *date,
	const struct night_results *results, const struct series_rules *rules,
	struct err *err)
{
	const struct fields *identity = &results->reference->identity;
	const struct record *again[] = { results->reference_again, results->tonight_again };
	const char *allowed = rules->allow_mismatch;
	size_t at = 0;
	int ret =
		series_check_identity(identity, &results->tonight->identity, allowed, err);

	for (size_t i = 0; i < 2 && ret == 0; i++)
		if (again[i])
			ret = series_check_identity(
				identity, &again[i]->identity, allowed, err);
	if (ret < 0)
		return ret;
	begin_night(m, date, results->tonight, again[0] && again[1],
		series_setup(m, results->reference, allowed));
	for (size_t i = 0; i < results->tonight->n_runs; i++)
		add_run(m, results, &results->tonight->runs[i], rules, &at);
	return 0;
}
