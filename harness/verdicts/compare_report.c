// SPDX-License-Identifier: GPL-2.0-or-later
/* The comparison for web pages and for test runners: markdown, JUnit, KTAP. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_render.h"

/* One cell and its right border; takes the text, which may be NULL. */
static void put_cell(FILE *out, char *text)
{
	fputc(' ', out);
	for (const char *at = text; at && *at; at++) {
		if (strchr("|\\`*_<>[]", *at))
			fputc('\\', out);
		fputc(iscntrl((unsigned char)*at) ? '?' : *at, out);
	}
	fputs(" |", out);
	free(text);
}

static void put_markdown_row(FILE *out, const struct compare_row *row)
{
	static const char *const better[] = {
		[BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher", [BETTER_NONE] = ""
	};

	fputc('|', out);
	put_cell(out, mem_text(row->workload));
	put_cell(out, mem_text(row->metric));
	put_cell(out, mem_text(row->unit));
	put_cell(out, mem_text(better[row->better]));
	put_cell(out, row->base.known ? format_number(row->base.value, false) : NULL);
	put_cell(out, row->cand.known ? format_number(row->cand.value, false) : NULL);
	put_cell(out, format_change(row));
	put_cell(out, format_p(row));
	put_cell(out, format_boots(row));
	put_cell(out, format_detectable(row));
	put_cell(out, format_verdict(row));
	put_cell(out, mem_text(row->note));
	fputc('\n', out);
}

/* Closes out; the memory stream's text is at *text. */
static int finish(FILE *out, char **text, char **ret)
{
	if (fclose(out) != 0) {
		free(*text);
		return -ENOMEM;
	}
	*ret = *text;
	return 0;
}

int compare_render_markdown(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	char *text = NULL, *conclusion;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	fputs("| | |\n| --- | --- |\n| base |", out);
	put_cell(out, mem_text(options->base_name));
	fputs("\n| cand |", out);
	put_cell(out, mem_text(options->cand_name));
	fputc('\n', out);
	for (size_t i = 0; i < c->n_subject + c->n_identity; i++) {
		const struct compare_key *k =
			i < c->n_subject ? &c->subject[i] : &c->identity[i - c->n_subject];

		fputc('|', out);
		put_cell(
			out, mem_format("%s%s",
				     i < c->n_subject ? "" : "mismatch allowed: ", k->key));
		put_cell(out, mem_format("%s -> %s", k->base, k->cand));
		fputc('\n', out);
	}
	fputs("\n| workload | metric | unit | better | base | cand | ratio | p | n | finds "
	      "| verdict | note |\n"
	      "| --- | --- | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- | --- |\n",
		out);
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			put_markdown_row(out, &c->rows[i]);
	conclusion = format_conclusion(c);
	fprintf(out, "\n%zu of %zu rows shown.\n%s", c->n_shown, c->n_rows, conclusion);
	free(conclusion);
	return finish(out, &text, ret);
}

enum outcome { PASSED, BAD, UNDECIDED };

/* What a test runner makes of a row; only what decides may fail. */
static enum outcome outcome_of(const struct compare_row *row)
{
	if ((row->declared && row->word == WORD_REGRESSION) || row->missing)
		return BAD;
	switch (row->word) {
	case WORD_REGRESSION:
	case WORD_IMPROVEMENT:
	case WORD_LOWER:
	case WORD_HIGHER:
	case WORD_SMALL:
	case WORD_EQUIVALENT:
	case WORD_SAME:
		return PASSED;
	default:
		return UNDECIDED;
	}
}

/* "- improvement, 0.0652 [0.0610, 0.0701], p <.0001, n 6" */
static char *describe(const struct compare_row *row)
{
	char *verdict = format_verdict(row), *change = format_change(row);
	char *p = format_p(row), *n = format_boots(row);
	char *text = mem_format("%s%s%s%s%s%s%s%s%s", verdict, change ? ", " : "",
		change ? change : "", p ? ", p " : "", p ? p : "", n ? ", n " : "",
		n ? n : "", row->note ? "; " : "", row->note ? row->note : "");

	free(verdict);
	free(change);
	free(p);
	free(n);
	return text;
}

static void put_xml(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
}

static void put_junit_case(FILE *out, const struct compare_row *row)
{
	static const char *const elements[] = {
		[PASSED] = "system-out", [BAD] = "failure", [UNDECIDED] = "skipped"
	};
	const char *element = elements[outcome_of(row)];
	char *text = describe(row);

	fputs("  <testcase classname=\"", out);
	put_xml(out, row->workload);
	fputs("\" name=\"", out);
	put_xml(out, row->metric);
	if (outcome_of(row) == PASSED) {
		fprintf(out, "\"><%s>", element);
		put_xml(out, text);
		fprintf(out, "</%s></testcase>\n", element);
	} else {
		fprintf(out, "\"><%s message=\"", element);
		put_xml(out, text);
		fputs("\"/></testcase>\n", out);
	}
	free(text);
}

int compare_render_junit(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	size_t bytes, counts[3] = { 0 };
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			counts[outcome_of(&c->rows[i])]++;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
	put_xml(out, options->base_name);
	fputs(" -&gt; ", out);
	put_xml(out, options->cand_name);
	fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", c->n_shown,
		counts[BAD], counts[UNDECIDED]);
	for (size_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].shown)
			put_junit_case(out, &c->rows[i]);
	fputs("</testsuite>\n", out);
	return finish(out, &text, ret);
}

/* A # begins a directive there. */
static void put_ktap(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) || *text == '#' ? '?' : *text, out);
}

int compare_render_ktap(const struct comparison *c, char **ret)
{
	char *text = NULL, *words;
	size_t bytes, number = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	fprintf(out, "KTAP version 1\n1..%zu\n", c->n_shown);
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (!row->shown)
			continue;
		words = describe(row);
		fprintf(out, "%sok %zu ", outcome_of(row) == BAD ? "not " : "", ++number);
		put_ktap(out, row->workload);
		fputc(' ', out);
		put_ktap(out, row->metric);
		fputs(outcome_of(row) == UNDECIDED ? " # SKIP " : " # ", out);
		put_ktap(out, words);
		fputc('\n', out);
		free(words);
	}
	return finish(out, &text, ret);
}
