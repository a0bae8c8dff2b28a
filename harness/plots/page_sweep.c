// SPDX-License-Identifier: GPL-2.0-or-later
/* A sweep: what is concluded, its picture, and a row for each point. */
#include <stdlib.h>

#include "base/mem.h"
#include "plots/html.h"
#include "plots/page.h"
#include "verdicts/compare_format.h"

/* Takes the text. */
static void put_number(FILE *out, const char *label, char *text)
{
	fputs("<td class=\"number\" data-label=\"", out);
	html_put(out, label);
	fputs("\">", out);
	html_put(out, text);
	fputs("</td>", out);
	free(text);
}

static char *ratio_text(const struct sweep_point *p)
{
	char *ratio, *low, *high, *text;

	if (!p->has_ratio)
		return NULL;
	ratio = format_number(p->ratio, false);
	if (!p->has_interval)
		return ratio;
	low = format_number(p->low, false);
	high = format_number(p->high, false);
	text = mem_format("%s [%s, %s]", ratio, low, high);
	free(ratio);
	free(low);
	free(high);
	return text;
}

static char *count_text(const struct sweep *s, const struct sweep_point *p)
{
	const struct sweep_side *base = &p->sides[ARM_BASE], *cand = &p->sides[ARM_CAND];

	if (!s->names[ARM_CAND] && base->boots <= 1)
		return mem_format("%zu samples", base->samples);
	if (!s->names[ARM_CAND] || base->boots == cand->boots)
		return mem_format("%zu", base->boots);
	return mem_format("%zu/%zu", base->boots, cand->boots);
}

static void put_point(FILE *out, const struct sweep *s, const struct sweep_point *p)
{
	fprintf(out, "<tr class=\"%s\"><td>", p->better ? "good" : "plain");
	html_put(out, s->param);
	fputs("=", out);
	html_put(out, p->label);
	fputs("</td>", out);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
		if (s->names[arm])
			put_number(out, s->names[arm],
				p->sides[arm].known
					? format_number(p->sides[arm].value, false)
					: NULL);
	if (s->names[ARM_CAND])
		put_number(out, "ratio", ratio_text(p));
	put_number(out, "n", count_text(s, p));
	if (s->names[ARM_CAND]) {
		fputs("<td class=\"verdict\"><span class=\"word\">", out);
		if (p->better)
			fputs("<b>-</b> better", out);
		else
			html_put(out, p->word);
		fputs("</span><small>", out);
		html_put(out, p->note);
		fputs("</small></td>", out);
	}
	fputs("</tr>\n", out);
}

static void put_heads(FILE *out, const struct sweep *s)
{
	fputs("<thead><tr><th>", out);
	html_put(out, s->param);
	fputs("</th>", out);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		if (!s->names[arm])
			continue;
		fprintf(out, "<th class=\"number %s\">", arm == ARM_BASE ? "base" : "cand");
		html_put(out, s->names[arm]);
		fputs("</th>", out);
	}
	if (s->names[ARM_CAND])
		fputs("<th class=\"number\">Ratio [95&#160;% interval]</th>", out);
	fputs("<th class=\"number\">n</th>", out);
	if (s->names[ARM_CAND])
		fputs("<th>By what matters</th>", out);
	fputs("</tr></thead>\n", out);
}

void page_put_sweep(FILE *out, const struct report *r, const char *css)
{
	const struct sweep *s = r->sweep;

	fputs("<section id=\"sweep\">\n<h2>", out);
	html_put(out, s->metric);
	fputs(" by ", out);
	html_put(out, s->param);
	fputs("</h2>\n<p class=\"lede\">", out);
	html_put(out, s->crossover);
	fputs("</p>\n", out);
	if (r->no_pictures) {
		fputs("<p class=\"muted\">", out);
		html_put(out, s->what);
		fputs(" \xC2\xB7 ", out);
		html_put(out, s->machine);
		fputs("</p>\n", out);
	}
	page_put_kind(out, r, FIGURE_SWEEP, css);
	fputs("<div class=\"scroll\"><table class=\"results\">\n<caption>", out);
	html_put(out, s->metric);
	fputs(", ", out);
	html_put(out, s->unit);
	fputs("; n: boots, unless said otherwise</caption>\n", out);
	put_heads(out, s);
	fputs("<tbody>\n", out);
	for (size_t i = 0; i < s->n_points; i++)
		put_point(out, s, &s->points[i]);
	fputs("</tbody>\n</table></div>\n</section>\n", out);
}
