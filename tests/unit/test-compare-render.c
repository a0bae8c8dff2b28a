// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison as text, CSV and JSON. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sample-record.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"

static const struct compare_options show_all = { .show = SHOW_ALL };

/* A record with one run of one sample, of one metric. */
static struct record *single(const char *metric, int value)
{
	struct record *r = record_new();

	r->complete = true;
	sample_metric(sample_run(r, "swap", 1), metric, value);
	return r;
}

static struct comparison *compare(const struct record *base, const struct record *cand,
	const struct compare_options *options)
{
	struct comparison *c = NULL;

	cr_assert_eq(compare_records(base, cand, options, &c), 0);
	return c;
}

static const struct render_options plain = { .base_name = "a\x1b.json", .cand_name = "b" };

Test(render, text)
{
	struct record *base = single("ns_per_page", 0),
		      *cand = single("ns_per_page", 123456);
	struct comparison *c;
	char *text;

	base->complete = false;
	sample_metric(&base->runs[0], "tlb\x1b[31m", 1);
	sample_metric(&cand->runs[0], "tlb\x1b[31m", 1);
	c = compare(base, cand, &(struct compare_options){ .show = SHOW_PRIMARY });
	cr_assert_eq(compare_render_text(c, &plain, &text), 0);
	cr_expect_eq(
		strncmp(text, "base: a?.json\ncand: b\n\nworkload", 31), 0, "%s", text);
	cr_expect_not_null(strstr(text,
		"\nswap     ns_per_page ns/page lower     0 1235 diff +1235   1 ? inconclusive "
		"(needs 6)\n"));
	cr_expect_not_null(strstr(text, "\nwarning: base was interrupted"));
	cr_expect_not_null(
		strstr(text, "\n1 of 2 rows shown. --show all shows the rest.\n"));
	cr_expect_not_null(strstr(text, "; a verdict takes 6.\n"));
	cr_expect_null(strstr(text, "regression"));
	free(text);
	comparison_free(c);
	c = compare(base, cand, &show_all);
	cr_assert_eq(compare_render_text(c, &plain, &text), 0);
	cr_expect_null(strchr(text, '\x1b'), "%s", text);
	free(text);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(render, colour_only_if_asked)
{
	struct record *base = single("ns_per_page", 1), *cand = record_new();
	struct render_options color = { .base_name = "a", .cand_name = "b", .color = true };
	struct comparison *c = compare(base, cand, &show_all);
	char *text;

	cr_assert_eq(compare_render_text(c, &color, &text), 0);
	cr_expect_not_null(strchr(text, '\x1b'), "%s", text);
	free(text);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(render, csv_quotes)
{
	struct record *base = single("a,\"b\"", 1), *cand = single("a,\"b\"", 3);
	struct comparison *c = compare(base, cand, &show_all);
	char *text;

	cr_assert_eq(compare_render_csv(c, &text), 0);
	cr_expect_not_null(strstr(text, "\nswap,\"a,\"\"b\"\"\",ns/page,lower,sample,"
					"0.01,0.029999999999999999,3,0.019999999999999997,"
					",,,,none,1,1,6,,0,inconclusive,\n"),
		"%s", text);
	free(text);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}

Test(render, json_is_json)
{
	struct record *base = single("ns_per_page", 0), *cand = single("ns_per_page", 3);
	struct comparison *c = compare(base, cand, &show_all);
	json_t *top, *row;
	char *text;

	cr_assert_eq(compare_render_json(c, &plain, &text), 0);
	top = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	cr_assert_not_null(top, "%s", text);
	row = json_array_get(json_object_get(top, "rows"), 0);
	cr_expect(json_is_null(json_object_get(row, "ratio")), "a zero base");
	cr_expect_float_eq(
		json_real_value(json_object_get(row, "difference")), 0.03, 1e-12);
	cr_expect_str_eq(json_string_value(json_object_get(row, "word")), "inconclusive");
	cr_expect_str_eq(json_string_value(json_object_get(top, "base")), "a\x1b.json");
	json_decref(top);
	free(text);
	comparison_free(c);
	record_free(base);
	record_free(cand);
}
