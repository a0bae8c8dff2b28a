// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Along one series, night by night, as each of them saw it: nothing here looks
 * ahead. A change opens a segment of its own, so that what comes after it is
 * judged against itself, and the alert stays open until the old level is back or
 * someone accepts the new one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/changepoint.h"
#include "verdicts/history.h"

/* Nights that must be back at the old level: more, where a step is in the noise. */
enum { BACK_GATE = 4, BACK_SHIFT = 10 };

/* Of the difference of two medians of GATE_NIGHTS, in its standard errors. */
#define CREEP_TIMES 4
#define MEDIAN_ERROR 1.2533

/* The last nights of a segment, as points. */
struct window {
	size_t n, at[CHANGE_MOST];
};

struct state {
	struct window window;
	struct baseline anchor; /* n is 0: not known yet */
	size_t anchor_at;       /* its last night */
};

struct walk {
	const struct series *s;
	struct verdict *v;
	struct state now;
	struct state *before; /* of each alert: what its end goes back to */
	bool small;           /* the last night's */
};

static double y_at(const struct walk *w, size_t i)
{
	return series_y(w->s, &w->s->points[i].first);
}

static bool matters(const struct walk *w, size_t i, double from, double to)
{
	return series_matters(w->s, &w->s->points[i], from, to);
}

static bool is_exact(const struct series *s)
{
	return s->kind == KIND_EXACT && !s->varies;
}

/* But for the last digits, which a mean over another number of boots may differ in. */
static bool same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void push(struct window *window, size_t i)
{
	if (window->n == CHANGE_MOST) {
		window->n--;
		memmove(window->at, window->at + 1, window->n * sizeof(*window->at));
	}
	window->at[window->n++] = i;
}

/* y of the last nights of the window, most at the most; returns how many. */
static size_t last_values(const struct walk *w, size_t most, double *ret)
{
	const struct window *window = &w->now.window;
	size_t n = window->n < most ? window->n : most;

	for (size_t i = 0; i < n; i++)
		ret[i] = y_at(w, window->at[window->n - n + i]);
	return n;
}

static struct baseline last_baseline(const struct walk *w)
{
	double y[GATE_NIGHTS];

	return baseline_of(y, last_values(w, GATE_NIGHTS, y));
}

static struct alert *add_alert(
	struct walk *w, enum alert_kind kind, enum alert_state state, size_t i)
{
	struct verdict *v = w->v;

	v->alerts = mem_resize(v->alerts, v->n_alerts + 1, sizeof(*v->alerts));
	w->before = mem_resize(w->before, v->n_alerts + 1, sizeof(*w->before));
	w->before[v->n_alerts] = w->now;
	v->alerts[v->n_alerts] = (struct alert){ .kind = kind,
		.state = state,
		.good = i ? i - 1 : 0,
		.bad = i,
		.first = i,
		.found = i,
		.closed = i };
	return &v->alerts[v->n_alerts++];
}

/* Parts the window: the nights from a->first on are a segment of their own. */
static void begin_segment(struct walk *w, const struct alert *a)
{
	struct state *before = &w->before[a - w->v->alerts];
	size_t keep = 0;

	*before = w->now;
	while (keep < before->window.n && before->window.at[keep] < a->first)
		keep++;
	before->window.n = keep;
	w->now.window.n -= keep;
	memmove(w->now.window.at, w->now.window.at + keep,
		w->now.window.n * sizeof(*w->now.window.at));
	w->now.anchor.n = 0;
}

/*
 * A step may have begun on a night that noise kept within the limits. The nights
 * before are added as long as the new level explains them nearly as well: of all
 * beginnings, those whose log likelihood is within 3 of the best.
 */
static void find_start(const struct walk *w, struct alert *a)
{
	const double limit = 3 * 2 * a->before.sigma * a->before.sigma;
	const struct window *window = &w->now.window;
	double sum = 0, best = 0;
	size_t good = window->n - 1;

	for (size_t k = window->n - 1; k > 0; k--) {
		double y = y_at(w, window->at[k]);

		sum += (y - a->before.level) * (y - a->before.level) -
		       (y - a->level) * (y - a->level);
		if (sum > best) {
			best = sum;
			a->first = window->at[k];
		}
		if (sum >= best - limit)
			good = k - 1;
	}
	a->good = window->at[good];
}

