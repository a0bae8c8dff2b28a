// SPDX-License-Identifier: GPL-2.0-or-later
/* Nightly results: what is open, every alert, and the pictures of the series. */
#include <stdlib.h>

#include "base/mem.h"
#include "plots/html.h"
#include "plots/page.h"
#include "verdicts/history_text.h"

static void put_count(FILE *out, const char *class, const char *what, size_t n)
{
	fprintf(out, "<div class=\"%s\"><dt>%s</dt><dd>%zu</dd></div>\n", n ? class : "",
		what, n);
}

static void put_tally(FILE *out, const struct history *h)
{
	const struct history_tally t = history_count(h);

	fputs("<p>Series with an open alert:</p>\n<dl class=\"tally\">\n", out);
	put_count(out, "bad", "worse", t.regressions);
	put_count(out, "good", "better", t.improvements);
	put_count(out, "", "changed", t.changed);
	put_count(out, "", "suspect tonight", t.suspects);
	put_count(out, "bad", "missing tonight", t.missing);
	fprintf(out,
		"</dl>\n<p class=\"muted\">Of %zu series that go on, %zu still learn. In the "
		"past: %zu alerts recovered, %zu were accepted, and %zu nights were off once "
		"and not when measured again.</p>\n",
		t.judged, t.learning, t.recovered, t.accepted, t.outliers);
}

/* By goodness, and only while it is open. */
static const char *row_class(const struct series *s, const struct alert *a)
{
	if (a->state != ALERT_OPEN)
		return "quiet";
	switch (alert_word(s, a)) {
	case SERIES_REGRESSION:
		return "bad";
	case SERIES_IMPROVEMENT:
		return "good";
	default:
		return "doubt";
	}
}

static void put_alert(
	FILE *out, const struct machine *m, const struct series *s, const struct alert *a)
{
	char *label = series_label(m, s), *move = format_move(s, a->before.level, a->level);
	const enum series_word word = alert_word(s, a);
	const char *symbol = word == SERIES_REGRESSION    ? "+"
			     : word == SERIES_IMPROVEMENT ? "-"
							  : "*";

	fprintf(out, "<tr class=\"%s\"><td>", row_class(s, a));
	html_put(out, label);
	fputs(" <small>", out);
	html_put(out, s->metric);
	fputs(", ", out);
	html_put(out, m->name);
	fputs("</small></td><td class=\"number\" data-label=\"change\">", out);
	html_put(out, move);
	fprintf(out,
		"</td><td class=\"number\" data-label=\"after\">%s</td>"
		"<td class=\"number\" data-label=\"by\">%s</td>"
		"<td class=\"number\" data-label=\"found as\">%s</td>"
		"<td class=\"verdict\"><span class=\"word\"><b>%s</b> %s</span>"
		"<small>%s</small></td></tr>\n",
		m->nights[s->points[a->good].night].date,
		m->nights[s->points[a->bad].night].date, alert_kind_text(a->kind), symbol,
		series_word_text(word), alert_state_text(a->state));
	free(label);
	free(move);
}

static void put_alerts(FILE *out, const struct history *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_machines; i++)
		for (size_t k = 0; k < h->machines[i].n_series; k++)
			for (size_t a = 0; a < h->verdicts[i][k].n_alerts; a++) {
				if (n++ == 0)
					fputs("<div class=\"scroll\"><table "
					      "class=\"results\">\n<thead><tr><th>Series</th>"
					      "<th class=\"number\">Change</th>"
					      "<th class=\"number\">After</th>"
					      "<th class=\"number\">By</th>"
					      "<th class=\"number\">Found as</th>"
					      "<th>Verdict</th></tr></thead>\n<tbody>\n",
						out);
				put_alert(out, &h->machines[i], h->verdicts[i][k].series,
					&h->verdicts[i][k].alerts[a]);
			}
	fputs(n ? "</tbody>\n</table></div>\n" : "<p>There never was an alert.</p>\n", out);
}

void page_put_history(FILE *out, const struct report *r, const char *css)
{
	const struct history *h = r->history;

	fputs("<section id=\"results\">\n<h2>Nights</h2>\n", out);
	put_tally(out, h);
	if (h->n_notes) {
		fputs("<ul class=\"notes\">\n", out);
		for (size_t i = 0; i < h->n_notes; i++) {
			fputs("<li>", out);
			html_put(out, h->notes[i]);
			fputs("</li>\n", out);
		}
		fputs("</ul>\n", out);
	}
	put_alerts(out, h);
	fputs("</section>\n", out);
	if (!page_has_kind(r, FIGURE_HISTORY))
		return;
	fputs("<section id=\"series\">\n<h2>Series</h2>\n"
	      "<p>Each point is a night, a ring its second measurement. Where a level moved, a "
	      "line marks the first night that has it, and the levels before and after are "
	      "drawn. Those with alerts come first, then metrics that decide.</p>\n",
		out);
	page_put_kind(out, r, FIGURE_HISTORY, css);
	fputs("</section>\n", out);
}
