// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/history_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/history_group.h"
#include "verdicts/sparkline.h"
#include "verdicts/table.h"

#define TREND_DAYS 30
#define TREND_DAYS_NARROW 12
#define NARROW 112 /* a terminal that is less wide gets shorter columns */

/* False alarms for each series and year; tests/unit/test-history-simulation.c. */
#define FALSE_ALARMS 0.3

/* Words of a result file may hold anything; these must not steer a terminal. */
static void put_safe(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
}

static bool is_narrow(const struct history_options *options)
{
	return options->width > 0 && options->width < NARROW;
}

/* A character a day up to the machine's newest night; freed by the caller. */
static char *trend(const struct machine *m, const struct series *s,
	const struct history_options *options)
{
	size_t days = is_narrow(options) ? TREND_DAYS_NARROW : TREND_DAYS;
	const long newest = m->nights[m->n_nights - 1].day;
	double y[TREND_DAYS], least;

	for (size_t i = 0; i < days; i++)
		y[i] = NAN;
	for (size_t i = 0; i < s->n_points; i++) {
		size_t age = (size_t)(newest - m->nights[s->points[i].night].day);

		if (age < days)
			y[days - 1 - age] = series_y(s, &s->points[i].first);
	}
	least = s->ratio ? log1p(s->effect.relative) : s->effect.absolute;
	return sparkline(y, days, least, options->utf8);
}

static const struct {
	const char *symbol;
	enum table_color color;
} looks[] = {
	[SERIES_LEARNING] = { "", TABLE_DIM },
	[SERIES_STEADY] = { "= ", TABLE_DIM },
	[SERIES_SMALL] = { "= ", TABLE_PLAIN },
	[SERIES_SUSPECT] = { "? ", TABLE_YELLOW },
	[SERIES_CHANGED] = { "* ", TABLE_PLAIN },
	[SERIES_IMPROVEMENT] = { "- ", TABLE_GREEN },
	[SERIES_REGRESSION] = { "+ ", TABLE_RED },
};

static char *verdict_text(const struct machine *m, const struct verdict *v, bool narrow)
{
	const struct alert *a = verdict_telling_alert(v);
	const char *word = series_word_text(v->word), *symbol = looks[v->word].symbol;
	char *move, *text;

	if (v->missing)
		return mem_format("x missing: %s", v->series->absent);
	if (v->word == SERIES_LEARNING)
		return mem_format("%s %zu/%d", word, v->now.n, GATE_NIGHTS);
	if (!a)
		return mem_format("%s%s", symbol, word);
	move = format_move(v->series, a->before.level, a->level);
	if (narrow)
		text = mem_format("%s%s %s", symbol, word, move);
	else
		text = v->word == SERIES_SUSPECT
			       ? mem_format("%s%s %s: measure again", symbol, word, move)
			       : mem_format("%s%s %s since %s", symbol, word, move,
					 m->nights[v->series->points[a->first].night].date);
	free(move);
	return text;
}

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text, enum table_color color)
{
	table_set_cell(t, column, text, color);
	free(text);
}

static void put_row(struct table *t, const struct machine *m, const struct verdict *v,
	const struct history_options *options)
{
	const struct series *s = v->series;

	table_add_row(t);
	set_cell(t, 0, series_label(m, s), TABLE_PLAIN);
	table_set_cell(t, 1, s->metric, TABLE_PLAIN);
	set_cell(t, 2, format_number(s->ratio ? exp(v->y) : v->y, !s->ratio), TABLE_PLAIN);
	set_cell(t, 3,
		s->ratio ? mem_format("%.1f %%", 100 * v->now.sigma)
			 : format_number(v->now.sigma, false),
		TABLE_DIM);
	set_cell(t, 4, trend(m, s, options), TABLE_PLAIN);
	set_cell(t, 5, verdict_text(m, v, is_narrow(options)),
		v->missing ? TABLE_YELLOW : looks[v->word].color);
}

static bool is_shown(const struct verdict *v)
{
	return v->series->n_points > 0 && (!v->ended || v->n_open > 0);
}

/* The worst first, and within a word in the order of the results. */
static int put_table(FILE *out, const struct history *h, size_t machine,
	const struct history_options *options)
{
	const char *const names[] = { "workload", "metric", "to ref", "noise",
		is_narrow(options) ? "12 days" : "30 days", "verdict" };
	static const enum table_align aligns[] = { TABLE_WRAP, TABLE_LEFT, TABLE_RIGHT,
		TABLE_RIGHT, TABLE_LEFT, TABLE_WRAP };
	const struct machine *m = &h->machines[machine];
	struct table *t = table_new(options->width, options->color);
	char *text;
	int ret;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		table_add_column(t, names[i], aligns[i]);
	for (int word = SERIES_REGRESSION; word >= SERIES_LEARNING; word--)
		for (size_t i = 0; i < m->n_series; i++) {
			const struct verdict *v = &h->verdicts[machine][i];

			if (is_shown(v) && v->word == (enum series_word)word)
				put_row(t, m, v, options);
		}
	ret = table_text(t, &text);
	table_free(t);
	if (ret < 0)
		return ret;
	fputs(text, out);
	free(text);
	return 0;
}