/* Returns the alert if it is one. */
static struct alert *gate(struct walk *w, size_t i)
{
	const struct reading *again = &w->s->points[i].again;
	const struct baseline b = last_baseline(w);
	double y = y_at(w, i), second;
	struct alert *a;

	if (!baseline_is_beyond(&b, y, GATE_SUSPECT) || !matters(w, i, b.level, y))
		return NULL;
	a = add_alert(w, ALERT_GATE, ALERT_SUSPECT, i);
	a->before = b;
	a->level = y;
	a->score = (y - b.level) / b.sigma;
	if (!again->known)
		return NULL;
	a->state = ALERT_OUTLIER;
	second = series_y(w->s, again);
	if ((second > b.level) != (y > b.level) ||
		!baseline_is_beyond(&b, second, GATE_CONFIRM) ||
		!matters(w, i, b.level, second))
		return NULL;
	a->state = ALERT_OPEN;
	a->level = (y + second) / 2;
	find_start(w, a);
	return a;
}

static struct alert *exact(struct walk *w, size_t i)
{
	const struct window *window = &w->now.window;
	struct alert *a;
	double last;

	if (window->n == 0)
		return NULL;
	last = y_at(w, window->at[window->n - 1]);
	if (same(y_at(w, i), last))
		return NULL;
	a = add_alert(w, ALERT_EXACT, ALERT_OPEN, i);
	a->before = (struct baseline){ .level = last, .n = window->n };
	a->level = y_at(w, i);
	a->good = window->at[window->n - 1];
	return a;
}

static struct alert *shift(struct walk *w, size_t i)
{
	const struct window *window = &w->now.window;
	double y[CHANGE_MOST];
	size_t n = last_values(w, CHANGE_MOST, y), from;
	struct baseline before, after;
	struct change c;
	struct alert *a;

	if (n < CHANGE_LEAST)
		return NULL;
	c = change_find(y, n);
	if (fabs(c.t) < change_threshold(n))
		return NULL;
	from = c.split > GATE_NIGHTS ? c.split - GATE_NIGHTS : 0;
	before = baseline_of(y + from, c.split - from);
	after = baseline_of(y + c.split, n - c.split);
	if (!matters(w, i, before.level, after.level)) {
		w->small = true;
		return NULL;
	}
	a = add_alert(w, ALERT_SHIFT, ALERT_OPEN, i);
	a->good = window->at[c.first - 1];
	a->bad = window->at[c.last];
	a->first = window->at[c.split];
	a->before = before;
	a->level = after.level;
	a->score = c.t;
	return a;
}

static struct alert *open_creep(const struct walk *w)
{
	for (size_t k = 0; k < w->v->n_alerts; k++)
		if (w->v->alerts[k].kind == ALERT_CREEP &&
			w->v->alerts[k].state == ALERT_OPEN)
			return &w->v->alerts[k];
	return NULL;
}

static bool has_open_step(const struct walk *w)
{
	for (size_t k = 0; k < w->v->n_alerts; k++)
		if (w->v->alerts[k].kind != ALERT_CREEP &&
			w->v->alerts[k].state == ALERT_OPEN)
			return true;
	return false;
}

/* An open one closes when half of the way is gone back. */
static void creep(struct walk *w, size_t i)
{
	const struct window *window = &w->now.window;
	const struct baseline now = last_baseline(w), *anchor = &w->now.anchor;
	struct alert *a = open_creep(w);
	double gap = now.level - anchor->level, error;

	if (a && (now.level - a->before.level) / (a->level - a->before.level) < 0.5) {
		a->state = ALERT_RECOVERED;
		a->closed = i;
	}
	if (a || has_open_step(w) || anchor->n == 0 || window->n < GATE_NIGHTS ||
		window->at[window->n - GATE_NIGHTS] <= w->now.anchor_at)
		return;
	error = MEDIAN_ERROR * hypot(now.sigma, anchor->sigma) / sqrt(GATE_NIGHTS);
	if (fabs(gap) <= CREEP_TIMES * error || !matters(w, i, anchor->level, now.level))
		return;
	a = add_alert(w, ALERT_CREEP, ALERT_OPEN, i);
	a->good = a->first = w->now.anchor_at;
	a->before = *anchor;
	a->level = now.level;
	a->score = gap / error;
}

