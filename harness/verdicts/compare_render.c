// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/compare_render.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_table.h"

/* Words of a result file may hold anything; these must not steer a terminal. */
static void put_safe(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
}

static void put_keys(
	FILE *out, const char *what, const struct compare_key *keys, size_t n, bool allowed)
{
	for (size_t i = 0; i < n; i++) {
		if (keys[i].allowed != allowed)
			continue;
		fputs(what, out);
		put_safe(out, keys[i].key);
		fputs(": ", out);
		put_safe(out, keys[i].base);
		fputs(" -> ", out);
		put_safe(out, keys[i].cand);
		fputc('\n', out);
	}
}

static void put_refusal(FILE *out, const struct comparison *c)
{
	bool first = true;

	fputs("These results are not comparable: they differ in what must be the same.\n",
		out);
	put_keys(out, "  ", c->identity, c->n_identity, false);
	fputs("To compare all the same: --allow-mismatch ", out);
	for (size_t i = 0; i < c->n_identity; i++) {
		if (c->identity[i].allowed)
			continue;
		if (!first)
			fputc(',', out);
		put_safe(out, c->identity[i].key);
		first = false;
	}
	fputc('\n', out);
}

static void put_footer(FILE *out, const struct comparison *c, const struct footnotes *notes)
{
	char *conclusion;

	for (size_t i = 0; i < notes->count; i++) {
		fprintf(out, "[%zu] ", i + 1);
		put_safe(out, notes->texts[i]);
		fputc('\n', out);
	}
	for (size_t i = 0; i < c->n_notes; i++) {
		fputs("warning: ", out);
		put_safe(out, c->notes[i]);
		fputc('\n', out);
	}
	fprintf(out, "%zu of %zu rows shown.", c->n_shown, c->n_rows);
	if (c->n_shown < c->n_rows)
		fputs(" --show all shows the rest.", out);
	fputc('\n', out);
	if (c->n_missing > 0)
		fprintf(out, "Values of base that cand lacks: %zu.\n", c->n_missing);
	conclusion = format_conclusion(c);
	fputs(conclusion, out);
	free(conclusion);
	attribution_print(out, c->attributions, c->n_attributions);
}

static int put_comparison(
	FILE *out, const struct comparison *c, const struct render_options *options)
{
	struct footnotes notes = { 0 };
	int ret = 0;

	fputs("base: ", out);
	put_safe(out, options->base_name);
	fputs("\ncand: ", out);
	put_safe(out, options->cand_name);
	fputc('\n', out);
	put_keys(out, "subject ", c->subject, c->n_subject, false);
	put_keys(out, "mismatch allowed: ", c->identity, c->n_identity, true);
	if (!c->comparable) {
		put_refusal(out, c);
		return 0;
	}
	fputc('\n', out);
	if (c->n_shown > 0)
		ret = compare_table(out, c, options, &notes);
	put_footer(out, c, &notes);
	free(notes.texts);
	return ret;
}

int compare_render_text(
	const struct comparison *c, const struct render_options *options, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int code;

	if (!out)
		return -ENOMEM;
	code = put_comparison(out, c, options);
	if (fclose(out) != 0)
		code = -ENOMEM;
	if (code < 0)
		free(text);
	else
		*ret = text;
	return code;
}
