// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as one or two result files, with a line of "%%" between them: each
 * is refused in one line, or read into a record that can be compared with
 * itself and the other, and rendered.
 */
#include "fuzz.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"
#include "verdicts/record.h"

static void render(const struct comparison *c)
{
	struct render_options options = { .base_name = "a", .cand_name = "b", .width = 80 };
	char *text;

	if (compare_render_text(c, &options, &text) == 0)
		free(text);
	if (compare_render_csv(c, &text) == 0)
		free(text);
	must(compare_render_json(c, &options, &text) == 0);
	free(text);
}

static void compare(const struct record *base, const struct record *cand)
{
	struct compare_options options = { .show = SHOW_ALL };
	struct comparison *c;

	must(compare_records(base, cand, &options, &c) == 0);
	must(base != cand || (c->comparable && c->n_missing == 0));
	render(c);
	comparison_free(c);
}

/* NULL: refused. */
static struct record *parse(const char *text, size_t bytes)
{
	struct record *r = NULL;
	struct err err = { "" };
	int ret = record_parse("fuzz", text, bytes, &r, &err);

	if (ret < 0) {
		must_explain(ret, &err);
		must(!r);
	}
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char between[] = "\n%%\n";
	const size_t length = sizeof(between) - 1;
	const char *text = (const char *)data;
	const char *end = memmem(text, bytes, between, length);
	size_t first = end ? (size_t)(end - text) : bytes;
	struct record *base = parse(text, first), *cand = NULL;

	if (end)
		cand = parse(end + length, bytes - first - length);
	if (base)
		compare(base, base);
	if (base && cand)
		compare(base, cand);
	record_free(base);
	record_free(cand);
	return 0;
}