/* What creep is measured from: the release, else the first nights of the segment. */
static void set_anchor(struct walk *w, const struct marks *marks, size_t i)
{
	bool first = w->now.anchor.n == 0 && w->now.window.n == GATE_NIGHTS;

	if (!first && (i != marks->anchor || w->now.window.n < GATE_NIGHTS))
		return;
	w->now.anchor = last_baseline(w);
	w->now.anchor_at = i;
}

static bool is_back(const struct walk *w, const struct alert *a, size_t i, size_t nights)
{
	double y[BACK_SHIFT], middle = (a->before.level + a->level) / 2;

	if (i < a->found + nights)
		return false;
	if (a->kind == ALERT_EXACT)
		return same(y_at(w, i), a->before.level);
	for (size_t k = 0; k < nights; k++)
		y[k] = y_at(w, i - k);
	return (baseline_of(y, nights).level < middle) == (a->before.level < middle);
}

static void close_from(struct walk *w, size_t k, enum alert_state state, size_t i)
{
	for (; k < w->v->n_alerts; k++) {
		struct alert *a = &w->v->alerts[k];

		if (a->state != ALERT_OPEN)
			continue;
		a->state = state;
		a->closed = i;
	}
}

/* The oldest step whose old level is back takes all later ones along. */
static bool recover(struct walk *w, size_t i)
{
	for (size_t k = 0; k < w->v->n_alerts; k++) {
		const struct alert *a = &w->v->alerts[k];
		size_t nights = a->kind == ALERT_GATE    ? BACK_GATE
				: a->kind == ALERT_SHIFT ? BACK_SHIFT
							 : 1;

		if (a->state != ALERT_OPEN || a->kind == ALERT_CREEP ||
			!is_back(w, a, i, nights))
			continue;
		close_from(w, k, ALERT_RECOVERED, i);
		w->now = w->before[k];
		for (size_t back = nights; back > 0; back--)
			push(&w->now.window, i + 1 - back);
		return true;
	}
	return false;
}

static void step(struct walk *w, size_t i)
{
	bool learned = w->now.window.n >= GATE_NIGHTS;
	struct alert *a = NULL;

	w->small = false;
	if (recover(w, i))
		return;
	if (is_exact(w->s))
		a = exact(w, i);
	else if (learned)
		a = gate(w, i);
	push(&w->now.window, i);
	if (!a && !is_exact(w->s))
		a = shift(w, i);
	if (a)
		begin_segment(w, a);
	else if (!is_exact(w->s))
		creep(w, i);
}

static void conclude(const struct walk *w, struct verdict *v)
{
	size_t last = v->series->n_points - 1;

	v->word = v->now.n < GATE_NIGHTS && !is_exact(v->series) ? SERIES_LEARNING
		  : w->small                                     ? SERIES_SMALL
								 : SERIES_STEADY;
	for (size_t k = 0; k < v->n_alerts; k++) {
		const struct alert *a = &v->alerts[k];
		bool suspect = a->state == ALERT_SUSPECT && a->found == last;
		enum series_word word = suspect ? SERIES_SUSPECT : alert_word(v->series, a);

		v->n_open += a->state == ALERT_OPEN;
		v->suspect |= suspect;
		/* The worst of what is open. */
		if ((a->state == ALERT_OPEN || suspect) && word > v->word)
			v->word = word;
	}
}

void verdict_of(const struct series *s, const struct marks *marks, struct verdict *ret)
{
	struct verdict v = { .series = s };
	struct walk w = { .s = s, .v = &v };
	size_t next = 0;

	for (size_t i = 0; i < s->n_points; i++) {
		if (next < marks->n_opens && marks->opens[next] == i) {
			close_from(&w, 0, ALERT_ACCEPTED, i);
			w.now = (struct state){ 0 };
			next++;
		}
		step(&w, i);
		set_anchor(&w, marks, i);
	}
	v.now = last_baseline(&w);
	if (s->n_points > 0) {
		v.y = y_at(&w, s->n_points - 1);
		conclude(&w, &v);
	}
	free(w.before);
	*ret = v;
}

void verdict_clear(struct verdict *v)
{
	free(v->alerts);
	*v = (struct verdict){ 0 };
}
