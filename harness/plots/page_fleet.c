// SPDX-License-Identifier: GPL-2.0-or-later
/* All machines on one page: what is open, tonight's verdicts, and the machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/html.h"
#include "plots/page.h"
#include "plots/trend.h"
#include "verdicts/compare_format.h"
#include "verdicts/fleet.h"
#include "verdicts/history_group.h"
#include "verdicts/history_text.h"

static const struct {
	const char *class, *symbol;
} looks[] = {
	[SERIES_LEARNING] = { "quiet", "" },
	[SERIES_STEADY] = { "quiet", "=" },
	[SERIES_SMALL] = { "quiet", "=" },
	[SERIES_SUSPECT] = { "doubt", "?" },
	[SERIES_CHANGED] = { "doubt", "*" },
	[SERIES_IMPROVEMENT] = { "good", "-" },
	[SERIES_REGRESSION] = { "bad", "+" },
};

/* A hash only as far as people read it. */
static void put_commit(FILE *out, const struct night *n)
{
	const char *commit = night_commit(n);
	char *brief = strspn(commit, "0123456789abcdef") == strlen(commit)
			      ? mem_format("%.12s", commit)
			      : mem_text(commit);

	fputs("<code>", out);
	html_put(out, brief);
	fputs("</code>", out);
	free(brief);
}

static void put_count(FILE *out, const char *class, const char *what, size_t n)
{
	fprintf(out, "<div class=\"%s\"><dt>%s</dt><dd>%zu</dd></div>\n", n ? class : "",
		what, n);
}

static size_t count_silent(const struct fleet *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->history->n_machines; i++)
		n += fleet_is_silent(f, &f->history->machines[i]);
	return n;
}

static void put_summary(FILE *out, const struct fleet *f)
{
	const struct history_tally t = history_count(f->history);

	fprintf(out, "<section id=\"open\">\n<h2>Open</h2>\n<p>%zu machine%s, %zu series, ",
		f->history->n_machines, f->history->n_machines == 1 ? "" : "s", t.judged);
	fprintf(out, "%zu of them learning.</p>\n<dl class=\"tally\">\n", t.learning);
	put_count(out, "bad", "worse", t.regressions);
	put_count(out, "good", "better", t.improvements);
	put_count(out, "", "changed", t.changed);
	put_count(out, "", "suspect tonight", t.suspects);
	put_count(out, "bad", "missing tonight", t.missing);
	put_count(out, "bad", "machines silent", count_silent(f));
	fputs("</dl>\n", out);
}

static void put_member(FILE *out, const struct fleet *f, const struct group_member *g)
{
	const struct series *s = g->verdict->series;
	const enum series_word word = alert_word(s, g->alert);
	char *label = fleet_label(f->history, s);
	char *move = format_move(s, g->alert->before.level, g->alert->level);

	fprintf(out, "<li class=\"%s\"><b>", looks[word].class);
	html_put(out, g->machine->name);
	fputs("</b> ", out);
	html_put(out, label);
	fputs(" <span class=\"muted\">", out);
	html_put(out, s->metric);
	fprintf(out, "</span> <span class=\"word\"><b>%s</b> %s ", looks[word].symbol,
		series_word_text(word));
	html_put(out, move);
	fprintf(out, "</span> <span class=\"muted\">found as %s</span></li>\n",
		alert_kind_text(g->alert->kind));
	free(label);
	free(move);
}

static void put_groups(FILE *out, const struct fleet *f)
{
	size_t n;
	struct group *groups = groups_make(f->history, &n);

	if (n == 0)
		fputs("<p>No alert is open.</p>\n", out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "<h3>After %s (", groups[i].good->date);
		put_commit(out, groups[i].good);
		fprintf(out, "), by %s (", groups[i].bad->date);
		put_commit(out, groups[i].bad);
		fputs(")</h3>\n<ul class=\"members\">\n", out);
		for (size_t k = 0; k < groups[i].n_members; k++)
			put_member(out, f, &groups[i].members[k]);
		fputs("</ul>\n", out);
	}
	groups_free(groups, n);
}

