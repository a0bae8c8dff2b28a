// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "boots/plan.h"
#include "plots/sweep.h"

#define SIDE(value) "{\"value\": " value ", \"boots\": 6, \"samples\": 12}"
#define POINT(base, ratio)                                                                 \
	"{\"label\": \"2\", \"better\": true, \"base\": " base ", \"cand\": null, "        \
	"\"ratio\": " ratio ", \"ratio_low\": null, \"ratio_high\": null, "                \
	"\"word\": \"emulated\", \"note\": null}"
#define SWEEP(schema, crossover, point)                                                    \
	"{\"schema\": \"" schema "\", \"what\": \"swap\", \"machine\": \"m\", "            \
	"\"param\": \"cpus\", \"metric\": \"ns_per_page\", \"unit\": \"ns/page\", "        \
	"\"base\": \"a\", \"cand\": null, \"crossover\": " crossover ", "                  \
	"\"points\": [" point "]}"

Test(sweep_file, is_read)
{
	struct sweep s;
	struct err err = { "" };

	cr_assert_eq(sweep_parse("x",
			     SWEEP("shootdown-sweep-1", "{\"text\": \"from 2 on\"}",
				     POINT(SIDE("1.5"), "null")),
			     &s, &err),
		0, "%s", err.text);
	cr_expect_str_eq(s.names[ARM_BASE], "a");
	cr_expect_null(s.names[ARM_CAND]);
	cr_expect_str_eq(s.crossover, "from 2 on");
	cr_assert_eq(s.n_points, 1);
	cr_expect(s.points[0].better && !s.points[0].has_ratio);
	cr_expect(s.points[0].sides[ARM_BASE].known);
	cr_expect_float_eq(s.points[0].sides[ARM_BASE].value, 1.5, 1e-12);
	cr_expect_eq(s.points[0].sides[ARM_BASE].boots, 6);
	cr_expect(!s.points[0].sides[ARM_CAND].known);
	sweep_clear(&s);
}

Test(sweep_file, is_refused_with_what_is_wrong)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "x: line 1: it is no whole JSON" },
		{ "{\"schema\": 1", "x: line 1: it is no whole JSON" },
		{ "[]", "x: its schema is not" },
		{ SWEEP("shootdown-sweep-2", "{}", ""), "x: its schema is not" },
		{ SWEEP("shootdown-sweep-1", "{\"text\": 1}", ""), "x: a text is missing" },
		{ SWEEP("shootdown-sweep-1", "{}", "7"), "x: points[0]: a value" },
		{ SWEEP("shootdown-sweep-1", "{}", POINT("{}", "1")),
			"x: points[0]: a value" },
		{ SWEEP("shootdown-sweep-1", "{}", POINT(SIDE("\"1\""), "1")),
			"x: points[0]: a value" },
		{ SWEEP("shootdown-sweep-1", "{}",
			  POINT(SIDE("1"), "1") "," POINT(SIDE("1"), "true")),
			"x: points[1]: a value" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep s = { .n_points = 77 };
		struct err err = { "" };

		cr_expect_eq(
			sweep_parse("x", cases[i].text, &s, &err), -EPROTO, "case %zu", i);
		cr_expect_eq(strncmp(err.text, cases[i].says, strlen(cases[i].says)), 0,
			"case %zu: %s", i, err.text);
		cr_expect_eq(s.n_points, 77);
	}
}
