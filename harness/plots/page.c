// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/page.h"

#include <stdlib.h>
#include <string.h>

#include "plots/html.h"

static void put_arm(FILE *out, const struct report *r, int arm)
{
	fprintf(out, "<span class=\"%s\">",
		!r->arms[ARM_CAND] ? "single"
		: arm == ARM_BASE  ? "base"
				   : "cand");
	html_put(out, r->names[arm]);
	fputs("</span>", out);
}

static void put_title(FILE *out, const struct report *r)
{
	html_put(out, r->names[ARM_BASE]);
	if (!r->arms[ARM_CAND])
		return;
	fputs(" and ", out);
	html_put(out, r->names[ARM_CAND]);
}

static const char *text_of(const struct fields *f, const char *name)
{
	const struct field *field = fields_find(f, name);

	return field ? field->text : NULL;
}

/* "x86_64, QEMU TCG CPU, 2 packages, 4 cores" */
static void put_machine(FILE *out, const struct record *record)
{
	static const char *const keys[] = { "arch", "cpu_model", "topology",
		"accelerator" };
	bool first = true;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = text_of(&record->identity, keys[i]);

		if (!text || strcmp(text, "none") == 0)
			continue;
		fputs(first ? "" : " \xC2\xB7 ", out);
		html_put(out, text);
		first = false;
	}
}

bool page_has_kind(const struct report *r, enum figure_kind kind)
{
	for (size_t i = 0; i < r->figures.count; i++)
		if (r->figures.items[i].kind == kind && r->figures.items[i].svg)
			return true;
	return false;
}

static void put_nav(FILE *out, const struct report *r)
{
	fputs("<nav>\n", out);
	if (r->fleet) {
		fputs("<a href=\"#open\">Open</a>\n<a href=\"#tonight\">Tonight</a>\n"
		      "<a href=\"#machines\">Machines</a>\n</nav>\n",
			out);
		return;
	}
	if (r->sweep)
		fputs("<a href=\"#sweep\">Sweep</a>\n", out);
	if (!r->point)
		fprintf(out, "<a href=\"#results\">%s</a>\n",
			r->history      ? "Nights"
			: r->comparison ? "Verdict"
					: "Values");
	if (page_has_kind(r, FIGURE_HISTORY))
		fputs("<a href=\"#series\">Series</a>\n", out);
	if (page_has_kind(r, FIGURE_SAMPLES))
		fputs("<a href=\"#samples\">Samples</a>\n", out);
	if (page_has_kind(r, FIGURE_CPUS))
		fputs("<a href=\"#cpus\">CPUs</a>\n", out);
	if (page_has_kind(r, FIGURE_FUNCTIONS))
		fputs("<a href=\"#functions\">Instructions</a>\n", out);
	if (page_has_kind(r, FIGURE_SHARES))
		fputs("<a href=\"#profile\">Profile</a>\n", out);
	fputs(r->history ? "</nav>\n" : "<a href=\"#machine\">Machine</a>\n</nav>\n", out);
}

static void put_head(FILE *out, const struct report *r, const char *css)
{
	fputs("<!DOCTYPE html>\n"
	      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>",
		out);
	put_title(out, r);
	fprintf(out,
		" - Shootdown</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
		css);
	fputs("<p class=\"kicker\">Shootdown: what batching the TLB flush does</p>\n<h1>",
		out);
	put_arm(out, r, ARM_BASE);
	if (r->arms[ARM_CAND]) {
		fputs(" <span class=\"muted\">against</span> ", out);
		put_arm(out, r, ARM_CAND);
	}
	fputs("</h1>\n<p class=\"muted\">", out);
	if (!r->point && !r->history)
		put_machine(out, r->arms[ARM_BASE]);
	fputs("</p>\n", out);
	put_nav(out, r);
	fputs("</header>\n<main>\n", out);
}

/*
 * A picture has the light colours of the style sheet; on the page each becomes
 * the variable that the sheet gives it, and so follows light and dark.
 */
static void put_recolored(FILE *out, const char *svg, const char *css)
{
	for (; *svg; svg++) {
		char color[9] = "";
		const char *found = NULL, *name;

		if (*svg == '#' && strspn(svg + 1, "0123456789abcdef") == 6) {
			memcpy(color, svg, 7);
			color[7] = ';';
			found = strstr(css, color);
		}
		if (!found) {
			fputc(*svg, out);
			continue;
		}
		for (name = found; name > css && *name != '\n' && *name != '{'; name--)
			;
		name += strspn(name, "\n{\t ");
		fprintf(out, "var(%.*s)", (int)strcspn(name, ":"), name);
		svg += 6;
	}
}

