// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as one or two result files, with a line of "%%" between them: each
 * is refused in one line, or read into a record that can be compared with
 * itself and the other, and rendered.
 */
#include "fuzz.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"
#include "verdicts/power.h"
#include "verdicts/published.h"
#include "verdicts/record.h"

static void render(const struct comparison *c, const struct record *base)
{
	struct render_options options = { .base_name = "a",
		.cand_name = "b",
		.width = 80,
		.base = base,
		.repeat = "compare-results\na\nb" };
	char *text;

	if (compare_render_text(c, &options, &text) == 0)
		free(text);
	if (compare_render_csv(c, &text) == 0)
		free(text);
	must(compare_render_json(c, &options, &text) == 0);
	free(text);
	if (!c->comparable)
		return;
	must(compare_render_markdown(c, &options, &text) == 0);
	free(text);
	must(compare_render_lkml(c, &options, &text) == 0);
	free(text);
	must(compare_render_junit(c, &options, &text) == 0);
	free(text);
	must(compare_render_ktap(c, &text) == 0);
	free(text);
	must(compare_explain(c, "*", &text) == 0);
	free(text);
}

/* As figures that were published, laid beside its own; and what it takes to find 3 %. */
static void lay_beside(const struct comparison *c, const struct record *r)
{
	const struct published p = { r, r, r };
	struct power_plan plan;
	char *text;

	power_plan_make(c, true, &plan);
	must(plan.needed <= STATS_NEEDED_MAX);
	power_plan_clear(&plan);
	if (fields_find(&r->subject, "published") && published_text(c, &p, 0, &text) == 0)
		free(text);
}

/* Beside itself, a file lacks no value but one that is refused: a duration below 0. */
static void must_be_whole(const struct comparison *c)
{
	must(c->comparable);
	for (size_t i = 0; i < c->n_rows; i++)
		must(!c->rows[i].missing || c->rows[i].word == WORD_MISFIT);
}

static void compare(const struct record *base, const struct record *cand)
{
	struct compare_options options = { .show = SHOW_ALL };
	struct comparison *c;

	must(compare_records(base, cand, &options, &c) == 0);
	if (base == cand)
		must_be_whole(c);
	render(c, base);
	if (base == cand)
		lay_beside(c, base);
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
