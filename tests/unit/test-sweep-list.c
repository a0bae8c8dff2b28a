// SPDX-License-Identifier: GPL-2.0-or-later
/* What a user types for a sweep. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/sweep_list.h"

static char *joined(char *const *texts, size_t count)
{
	char *all = mem_text("");

	for (size_t i = 0; texts && i < count; i++) {
		char *longer = mem_format("%s%s%s", all, i ? " " : "", texts[i]);

		free(all);
		all = longer;
	}
	return all;
}

Test(sweep_list, good)
{
	static const struct {
		const char *text, *workload, *fixed, *param, *values, *specs;
	} cases[] = {
		{ "swap:threads=0,1,2", "swap", "swap", "threads", "0 1 2",
			"swap:threads=0 swap:threads=1 swap:threads=2" },
		{ "swap:size=1M,threads=0,max,touch=write", "swap",
			"swap:size=1M,touch=write", "threads", "0 max",
			"swap:size=1M,threads=0,touch=write "
			"swap:size=1M,threads=max,touch=write" },
		{ "migrate:kind=anon,file", "migrate", "migrate", "kind", "anon file",
			"migrate:kind=anon migrate:kind=file" },
		{ "cpus=8,2", NULL, NULL, "cpus", "8 2", "" },
		/* A colon within a value parts no workload. */
		{ "cpus=a:b,c", NULL, NULL, "cpus", "a:b c", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_list l;
		struct err err = { "" };
		char *values, *specs;

		cr_assert_eq(sweep_list_parse(cases[i].text, &l, &err), 0, "%s: %s",
			cases[i].text, err.text);
		values = joined(l.values, l.count);
		specs = joined(l.specs, l.count);
		cr_expect_eq(cases[i].workload == NULL, l.workload == NULL);
		if (cases[i].workload && l.workload) {
			cr_expect_str_eq(l.workload, cases[i].workload);
			cr_expect_str_eq(l.fixed, cases[i].fixed);
		}
		cr_expect_str_eq(l.param, cases[i].param);
		cr_expect_str_eq(values, cases[i].values);
		cr_expect_str_eq(specs, cases[i].specs);
		free(values);
		free(specs);
		sweep_list_clear(&l);
	}
}

Test(sweep_list, bad)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "swap", "give a list" },
		{ "", "give a list" },
		{ "swap:", "give a list" },
		{ "swap:threads=1", "no parameter has two values" },
		{ "cpus=4", "no parameter has two values" },
		{ "swap:1,2", "give a list" },
		{ "swap:threads=1,2,size=1M,2M", "threads and size both" },
		{ "swap:threads=1,,2", "threads has an empty value" },
		{ "swap:threads=,1", "threads has an empty value" },
		{ "swap:threads=1,2,", "threads has an empty value" },
		{ "swap:=1,2", "key=value" },
		{ "swap:threads=1,2,1", "threads=1 is given twice" },
		{ "cpus=1,2,nodes=1", "one property of guests" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sweep_list l = { .count = 77 };
		struct err err = { "" };

		cr_expect_eq(sweep_list_parse(cases[i].text, &l, &err), -EINVAL, "%s",
			cases[i].text);
		cr_expect(
			strstr(err.text, cases[i].line), "%s: %s", cases[i].text, err.text);
		cr_expect_eq(l.count, 77);
	}
}

Test(sweep_list, not_without_end)
{
	char *text = mem_text("swap:size=1");
	struct sweep_list l;
	struct err err = { "" };

	for (int i = 2; i < 200; i++) {
		char *longer = mem_format("%s,%d", text, i);

		free(text);
		text = longer;
	}
	cr_expect_eq(sweep_list_parse(text, &l, &err), -EINVAL);
	cr_expect(strstr(err.text, "more than 100 values"));
	free(text);
}
