// SPDX-License-Identifier: GPL-2.0-or-later
/* The page's first part: what was found, and the table. */
#include <stdlib.h>
#include <string.h>

#include "plots/html.h"
#include "plots/page.h"
#include "verdicts/compare_format.h"

/* Longer names do not fit over a column. */
#define COLUMN_NAME_MAX 16

static const char *column_name(const struct report *r, int arm)
{
	if (strlen(r->names[arm]) <= COLUMN_NAME_MAX)
		return r->names[arm];
	return arm == ARM_BASE ? "base" : "cand";
}

/* Nothing happened, or too little to matter, or nothing was there to judge. */
static bool is_quiet(const struct compare_row *row)
{
	const double least = row->judgement.effect.absolute;

	switch (row->word) {
	case WORD_EMULATED:
	case WORD_UNAVAILABLE:
	case WORD_NO_VALUE:
		return !row->missing;
	case WORD_SAME:
	case WORD_EQUIVALENT:
		return (row->base.value == 0 && row->cand.value == 0) ||
		       (row->base.value < least && row->cand.value < least);
	default:
		return false;
	}
}

/* By goodness, never by sign. */
static const char *row_class(const struct compare_row *row)
{
	if (row->missing)
		return "doubt";
	switch (row->word) {
	case WORD_REGRESSION:
		return "bad";
	case WORD_IMPROVEMENT:
		return "good";
	case WORD_INVALID:
	case WORD_FAILED:
	case WORD_MISFIT:
		return "doubt";
	default:
		return is_quiet(row) ? "quiet" : "plain";
	}
}

/* Takes the text, which may be NULL. */
static void put_cell(FILE *out, const char *class, const char *label, char *text)
{
	fprintf(out, "<td class=\"%s\"", class);
	if (text && label) {
		fputs(" data-label=\"", out);
		html_put(out, label);
		fputc('"', out);
	}
	fputc('>', out);
	html_put(out, text);
	fputs("</td>", out);
	free(text);
}

static void put_verdict_cell(FILE *out, const struct compare_row *row)
{
	char *word = format_word(row);
	const bool symbol = word[0] && word[1] == ' ';

	fputs("<td class=\"verdict\"><span class=\"word\">", out);
	if (symbol)
		fprintf(out, "<b>%c</b> ", word[0]);
	html_put(out, symbol ? word + 2 : word);
	fputs("</span>", out);
	if (row->word == WORD_INCONCLUSIVE && row->judgement.needed > 0)
		fprintf(out, "<small>needs %zu boots</small>", row->judgement.needed);
	if (row->note) {
		fputs("<small>", out);
		html_put(out, row->note);
		fputs("</small>", out);
	}
	fputs("</td>", out);
	free(word);
}

static char *value_text(const struct compare_value *v)
{
	return v->known ? format_number(v->value, false) : NULL;
}

static void put_row(FILE *out, const struct report *r, const struct compare_row *row)
{
	const bool whole = strcmp(row->metric, "-") == 0;

	fprintf(out, "<tr class=\"%s\"><td>%s", row_class(row),
		row->declared ? "<strong>" : "");
	html_put(out, whole ? "(all of it)" : row->metric);
	fprintf(out, "%s%s</td>", row->declared ? "</strong>" : "",
		row->better == BETTER_HIGHER ? " <small>higher is better</small>" : "");
	put_cell(out, "number", column_name(r, ARM_BASE), value_text(&row->base));
	put_cell(out, "number", column_name(r, ARM_CAND), value_text(&row->cand));
	fputs("<td class=\"unit\">", out);
	html_put(out, row->unit);
	fputs("</td>", out);
	put_cell(out, "number", "ratio", format_effect(row));
	put_cell(out, "number", "interval", format_interval(row));
	put_cell(out, "number", "p", format_p(row));
	put_cell(out, "number", "n", format_boots(row));
	put_verdict_cell(out, row);
	fputs("</tr>\n", out);
}

static void put_head_row(FILE *out, const struct report *r)
{
	fputs("<thead><tr><th>Metric</th>", out);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		fprintf(out, "<th class=\"number %s\">", arm == ARM_BASE ? "base" : "cand");
		html_put(out, column_name(r, arm));
		fputs("</th>", out);
	}
	fprintf(out,
		"<th>Unit</th><th class=\"number\">Ratio</th>"
		"<th class=\"number\">%g&#160;%% interval</th><th class=\"number\">p</th>"
		"<th class=\"number\">n</th><th>Verdict</th></tr></thead>\n",
		100 * (1 - r->comparison->rules.alpha));
}

