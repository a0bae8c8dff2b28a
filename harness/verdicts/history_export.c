// SPDX-License-Identifier: GPL-2.0-or-later
/* The history for other programs. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdicts/history_group.h"
#include "verdicts/history_text.h"
#include "verdicts/record_json.h"

/* JSON has no infinity: a step away from nights that were all the same. */
static json_t *real_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static const char *date_of(const struct machine *m, const struct series *s, size_t point)
{
	return m->nights[s->points[point].night].date;
}

static json_t *points_json(const struct machine *m, const struct series *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_points; i++) {
		const struct point *p = &s->points[i];
		json_t *one = json_pack("{s:s, s:o, s:o, s:o}", "night", date_of(m, s, i),
			"tonight", real_json(p->first.tonight), "reference",
			real_json(p->first.reference), "y",
			real_json(series_y(s, &p->first)));

		if (p->again.known)
			json_object_set_new(
				one, "again", real_json(series_y(s, &p->again)));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *alert_json(
	const struct machine *m, const struct series *s, const struct alert *a)
{
	bool closed = a->state == ALERT_RECOVERED || a->state == ALERT_ACCEPTED;

	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o}",
		"kind", alert_kind_text(a->kind), "state", alert_state_text(a->state),
		"word", series_word_text(alert_word(s, a)), "good", date_of(m, s, a->good),
		"bad", date_of(m, s, a->bad), "first", date_of(m, s, a->first), "found",
		date_of(m, s, a->found), "closed", closed ? date_of(m, s, a->closed) : NULL,
		"before", real_json(a->before.level), "level", real_json(a->level), "sigma",
		real_json(a->before.sigma), "score", real_json(a->score));
}

static json_t *series_json(const struct machine *m, const struct verdict *v)
{
	const struct series *s = v->series;
	json_t *alerts = json_array();
	char *label = series_label(m, s);
	json_t *one;

	for (size_t i = 0; i < v->n_alerts; i++)
		json_array_append_new(alerts, alert_json(m, s, &v->alerts[i]));
	one = json_pack("{s:o, s:o, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:o, "
			"s:o, s:I, s:o, s:o}",
		"key", record_text_json(s->key), "workload", record_text_json(label),
		"metric", s->metric, "unit", s->unit, "better",
		record_better_words[s->better], "kind", record_kind_words[s->kind], "scale",
		s->ratio ? "log ratio" : "difference", "word", series_word_text(v->word),
		"decides", s->declared, "suspect", v->suspect, "missing", v->missing,
		"ended", v->ended, "level", real_json(v->now.level), "sigma",
		real_json(v->now.sigma), "learned", (json_int_t)v->now.n, "alerts", alerts,
		"points", points_json(m, s));
	free(label);
	return one;
}

static json_t *machine_json(const struct history *h, size_t i)
{
	const struct machine *m = &h->machines[i];
	json_t *nights = json_array(), *series = json_array();

	for (size_t k = 0; k < m->n_nights; k++)
		json_array_append_new(
			nights, json_pack("{s:s, s:s, s:s?, s:s, s:b}", "night",
					m->nights[k].date, "kernel", m->nights[k].kernel,
					"commit", m->nights[k].commit, "setup",
					m->setups[m->nights[k].setup].digest, "again",
					m->nights[k].again));
	for (size_t k = 0; k < m->n_series; k++)
		json_array_append_new(series, series_json(m, &h->verdicts[i][k]));
	return json_pack("{s:o, s:o, s:o}", "machine", record_text_json(m->name), "nights",
		nights, "series", series);
}

static json_t *group_json(const struct group *g)
{
	json_t *keys = json_array();

	for (size_t i = 0; i < g->n_members; i++)
		json_array_append_new(
			keys, record_text_json(g->members[i].verdict->series->key));
	return json_pack("{s:s, s:s, s:s?, s:s?, s:o}", "good", g->good->date, "bad",
		g->bad->date, "good_commit", g->good->commit, "bad_commit", g->bad->commit,
		"series", keys);
}

static json_t *groups_json(const struct history *h)
{
	json_t *list = json_array();
	size_t n;
	struct group *groups = groups_make(h, &n);

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, group_json(&groups[i]));
	groups_free(groups, n);
	return list;
}

int history_json(const struct history *h, char **ret)
{
	const struct history_tally t = history_count(h);
	json_t *machines = json_array(), *notes = json_array(), *top;
	char *text;

	for (size_t i = 0; i < h->n_machines; i++)
		json_array_append_new(machines, machine_json(h, i));
	for (size_t i = 0; i < h->n_notes; i++)
		json_array_append_new(notes, record_text_json(h->notes[i]));
	top = json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}",
		"exit_code", history_exit_code(h), "series", (json_int_t)t.judged,
		"learning", (json_int_t)t.learning, "regressions",
		(json_int_t)t.regressions, "improvements", (json_int_t)t.improvements,
		"changed", (json_int_t)t.changed, "suspects", (json_int_t)t.suspects,
		"missing", (json_int_t)t.missing, "alerts", groups_json(h), "machines",
		machines, "warnings", notes);
	text = top ? json_dumps(top, JSON_INDENT(1)) : NULL;
	json_decref(top);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}
