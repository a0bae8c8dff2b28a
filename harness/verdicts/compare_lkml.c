// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison as a mail takes it: plain text, at most 72 columns wide. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_pair.h"
#include "verdicts/compare_render.h"

enum { COLUMNS = 72 };

/*
 * Words, which end where one of ends is, filled into lines: after first spaces,
 * and after indent ones in the lines that follow. A line that goes on ends with
 * tail. A longer word stays whole.
 */
static void put_filled(FILE *out, size_t first, const char *text, const char *ends,
	size_t indent, const char *tail)
{
	size_t column = first;
	bool begun = false;

	fprintf(out, "%*s", (int)first, "");
	for (; *text; text += strspn(text, ends)) {
		size_t length = strcspn(text, ends);

		if (begun && column + 1 + length + strlen(tail) > COLUMNS) {
			fprintf(out, "%s\n%*s", tail, (int)indent, "");
			column = indent;
		} else if (begun) {
			fputc(' ', out);
			column++;
		}
		column += length;
		begun = true;
		for (; length > 0; length--, text++)
			fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
	fputc('\n', out);
}

/* Takes the text. */
static void put_line(FILE *out, size_t first, char *text, size_t indent)
{
	put_filled(out, first, text, " \n", indent, "");
	free(text);
}

/* What a reader has to know of the machine, where the file has it. */
static void put_machine(FILE *out, const struct record *r)
{
	static const char *const keys[] = { "cpu_model", "cpus_online", "memory_bytes",
		"page_bytes", "hypervisor", "accelerator", "swap", "thp_enabled",
		"compiler" };

	fputs("Machine:\n", out);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const struct field *f = fields_find(&r->identity, keys[i]);
		char *value;

		if (!f)
			continue;
		value = field_format(f);
		put_line(out, 2, mem_format("%s: %s", keys[i], value), 4);
		free(value);
	}
}

static void put_subject(FILE *out, const struct comparison *c, const struct record *r)
{
	const struct field *release = fields_find(&r->subject, "kernel_release");
	bool differs = false;

	for (size_t i = 0; i < c->n_subject; i++) {
		const struct compare_key *k = &c->subject[i];

		differs |= strcmp(k->key, "kernel_release") == 0;
		put_line(out, 0, mem_format("%s: %s -> %s", k->key, k->base, k->cand), 2);
	}
	if (release && !differs) {
		char *value = field_format(release);

		put_line(out, 0, mem_format("kernel_release: %s", value), 2);
		free(value);
	}
	for (size_t i = 0; i < c->n_identity; i++)
		put_line(out, 0,
			mem_format("mismatch allowed: %s: %s -> %s", c->identity[i].key,
				c->identity[i].base, c->identity[i].cand),
			2);
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void put_row(FILE *out, const struct compare_row *row)
{
	static const char *const better[] = { [BETTER_LOWER] = "",
		[BETTER_HIGHER] = " (higher is better)",
		[BETTER_NONE] = " (no better direction)" };
	char *base = row->base.known ? format_number(row->base.value, false) : NULL;
	char *cand = row->cand.known ? format_number(row->cand.value, false) : NULL;
	char *change = format_change(row), *p = format_p(row), *n = format_boots(row);
	char *verdict = format_verdict(row), *finds = format_detectable(row);

	put_line(out, 2,
		mem_format("%s: %s -> %s %s%s", row->metric, or_dash(base), or_dash(cand),
			row->unit, better[row->better]),
		6);
	put_line(out, 4,
		mem_format("%s%s%s%s%s%s%s%s%s", verdict, change ? ", " : "",
			change ? change : "", p ? ", p " : "", p ? p : "", n ? ", n " : "",
			n ? n : "", finds ? ", finds " : "", finds ? finds : ""),
		6);
	if (row->note) {
		put_line(out, 4, mem_text(row->note), 6);
	}
	free(base);
	free(cand);
	free(change);
	free(p);
	free(n);
	free(finds);
	free(verdict);
}

static void put_rows(FILE *out, const struct comparison *c)
{
	const char *workload = "";

	fputs("\nRatio of cand to base with its interval; p adjusted for the number of\n"
	      "metrics; n boots. Lower is better where nothing else is said.\n",
		out);
	for (size_t i = 0; i < c->n_rows; i++) {
		if (!c->rows[i].shown)
			continue;
		if (strcmp(workload, c->rows[i].workload) != 0) {
			workload = c->rows[i].workload;
			fputc('\n', out);
			put_line(out, 0, mem_text(workload), 2);
		}
		put_row(out, &c->rows[i]);
	}
}

/* The rows with that word, of metrics that decide. */
static void put_list(
	FILE *out, const struct comparison *c, const char *what, enum compare_word word)
{
	char *list = NULL, *longer;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (!row->declared || row->word != word)
			continue;
		longer = mem_format("%s%s %s %s", list ? list : what, list ? "," : "",
			row->workload, row->metric);
		free(list);
		list = longer;
	}
	if (list)
		put_line(out, 0, list, 2);
}

int compare_render_lkml(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	char *text = NULL, *conclusion = format_conclusion(c);
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out) {
		free(conclusion);
		return -ENOMEM;
	}
	put_line(out, 0, mem_format("base: %s", options->base_name), 2);
	put_line(out, 0, mem_format("cand: %s", options->cand_name), 2);
	put_subject(out, c, options->base);
	put_machine(out, options->base);
	put_rows(out, c);
	fputc('\n', out);
	for (size_t i = 0; i < c->n_notes; i++)
		put_line(out, 0, mem_format("warning: %s", c->notes[i]), 2);
	fputs(conclusion, out);
	free(conclusion);
	attribution_print(out, c->attributions, c->n_attributions);
	put_list(out, c, "Worse:", WORD_REGRESSION);
	put_list(out, c, "Better:", WORD_IMPROVEMENT);
	if (c->n_missing > 0)
		fprintf(out, "Values of base that cand lacks: %zu.\n", c->n_missing);
	fprintf(out, "Rows not shown: %zu.\n\nTo repeat:\n", c->n_rows - c->n_shown);
	put_filled(out, 2, options->repeat, "\n", 6, " \\");
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}