static int put_machine(
	FILE *out, const struct history *h, size_t i, const struct history_options *options)
{
	const struct machine *m = &h->machines[i];
	const struct night *first, *last;
	bool any = false;

	if (m->n_nights == 0)
		return 0;
	first = m->nights;
	last = &m->nights[m->n_nights - 1];
	put_safe(out, m->name);
	fprintf(out, ": %zu nights from %s to %s, %ld days without; tonight ", m->n_nights,
		first->date, last->date, last->day - first->day + 1 - (long)m->n_nights);
	put_safe(out, night_commit(last));
	fputs(last->again ? ", measured twice\n" : "\n", out);
	for (size_t k = 0; k < m->n_series; k++)
		any |= is_shown(&h->verdicts[i][k]);
	if (any && put_table(out, h, i, options) < 0)
		return -ENOMEM;
	if (m->n_emulated > 0)
		fprintf(out, "%zu durations of an emulator: recorded, never judged\n",
			m->n_emulated);
	fputc('\n', out);
	return 0;
}

static void put_member(FILE *out, const struct group_member *m)
{
	const struct series *s = m->verdict->series;
	char *label = series_label(m->machine, s);
	char *move = format_move(s, m->alert->before.level, m->alert->level);

	fputs("   ", out);
	put_safe(out, m->machine->name);
	fputc(' ', out);
	put_safe(out, label);
	fputc(' ', out);
	put_safe(out, s->metric);
	fprintf(out, " %s %s (", series_word_text(alert_word(s, m->alert)), move);
	if (m->alert->kind == ALERT_GATE)
		fprintf(out, "gate, measured twice: %.1f sigma", fabs(m->alert->score));
	else if (m->alert->kind == ALERT_SHIFT)
		fprintf(out, "its level moved: t %.1f", fabs(m->alert->score));
	else if (m->alert->kind == ALERT_CREEP)
		fprintf(out, "creep: %.1f standard errors", fabs(m->alert->score));
	else
		fputs("a count that should not vary", out);
	fputs(")\n", out);
	free(label);
	free(move);
}

static void put_group(FILE *out, const struct group *g, size_t number, bool bisect)
{
	fprintf(out, "%zu. after %s (", number, g->good->date);
	put_safe(out, night_commit(g->good));
	fprintf(out, "), by %s (", g->bad->date);
	put_safe(out, night_commit(g->bad));
	fputs("):\n", out);
	for (size_t i = 0; i < g->n_members; i++)
		put_member(out, &g->members[i]);
	if (!bisect)
		return;
	if (g->good->commit && g->bad->commit) {
		fputs("   git bisect start ", out);
		put_safe(out, g->bad->commit);
		fputc(' ', out);
		put_safe(out, g->good->commit);
		fputs("  # bad good\n", out);
	} else {
		fputs("   no bisection: the results do not record a commit\n", out);
	}
}

static void put_groups(
	FILE *out, const struct history *h, const struct history_options *options)
{
	size_t n;
	struct group *groups = groups_make(h, &n);

	if (n > 0)
		fputs("Open alerts, by the change that may explain them:\n", out);
	for (size_t i = 0; i < n; i++)
		put_group(out, &groups[i], i + 1, options->bisect);
	if (n > 0) {
		fputs("An alert stays until its old level is back, or someone accepts:\n"
		      "  shootdown history accept ",
			out);
		put_safe(out, options->folder);
		fputs(" --series GLOB --why TEXT\n\n", out);
	}
	groups_free(groups, n);
}

static void put_decisions(FILE *out, const struct decisions *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct decision *d = &list->items[i];

		fprintf(out,
			"%s %s: ", d->kind == DECISION_ACCEPT ? "accepted from" : "anchor",
			d->night);
		put_safe(out, d->series ? d->series : d->machine ? d->machine : "all");
		fputs(", by ", out);
		put_safe(out, d->by);
		fputs(": ", out);
		put_safe(out, d->why);
		fputc('\n', out);
	}
}

static void put_footer(FILE *out, const struct history *h)
{
	const struct history_tally t = history_count(h);

	for (size_t i = 0; i < h->n_notes; i++) {
		fputs("warning: ", out);
		put_safe(out, h->notes[i]);
		fputc('\n', out);
	}
	put_decisions(out, &h->decisions);
	fprintf(out,
		"%zu series, %zu of them learning: %zu worse, %zu better, %zu changed, "
		"%zu suspect, %zu missing.\n"
		"In the past: %zu recovered, %zu accepted, %zu outlier nights.\n",
		t.judged, t.learning, t.regressions, t.improvements, t.changed, t.suspects,
		t.missing, t.recovered, t.accepted, t.outliers);
	fprintf(out, "False alarms to expect of as many: about %.1f a year.\n",
		FALSE_ALARMS * (double)t.judged);
}

int history_text(const struct history *h, const struct history_options *options, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int code = 0;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_machines && code == 0; i++)
		code = put_machine(out, h, i, options);
	put_groups(out, h, options);
	put_footer(out, h);
	if (fclose(out) != 0)
		code = -ENOMEM;
	if (code < 0)
		free(text);
	else
		*ret = text;
	return code;
}