static void put_notes(FILE *out, const struct history *h)
{
	if (h->n_notes == 0)
		return;
	fputs("<ul class=\"notes\">\n", out);
	for (size_t i = 0; i < h->n_notes; i++) {
		fputs("<li>", out);
		html_put(out, h->notes[i]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

/* "+9.5 % since 2024-02-09", or NULL; freed by the caller. */
static char *describe(const struct machine *m, const struct verdict *v)
{
	const struct alert *a = verdict_telling_alert(v);
	char *move, *text;

	if (v->missing)
		return mem_text(v->series->absent);
	if (v->word == SERIES_LEARNING)
		return mem_format("%zu of %d nights", v->now.n, GATE_NIGHTS);
	if (!a)
		return NULL;
	move = format_move(v->series, a->before.level, a->level);
	text = v->word == SERIES_SUSPECT
		       ? mem_format("%s: measure again", move)
		       : mem_format("%s since %s", move,
				 m->nights[v->series->points[a->first].night].date);
	free(move);
	return text;
}

static void put_cell(
	FILE *out, const struct fleet *f, const struct machine *m, const struct verdict *v)
{
	const bool silent = fleet_is_silent(f, m) && v->n_open == 0;
	const bool gone = v->missing || v->ended || silent;
	const char *word = v->missing ? "missing"
			   : v->ended ? "ended"
			   : silent   ? "silent"
				      : series_word_text(v->word);
	char *value = format_number(v->series->ratio ? exp(v->y) : v->y, !v->series->ratio);
	char *about = describe(m, v);
	char *label = mem_format("%zu nights, %s", v->series->n_points, word);

	fprintf(out, "<td class=\"%s\" data-label=\"",
		gone ? "doubt" : looks[v->word].class);
	html_put(out, m->name);
	fputs("\">", out);
	trend_put(out, m, v, f->newest, label);
	fprintf(out, "<span class=\"value\">%s", v->series->ratio ? "\xC3\x97" : "");
	html_put(out, value);
	fprintf(out, "</span> <span class=\"word\"><b>%s</b> %s</span>",
		gone ? "x" : looks[v->word].symbol, word);
	if (about) {
		fputs("<small>", out);
		html_put(out, about);
		fputs("</small>", out);
	}
	fputs("</td>", out);
	free(value);
	free(about);
	free(label);
}

static void put_row(FILE *out, const struct fleet *f, const struct fleet_row *row)
{
	fputs("<tr><th scope=\"row\">", out);
	html_put(out, row->like->metric);
	fputs("</th>", out);
	for (size_t i = 0; i < f->history->n_machines; i++)
		if (row->cells[i]) {
			put_cell(out, f, &f->history->machines[i], row->cells[i]);
		} else {
			fputs("<td class=\"quiet none\" data-label=\"", out);
			html_put(out, f->history->machines[i].name);
			fputs("\">not measured</td>", out);
		}
	fputs("</tr>\n", out);
}

static void put_columns(FILE *out, const struct fleet *f)
{
	const struct history *h = f->history;

	fputs("<thead><tr><th></th>", out);
	for (size_t i = 0; i < h->n_machines; i++) {
		const struct machine *m = &h->machines[i];

		fprintf(out, "<th scope=\"col\"%s>",
			fleet_is_silent(f, m) ? " class=\"silent\"" : "");
		html_put(out, m->name);
		fputs(" <small>", out);
		if (m->n_nights == 0)
			fputs("no night", out);
		else if (fleet_is_silent(f, m))
			fprintf(out, "silent since %s", m->nights[m->n_nights - 1].date);
		else
			put_commit(out, &m->nights[m->n_nights - 1]);
		fputs("</small></th>", out);
	}
	fputs("</tr></thead>\n", out);
}

static void put_matrix(FILE *out, const struct fleet *f)
{
	const char *label = NULL;

	fprintf(out,
		"<section id=\"tonight\">\n<h2>Tonight</h2>\n"
		"<p>The curve is the last %d days, at its end tonight; a gap is a night that "
		"is missing. A number with \xC3\x97 is tonight\xE2\x80\x99s ratio to the pinned "
		"reference, another the difference. A dashed line is where an alert began, and "
		"noise within what matters looks flat.</p>\n",
		TREND_DAYS);
	if (f->n_rows == 0) {
		fputs("<p>There is no series.</p>\n</section>\n", out);
		return;
	}
	fputs("<div class=\"scroll\"><table class=\"fleet\">\n", out);
	put_columns(out, f);
	for (size_t i = 0; i < f->n_rows; i++) {
		if (!label || strcmp(label, f->rows[i].label) != 0) {
			label = f->rows[i].label;
			fprintf(out,
				"%s<tbody>\n<tr class=\"workload\"><th scope=\"rowgroup\" "
				"colspan=\"%zu\">",
				i ? "</tbody>\n" : "", f->history->n_machines + 1);
			html_put(out, label);
			fputs("</th></tr>\n", out);
		}
		put_row(out, f, &f->rows[i]);
	}
	fputs("</tbody>\n</table></div>\n</section>\n", out);
}

static void put_cell_text(FILE *out, const char *label, const char *text)
{
	fprintf(out, "<td data-label=\"%s\">", label);
	html_put(out, text);
	fputs("</td>", out);
}

static void put_machine(FILE *out, const struct fleet *f, const struct machine *m)
{
	const struct night *first = m->nights, *last;
	const struct field *cpu;
	long away;

	fputs("<tr><th scope=\"row\">", out);
	html_put(out, m->name);
	fputs("</th>", out);
	if (m->n_nights == 0) {
		fputs("<td colspan=\"5\">no night that can be judged</td></tr>\n", out);
		return;
	}
	last = &m->nights[m->n_nights - 1];
	cpu = fields_find(&m->setups[last->setup].fields, "cpu_model");
	away = last->day - first->day + 1 - (long)m->n_nights;
	put_cell_text(out, "CPU", cpu && cpu->text ? cpu->text : "not recorded");
	fprintf(out,
		"<td data-label=\"nights\">%zu since %s, %ld missing</td>"
		"<td data-label=\"newest\">%s%s%s</td>",
		m->n_nights, first->date, away, last->date,
		last->again ? ", measured twice" : "",
		fleet_is_silent(f, m) ? ", silent since" : "");
	put_cell_text(out, "kernel", last->kernel);
	put_cell_text(out, "commit", last->commit ? last->commit : "not recorded");
	fputs("</tr>\n", out);
}

static void put_machines(FILE *out, const struct fleet *f)
{
	fputs("<section id=\"machines\">\n<h2>Machines</h2>\n<div class=\"scroll\">"
	      "<table class=\"machines wide\">\n<thead><tr><th>Machine</th><th>CPU</th>"
	      "<th>Nights</th><th>Newest</th><th>Kernel</th><th>Commit</th></tr></thead>\n"
	      "<tbody>\n",
		out);
	for (size_t i = 0; i < f->history->n_machines; i++)
		put_machine(out, f, &f->history->machines[i]);
	fputs("</tbody>\n</table></div>\n</section>\n", out);
}

void page_put_fleet(FILE *out, const struct history *h)
{
	struct fleet f;

	fleet_make(h, &f);
	put_summary(out, &f);
	put_groups(out, &f);
	put_notes(out, h);
	fputs("</section>\n", out);
	put_matrix(out, &f);
	put_machines(out, &f);
	fleet_clear(&f);
}