/* The rows that are quiet, or those that are not. */
static void put_table(FILE *out, const struct report *r, bool quiet)
{
	const struct comparison *c = r->comparison;
	const char *workload = NULL;

	fputs("<div class=\"scroll\"><table class=\"results wide\">\n", out);
	put_head_row(out, r);
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (!row->shown || is_quiet(row) != quiet)
			continue;
		if (!workload || strcmp(workload, row->workload) != 0) {
			fputs(workload ? "</tbody>\n<tbody>\n" : "<tbody>\n", out);
			fputs("<tr><th colspan=\"9\">", out);
			html_put(out, row->workload);
			fputs("</th></tr>\n", out);
			workload = row->workload;
		}
		put_row(out, r, row);
	}
	fputs(workload ? "</tbody>\n</table></div>\n" : "</table></div>\n", out);
}

static void count_rows(const struct comparison *c, size_t *ret_loud, size_t *ret_quiet)
{
	*ret_loud = *ret_quiet = 0;
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			++*(is_quiet(&c->rows[i]) ? ret_quiet : ret_loud);
}

static void put_count(FILE *out, const char *class, const char *what, size_t n)
{
	fprintf(out, "<div class=\"%s\"><dt>%s</dt><dd>%zu</dd></div>\n", n ? class : "",
		what, n);
}

static void put_tally(FILE *out, const struct comparison *c)
{
	fputs("<p>Of the metrics that decide:</p>\n<dl class=\"tally\">\n", out);
	put_count(out, "bad", "worse", c->n_regressions);
	put_count(out, "good", "better", c->n_improvements);
	put_count(out, "", "inconclusive", c->n_inconclusive);
	if (c->n_missing)
		put_count(out, "bad", "missing", c->n_missing);
	fputs("</dl>\n", out);
}

static bool is_emulated(const struct comparison *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].word == WORD_EMULATED)
			return true;
	return false;
}

static void put_notes(FILE *out, const struct comparison *c)
{
	if (c->n_notes == 0 && !is_emulated(c))
		return;
	fputs("<ul class=\"notes\">\n", out);
	if (is_emulated(c))
		fputs("<li>Measured in an emulator, whose time is not time: counts are "
		      "judged, durations are recorded and not judged.</li>\n",
			out);
	for (size_t i = 0; i < c->n_notes; i++) {
		fputs("<li>", out);
		html_put(out, c->notes[i]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void put_refusal(FILE *out, const struct comparison *c)
{
	fputs("<p class=\"lede\">These results are not comparable: they differ in what must be "
	      "the same.</p>\n<div class=\"scroll\"><table class=\"facts\">\n"
	      "<thead><tr><th>Key</th><th>base</th><th>cand</th></tr></thead>\n<tbody>\n",
		out);
	for (size_t i = 0; i < c->n_identity; i++) {
		const struct compare_key *k = &c->identity[i];

		fputs(k->allowed ? "<tr>" : "<tr class=\"differs\">", out);
		put_cell(out, "", NULL, strdup(k->key));
		put_cell(out, "", NULL, strdup(k->base));
		put_cell(out, "", NULL, strdup(k->cand));
		fputs("</tr>\n", out);
	}
	fputs("</tbody>\n</table></div>\n", out);
}

void page_put_verdict(FILE *out, const struct report *r)
{
	const struct comparison *c = r->comparison;
	size_t n_loud, n_quiet;
	char *method;

	fputs("<section id=\"results\">\n<h2>Verdict</h2>\n", out);
	if (!c->comparable) {
		put_refusal(out, c);
		fputs("</section>\n", out);
		return;
	}
	count_rows(c, &n_loud, &n_quiet);
	put_tally(out, c);
	put_notes(out, c);
	if (n_loud)
		put_table(out, r, false);
	method = format_method(c);
	fputs("<p class=\"muted\">Metrics in bold decide. Lower is better, unless said "
	      "otherwise. Ratio: second to first; p is adjusted for the number of metrics. ",
		out);
	html_put(out, method);
	fputs("</p>\n", out);
	free(method);
	if (n_quiet) {
		fprintf(out,
			"<details><summary>%zu more row%s: not counted here, or rarer on both "
			"sides than the smallest change that matters</summary>\n",
			n_quiet, n_quiet == 1 ? "" : "s");
		put_table(out, r, true);
		fputs("</details>\n", out);
	}
	if (r->mail) {
		fputs("<details><summary>For a mail, with how to repeat it</summary>\n<pre>",
			out);
		html_put(out, r->mail);
		fputs("</pre>\n</details>\n", out);
	}
	fputs("</section>\n", out);
}
