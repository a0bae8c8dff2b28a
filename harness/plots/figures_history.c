// SPDX-License-Identifier: GPL-2.0-or-later
/* Nightly series with their change points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/figures_parts.h"
#include "verdicts/history_text.h"

/* More pictures say less: those with alerts come first. */
#define SERIES_MAX 24

/* As people read it: a change in percent, or a difference in the unit. */
static double shown(const struct series *s, double y)
{
	return s->ratio ? 100 * expm1(y) : y;
}

static json_t *real_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *nights_json(const struct machine *m, const struct series *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_points; i++) {
		const struct point *p = &s->points[i];
		const struct night *night = &m->nights[p->night];

		json_array_append_new(list,
			json_pack("{s:I, s:s, s:o, s:o}", "day", (json_int_t)night->day,
				"date", night->date, "y",
				real_json(shown(s, series_y(s, &p->first))), "again",
				p->again.known ? real_json(shown(s, series_y(s, &p->again)))
					       : json_null()));
	}
	return list;
}

static const char *color_of(const struct series *s, const struct alert *a)
{
	switch (alert_word(s, a)) {
	case SERIES_REGRESSION:
		return "bad";
	case SERIES_IMPROVEMENT:
		return "good";
	default:
		return "doubt";
	}
}

/* Only what is or was a change: no suspects and outliers. */
static bool is_change(const struct alert *a)
{
	return a->state == ALERT_OPEN || a->state == ALERT_ACCEPTED ||
	       a->state == ALERT_RECOVERED;
}

static json_t *changes_json(const struct verdict *v)
{
	const struct series *s = v->series;
	json_t *list = json_array();

	for (size_t i = 0; i < v->n_alerts; i++) {
		const struct alert *a = &v->alerts[i];
		const size_t end = a->state == ALERT_OPEN || a->closed >= s->n_points
					   ? s->n_points - 1
					   : a->closed;

		if (!is_change(a))
			continue;
		json_array_append_new(
			list, json_pack("{s:I, s:I, s:I, s:o, s:o, s:s, s:s}", "good",
				      (json_int_t)a->good, "first", (json_int_t)a->first,
				      "end", (json_int_t)end, "before",
				      real_json(shown(s, a->before.level)), "after",
				      real_json(shown(s, a->level)), "color",
				      color_of(s, a), "state", alert_state_text(a->state)));
	}
	return list;
}

static void add_series(const struct machine *m, const struct verdict *v, struct figures *f)
{
	const struct series *s = v->series;
	char *label = series_label(m, s), *slug = figure_slug(label), *title, *subtitle;
	const char *unit = s->ratio ? "% off the reference" : s->unit;

	title = mem_format("%s: %s", m->name, label);
	subtitle = mem_format("%s, %s; n = %zu nights", s->metric, unit, s->n_points);
	figures_add(f, FIGURE_HISTORY,
		mem_format("history-%02zu-%.60s", f->count + 1, slug), label,
		mem_format("%s. %s. %s", title, subtitle, series_word_text(v->word)),
		mem_format("%s, %s; n = %zu nights: %s.", s->metric, unit, s->n_points,
			series_word_text(v->word)),
		json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", "nights", "title",
			figure_text(title), "subtitle", figure_text(subtitle), "nights",
			nights_json(m, s), "changes", changes_json(v)));
	free(label);
	free(slug);
	free(title);
	free(subtitle);
}

void figures_add_history(const struct report *r, struct figures *f)
{
	const struct history *h = r->fleet ? NULL : r->history;

	for (int with_alerts = 1; h && with_alerts >= 0; with_alerts--)
		for (size_t i = 0; i < h->n_machines; i++)
			for (size_t k = 0; k < h->machines[i].n_series; k++) {
				const struct verdict *v = &h->verdicts[i][k];

				if (f->count < SERIES_MAX && v->series->n_points > 0 &&
					(v->n_alerts > 0) == with_alerts &&
					(with_alerts || v->series->declared))
					add_series(&h->machines[i], v, f);
			}
}
