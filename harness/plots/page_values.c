// SPDX-License-Identifier: GPL-2.0-or-later
/* The page's first part for one result: its values, without a verdict. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plots/figures_parts.h"
#include "plots/html.h"
#include "plots/page.h"
#include "verdicts/compare_format.h"
#include "verdicts/record_json.h"

/* Takes the text. */
static void put_number(FILE *out, const char *label, char *text)
{
	fprintf(out, "<td class=\"number\" data-label=\"%s\">", label);
	html_put(out, text);
	fputs("</td>", out);
	free(text);
}

static char *format_range(const struct run *run, const struct metric *m)
{
	double low = INFINITY, high = -INFINITY;
	char *from, *to, *text;

	for (size_t i = 0; i < run->n_samples; i++) {
		const double value = record_value(run, m, i);

		if (run->places[i].warmup || !isfinite(value))
			continue;
		low = fmin(low, value);
		high = fmax(high, value);
	}
	from = format_number(low, false);
	to = format_number(high, false);
	text = mem_format("%s to %s", from, to);
	free(from);
	free(to);
	return text;
}

static void put_metric(FILE *out, const struct run *run, const struct metric *m)
{
	struct compare_value value;

	if (!compare_is_primary(m->name) || compare_value_of(run, m, &value) < 0)
		return;
	if (value.known) {
		fputs("<tr class=\"plain\"><td>", out);
		html_put(out, m->name);
		fputs(m->emulated ? " <small>emulated</small></td>" : "</td>", out);
		put_number(out, "value", format_number(value.value, false));
		fputs("<td class=\"unit\">", out);
		html_put(out, m->unit);
		fputs("</td>", out);
		put_number(out, "range", format_range(run, m));
		put_number(out, "samples", mem_format("%zu", value.n_samples));
		fputs("</tr>\n", out);
	}
	compare_value_clear(&value);
}

static void put_status(FILE *out, const struct run *run)
{
	if (run->status == RUN_OK && !run->reason)
		return;
	fprintf(out, "<tr class=\"%s\"><td colspan=\"5\"><span class=\"word\">%s</span> ",
		run->status == RUN_OK || run->status == RUN_SKIPPED ? "quiet" : "bad",
		record_status_words[run->status]);
	html_put(out, run->reason);
	if (run->fix) {
		fputs(" <small>Fix: ", out);
		html_put(out, run->fix);
		fputs("</small>", out);
	}
	fputs("</td></tr>\n", out);
}

/* A pass that only traces has no value to show, and then there is nothing to say. */
static bool has_something(const struct run *run)
{
	if (run->status != RUN_OK || run->reason)
		return true;
	for (size_t i = 0; i < run->n_metrics; i++)
		if (compare_is_primary(run->metrics[i].name) &&
			!run->metrics[i].unavailable)
			return true;
	return false;
}

static void put_run(FILE *out, const struct run_pair *pair)
{
	const struct run *run = pair->base;

	if (!has_something(run))
		return;
	fputs("<tbody>\n<tr><th colspan=\"5\">", out);
	html_put(out, pair->label);
	fputs("</th></tr>\n", out);
	put_status(out, run);
	for (size_t i = 0; run_has_numbers(run) && i < run->n_metrics; i++)
		put_metric(out, run, &run->metrics[i]);
	fputs("</tbody>\n", out);
}

void page_put_values(FILE *out, const struct report *r)
{
	size_t n_pairs;
	struct run_pair *pairs = report_pairs(r, &n_pairs);

	fputs("<section id=\"results\">\n<h2>Values</h2>\n"
	      "<p>One result by itself has no verdict: that takes another, and "
	      "compare-results. A value is the median of the samples in a process; range is "
	      "over all samples.</p>\n"
	      "<div class=\"scroll\"><table class=\"results\">\n"
	      "<thead><tr><th>Metric</th><th class=\"number\">Value</th><th>Unit</th>"
	      "<th class=\"number\">Range</th><th class=\"number\">Samples</th></tr></thead>\n",
		out);
	for (size_t i = 0; i < n_pairs; i++)
		put_run(out, &pairs[i]);
	fputs("</table></div>\n</section>\n", out);
	run_pairs_free(pairs, n_pairs);
}
