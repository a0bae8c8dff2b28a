// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/history.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_pair.h"

void history_add_note(struct history *h, char *text)
{
	h->notes = mem_resize(h->notes, h->n_notes + 1, sizeof(*h->notes));
	h->notes[h->n_notes++] = text;
}

void history_clear(struct history *h)
{
	for (size_t m = 0; m < h->n_machines; m++) {
		for (size_t i = 0; h->verdicts && i < h->machines[m].n_series; i++)
			verdict_clear(&h->verdicts[m][i]);
		if (h->verdicts)
			free(h->verdicts[m]);
		machine_clear(&h->machines[m]);
	}
	for (size_t i = 0; i < h->n_notes; i++)
		free(h->notes[i]);
	decisions_clear(&h->decisions);
	free(h->notes);
	free(h->verdicts);
	free(h->machines);
	*h = (struct history){ 0 };
}

const struct alert *verdict_telling_alert(const struct verdict *v)
{
	for (size_t k = v->n_alerts; k > 0; k--) {
		const struct alert *a = &v->alerts[k - 1];

		if (v->word == SERIES_SUSPECT && a->state == ALERT_SUSPECT)
			return a;
		if (a->state == ALERT_OPEN && alert_word(v->series, a) == v->word)
			return a;
	}
	return NULL;
}

static long day_of(const struct machine *m, const struct series *s, size_t point)
{
	return m->nights[s->points[point].night].day;
}

static int by_index(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

/* The first point from that night on; n_points: there is none yet. */
static size_t point_from(const struct machine *m, const struct series *s, long day)
{
	size_t i = 0;

	while (i < s->n_points && day_of(m, s, i) < day)
		i++;
	return i;
}

static void judge_series(const struct machine *m, const struct series *s,
	const struct decisions *decisions, struct verdict *ret)
{
	size_t *opens = mem_zeroed(decisions->count, sizeof(*opens)), n = 0, unique = 0;
	long anchor_day = -1, day = 0;
	struct marks marks = { .opens = opens, .anchor = SIZE_MAX };

	for (size_t i = 0; i < decisions->count; i++) {
		const struct decision *d = &decisions->items[i];

		if (!night_day(d->night, &day))
			continue;
		if (d->kind == DECISION_ACCEPT && strcmp(d->series, s->key) == 0)
			opens[n++] = point_from(m, s, day);
		if (d->kind == DECISION_ANCHOR && day > anchor_day &&
			(!d->machine || strcmp(d->machine, m->name) == 0))
			anchor_day = day;
	}
	qsort(opens, n, sizeof(*opens), by_index);
	for (size_t i = 0; i < n; i++)
		if (unique == 0 || opens[unique - 1] != opens[i])
			opens[unique++] = opens[i];
	marks.n_opens = unique;
	/* The release's night, or the last one before it. */
	if (anchor_day >= 0 && point_from(m, s, anchor_day + 1) > 0)
		marks.anchor = point_from(m, s, anchor_day + 1) - 1;
	verdict_of(s, &marks, ret);
	free(opens);
	if (s->n_points > 0) {
		size_t last = s->points[s->n_points - 1].night;

		ret->missing = last + 2 == m->n_nights;
		ret->ended = last + 2 < m->n_nights;
	}
}

/* "microcode 0x1 -> 0x2"; freed by the caller. */
static char *describe_change(const struct fields *a, const struct fields *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct field *f = &a->items[i], *g = fields_find(b, f->name);
		char *from, *to, *text;

		if (g && field_equal(f, g))
			continue;
		from = field_format(f);
		to = g ? field_format(g) : mem_text("not recorded");
		text = mem_format("%s %s -> %s", f->name, from, to);
		free(from);
		free(to);
		return text;
	}
	for (size_t i = 0; i < b->count; i++)
		if (!fields_find(a, b->items[i].name))
			return mem_format("%s is recorded", b->items[i].name);
	return mem_text("");
}

static void note_setups(struct history *h, const struct machine *m)
{
	for (size_t i = 1; i < m->n_nights; i++) {
		const struct night *a = &m->nights[i - 1], *b = &m->nights[i];
		char *change;

		if (a->setup == b->setup)
			continue;
		change = describe_change(
			&m->setups[a->setup].fields, &m->setups[b->setup].fields);
		history_add_note(h, mem_format("%s: from %s on other series: %s", m->name,
					    b->date, change));
		free(change);
	}
}

/* A machine that fell silent gives no verdict, and must not look like a good one. */
static void note_silence(struct history *h)
{
	long newest = 0;

	for (size_t m = 0; m < h->n_machines; m++)
		if (h->machines[m].n_nights > 0) {
			const struct machine *one = &h->machines[m];
			long day = one->nights[one->n_nights - 1].day;

			newest = day > newest ? day : newest;
		}
	for (size_t m = 0; m < h->n_machines; m++) {
		const struct machine *one = &h->machines[m];
		const struct night *last =
			one->n_nights ? &one->nights[one->n_nights - 1] : NULL;

		if (!last)
			history_add_note(h,
				mem_format("%s: no night that can be judged", one->name));
		else if (last->day < newest)
			history_add_note(h,
				mem_format(
					"%s: silent since %s, %ld days behind the newest",
					one->name, last->date, newest - last->day));
	}
}

void history_judge(struct history *h)
{
	h->verdicts = mem_zeroed(h->n_machines, sizeof(*h->verdicts));
	for (size_t m = 0; m < h->n_machines; m++) {
		const struct machine *machine = &h->machines[m];

		h->verdicts[m] = mem_zeroed(machine->n_series, sizeof(**h->verdicts));
		for (size_t i = 0; i < machine->n_series; i++)
			judge_series(machine, &machine->series[i], &h->decisions,
				&h->verdicts[m][i]);
		note_setups(h, machine);
	}
	note_silence(h);
}

static void count_series(const struct verdict *v, struct history_tally *t)
{
	bool goes_on = v->series->n_points > 0 && !v->ended && !v->missing;

	t->judged += goes_on;
	t->learning += goes_on && v->word == SERIES_LEARNING;
	t->missing += v->missing;
	t->suspects += goes_on && v->suspect;
	t->regressions += v->word == SERIES_REGRESSION && v->series->declared;
	t->improvements += v->word == SERIES_IMPROVEMENT;
	t->changed += v->word == SERIES_CHANGED;
	for (size_t i = 0; i < v->n_alerts; i++) {
		t->recovered += v->alerts[i].state == ALERT_RECOVERED;
		t->accepted += v->alerts[i].state == ALERT_ACCEPTED;
		t->outliers += v->alerts[i].state == ALERT_OUTLIER;
	}
}

struct history_tally history_count(const struct history *h)
{
	struct history_tally t = { 0 };

	for (size_t m = 0; m < h->n_machines; m++)
		for (size_t i = 0; i < h->machines[m].n_series; i++)
			count_series(&h->verdicts[m][i], &t);
	return t;
}

int history_exit_code(const struct history *h)
{
	const struct history_tally t = history_count(h);

	if (h->unread)
		return 2;
	if (h->lost || t.missing > 0 || t.judged == 0)
		return 3;
	if (t.regressions > 0)
		return 1;
	return t.suspects > 0 ? 4 : 0;
}