static void put_figure(FILE *out, const struct figure *figure, const char *css)
{
	fprintf(out, "<figure%s>\n<svg role=\"img\" aria-label=\"",
		figure->workload ? "" : " class=\"broad\"");
	html_put(out, figure->alt);
	fputc('"', out);
	put_recolored(out, figure->svg + strlen("<svg"), css);
	fputs("<figcaption>", out);
	html_put(out, figure->caption);
	fputs("</figcaption>\n</figure>\n", out);
}

void page_put_kind(
	FILE *out, const struct report *r, enum figure_kind kind, const char *css)
{
	fputs("<div class=\"figures\">\n", out);
	for (size_t i = 0; i < r->figures.count; i++)
		if (r->figures.items[i].kind == kind && r->figures.items[i].svg)
			put_figure(out, &r->figures.items[i], css);
	fputs("</div>\n", out);
}

static void put_reading(FILE *out, const struct report *r)
{
	if (!r->arms[ARM_CAND]) {
		fputs("<p>Each point is a sample; the dashed line is their value.</p>\n",
			out);
		return;
	}
	fputs("<p>Each point is a sample: circles ", out);
	put_arm(out, r, ARM_BASE);
	fputs(", diamonds ", out);
	put_arm(out, r, ARM_CAND);
	fprintf(out,
		". A short line is the value of a boot, a dashed line the mean of the boots. "
		"At the right stands where the second lies as seen from the first: the "
		"first\xE2\x80\x99s mean with the change that was judged and its %g&#160;%% "
		"interval.</p>\n",
		r->comparison ? 100 * (1 - r->comparison->rules.alpha) : 95);
}

static void put_figures(FILE *out, const struct report *r, const char *css)
{
	if (r->no_pictures) {
		fputs("<section id=\"samples\">\n<h2>Pictures</h2>\n<p>", out);
		html_put(out, r->no_pictures);
		fputs("</p>\n</section>\n", out);
	}
	if (page_has_kind(r, FIGURE_SAMPLES)) {
		fputs("<section id=\"samples\">\n<h2>Samples</h2>\n", out);
		put_reading(out, r);
		page_put_kind(out, r, FIGURE_SAMPLES, css);
		fputs("</section>\n", out);
	}
	if (page_has_kind(r, FIGURE_CPUS)) {
		fputs("<section id=\"cpus\">\n<h2>Interrupts by CPU</h2>\n", out);
		page_put_kind(out, r, FIGURE_CPUS, css);
		fputs("</section>\n", out);
	}
	if (page_has_kind(r, FIGURE_FUNCTIONS)) {
		fputs("<section id=\"functions\">\n<h2>Where the instructions are</h2>\n"
		      "<p>What the emulator counted, by the kernel function that "
		      "executed it.</p>\n",
			out);
		page_put_kind(out, r, FIGURE_FUNCTIONS, css);
		fputs("</section>\n", out);
	}
	if (page_has_kind(r, FIGURE_SHARES)) {
		fputs("<section id=\"profile\">\n<h2>Where the time goes</h2>\n"
		      "<p>Shares of the hits of a profile, of samples of its own. A function "
		      "that is inlined counts as its caller.</p>\n",
			out);
		page_put_kind(out, r, FIGURE_SHARES, css);
		fputs("</section>\n", out);
	}
}

char *page_make(const struct report *r, const char *css)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	put_head(out, r, css);
	if (r->sweep)
		page_put_sweep(out, r, css);
	if (r->comparison)
		page_put_verdict(out, r);
	else if (r->fleet)
		page_put_fleet(out, r->history);
	else if (r->history)
		page_put_history(out, r, css);
	else if (!r->point)
		page_put_values(out, r);
	put_figures(out, r, css);
	if (!r->history)
		page_put_facts(out, r);
	fputs("</main>\n<footer>Written by shootdown " SHOOTDOWN_VERSION, out);
	if (!r->no_pictures && r->figures.count) {
		fputs("; the pictures lie beside this page, as PNG and SVG, in ", out);
		html_put(out, r->pictures);
	}
	fputs(".</footer>\n</body>\n</html>\n", out);
	fclose(out);
	return text;
}
