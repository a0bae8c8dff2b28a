// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as one or two result files (a NUL, which JSON has none of, stands
 * between them): each is refused in one line, or read into a record that can
 * be compared with itself and the other, and rendered.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "verdicts/compare.h"
#include "verdicts/compare_render.h"
#include "verdicts/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void render(const struct comparison *c)
{
	struct render_options options = { .base_name = "a", .cand_name = "b", .width = 80 };
	char *text;

	if (compare_render_text(c, &options, &text) == 0)
		free(text);
	if (compare_render_csv(c, &text) == 0)
		free(text);
	if (compare_render_json(c, &options, &text) < 0)
		abort();
	free(text);
}

static void compare(const struct record *base, const struct record *cand)
{
	struct compare_options options = { .show = SHOW_ALL };
	struct comparison *c;

	if (compare_records(base, cand, &options, &c) < 0)
		abort();
	if (base == cand && (!c->comparable || c->n_missing > 0))
		abort();
	render(c);
	comparison_free(c);
}

/* NULL: refused. */
static struct record *parse(const char *text, size_t bytes)
{
	struct record *r = NULL;
	struct err err = { .text = "" };
	int ret = record_parse("fuzz", text, bytes, &r, &err);

	if (ret < 0 && (r || strncmp(err.text, "fuzz:", 5) != 0 || strchr(err.text, '\n')))
		abort();
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const char *text = (const char *)data;
	size_t first = strnlen(text, bytes);
	struct record *base = parse(text, first), *cand = NULL;

	if (first < bytes)
		cand = parse(text + first + 1, bytes - first - 1);
	if (base)
		compare(base, base);
	if (base && cand)
		compare(base, cand);
	record_free(base);
	record_free(cand);
	return 0;
}
