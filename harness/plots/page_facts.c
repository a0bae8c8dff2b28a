// SPDX-License-Identifier: GPL-2.0-or-later
/* The page's last part: the machine, what was compared, how it was done. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plots/html.h"
#include "plots/page.h"
#include "verdicts/compare_pair.h"

static void put_field(FILE *out, const struct field *f)
{
	char *text;

	fputs("<td>", out);
	if (f) {
		text = field_format(f);
		html_put(out, text);
		free(text);
	}
	fputs("</td>", out);
}

static void put_fields_row(
	FILE *out, const char *name, const struct field *base, const struct field *cand)
{
	const bool same = base && cand && field_equal(base, cand);

	fputs(same ? "<tr><td>" : "<tr class=\"differs\"><td>", out);
	html_put(out, name);
	fputs("</td>", out);
	put_field(out, base);
	put_field(out, cand);
	fputs("</tr>\n", out);
}

static void put_arm_heads(FILE *out, const struct report *r)
{
	fputs("<thead><tr><th></th>", out);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		fprintf(out, "<th class=\"%s\">", arm == ARM_BASE ? "base" : "cand");
		html_put(out, r->names[arm]);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n", out);
}

/* Of one result cand is NULL: then there is one column. */
static void put_fields(FILE *out, const struct report *r, const char *title,
	const struct fields *base, const struct fields *cand)
{
	if (base->count == 0 && (!cand || cand->count == 0))
		return;
	fprintf(out, "<h3>%s</h3>\n<div class=\"scroll\"><table class=\"facts\">\n", title);
	if (cand)
		put_arm_heads(out, r);
	fputs("<tbody>\n", out);
	for (size_t i = 0; i < base->count; i++) {
		const struct field *f = &base->items[i];

		if (cand) {
			put_fields_row(out, f->name, f, fields_find(cand, f->name));
			continue;
		}
		fputs("<tr><td>", out);
		html_put(out, f->name);
		fputs("</td>", out);
		put_field(out, f);
		fputs("</tr>\n", out);
	}
	for (size_t i = 0; cand && i < cand->count; i++)
		if (!fields_find(base, cand->items[i].name))
			put_fields_row(out, cand->items[i].name, NULL, &cand->items[i]);
	fputs("</tbody>\n</table></div>\n", out);
}

static void put_boot(FILE *out, const struct plan_boot *boot, const struct boot_entry *e)
{
	const bool ok = e->result && strcmp(e->result, "ok") == 0;

	fprintf(out, "<tr%s><td class=\"number\">%u</td><td>",
		ok ? "" : " class=\"differs\"", boot->boot);
	for (size_t i = 0; i < boot->n_steps; i++)
		fprintf(out, "%s<span class=\"%s\">%s</span>", i ? ", " : "",
			boot->steps[i].arm == ARM_BASE ? "base" : "cand",
			boot->steps[i].arm == ARM_BASE ? "base" : "cand");
	fputs("</td><td>", out);
	html_put(out, e->result ? e->result : "not done");
	if (e->result && !ok) {
		fputs(" in phase ", out);
		html_put(out, e->phase);
		fputs(": ", out);
		html_put(out, e->reason);
	}
	fprintf(out,
		"</td><td class=\"number\">%u</td>"
		"<td class=\"number\">%.1f&#160;s</td></tr>\n",
		e->attempts, (double)e->duration_ms / 1000);
}

static void put_experiment(FILE *out, const struct report *r)
{
	const struct manifest *m = r->manifest;

	fputs("<h3>Experiment</h3>\n<div class=\"scroll\"><table class=\"facts\">\n<tbody>\n",
		out);
	for (size_t i = 0; i < m->options.count; i++) {
		if (strcmp(m->options.items[i].name, "seed") == 0)
			continue;
		fputs("<tr><td>", out);
		html_put(out, m->options.items[i].name);
		fputs("</td>", out);
		put_field(out, &m->options.items[i]);
		fputs("</tr>\n", out);
	}
	fprintf(out,
		"<tr><td>seed</td><td>%" PRIu64 "</td></tr>\n"
		"<tr><td>images</td><td>%s</td></tr>\n</tbody>\n</table></div>\n",
		m->seed, m->one_image ? "one, switched while it runs" : "one for each arm");
	fputs("<h3>Boots</h3>\n<div class=\"scroll\"><table class=\"facts\">\n"
	      "<thead><tr><th class=\"number\">Boot</th><th>Order</th><th>Result</th>"
	      "<th class=\"number\">Attempts</th><th class=\"number\">Time</th></tr></thead>\n"
	      "<tbody>\n",
		out);
	for (size_t i = 0; i < m->plan.n_boots; i++)
		put_boot(out, &m->plan.boots[i], &m->entries[i]);
	fputs("</tbody>\n</table></div>\n", out);
}

void page_put_facts(FILE *out, const struct report *r)
{
	const struct record *base = r->arms[ARM_BASE], *cand = r->arms[ARM_CAND];
	const bool alike = !r->comparison || r->comparison->n_identity == 0;

	fputs("<section id=\"machine\">\n<h2>Machine and provenance</h2>\n", out);
	if (r->point) {
		fputs("<p>Each point is an experiment of its own; this is the first, ",
			out);
		html_put(out, r->point);
		fputs(".</p>\n", out);
	}
	put_fields(out, r, "Machine", &base->identity, alike ? NULL : &cand->identity);
	put_fields(out, r, "Kernel", &base->subject, cand ? &cand->subject : NULL);
	put_fields(out, r, "State", &base->state, cand ? &cand->state : NULL);
	if (r->manifest)
		put_experiment(out, r);
	fputs("</section>\n", out);
}
