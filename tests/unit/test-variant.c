// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "kernels/variant.h"

#define SUMMARY "summary = a kernel\n"
#define SOURCE "source = package linux-source-6.12\n"
#define CONFIG "config = common.config\n"

Test(variant, reads_every_key)
{
	static const char text[] =
		"# a comment\n\n"
		"summary = all of it, with = and # inside\n"
		"source\t=  git /src/linux v6.12-rc1 \n"
		"patches = patches mine/0001-a.patch\n"
		"config = common.config ARCH.config\n"
		"cmdline = nokaslr  mitigations=off\n"
		"sysctl = vm.batched_unmap_tlb_flush=0 kernel.numa_balancing=0\n"
		"least = swap:tlbi=0.95 swap:here+there=1";
	struct variant v;
	struct err err = { "" };

	cr_assert_eq(variant_parse("x", "x.variant", text, &v, &err), 0, "%s", err.text);
	cr_expect_str_eq(v.name, "x");
	cr_expect_str_eq(v.summary, "all of it, with = and # inside");
	cr_expect_eq(v.kind, SOURCE_GIT);
	cr_expect_str_eq(v.source, "/src/linux");
	cr_expect_str_eq(v.commit, "v6.12-rc1");
	cr_assert_eq(v.patches.count, 2);
	cr_expect_str_eq(v.patches.items[1], "mine/0001-a.patch");
	cr_assert_eq(v.config.count, 2);
	cr_expect_str_eq(v.config.items[1], "ARCH.config");
	cr_assert_eq(v.cmdline.count, 2);
	cr_expect_str_eq(v.cmdline.items[1], "mitigations=off");
	cr_assert_eq(v.sysctls.count, 2);
	cr_expect_str_eq(v.sysctls.items[0], "vm.batched_unmap_tlb_flush=0");
	cr_assert_eq(v.least.count, 2);
	cr_expect_str_eq(v.least.items[1], "swap:here+there=1");
	variant_clear(&v);
}

Test(variant, sysctls_may_depend_on_the_configuration)
{
	static const struct {
		const char *line, *symbol;
		size_t count;
	} cases[] = {
		{ "sysctl = a=1 b=2 if NUMA\n", "NUMA", 2 },
		{ "sysctl = a=1 if NUMA\n", "NUMA", 1 },
		{ "sysctl = a=1 if=2\n", NULL, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct variant v;
		struct err err = { "" };

		snprintf(text, sizeof(text), SUMMARY SOURCE CONFIG "%s", cases[i].line);
		cr_assert_eq(variant_parse("x", "f", text, &v, &err), 0, "%s", err.text);
		cr_expect_eq(v.sysctls.count, cases[i].count, "%zu", i);
		if (cases[i].symbol)
			cr_expect_str_eq(v.sysctls_if, cases[i].symbol);
		else
			cr_expect_null(v.sysctls_if);
		variant_clear(&v);
	}
}

Test(variant, refuses_with_file_and_line)
{
	static const struct {
		const char *text, *line, *word;
	} cases[] = {
		{ "", "f:1:", "summary" },
		{ SUMMARY SOURCE, "f:3:", "config" },
		{ SUMMARY CONFIG, "f:3:", "source" },
		{ SUMMARY "sorce = package x\n", "f:2:", "unknown key" },
		{ SUMMARY SUMMARY, "f:2:", "twice" },
		{ SUMMARY "no equals sign\n", "f:2:", "key = value" },
		{ "summary =\n", "f:1:", "empty" },
		{ "= value\n", "f:1:", "unknown key" },
		{ "source = package\n", "f:1:", "package NAME" },
		{ "source = package ../etc\n", "f:1:", "package NAME" },
		{ "source = git dir\n", "f:1:", "package NAME" },
		{ "source = tree dir more\n", "f:1:", "package NAME" },
		{ "source = disk dir\n", "f:1:", "package NAME" },
		{ "config = ../../etc/passwd\n", "f:1:", "kconfigs/" },
		{ "patches = /etc/passwd\n", "f:1:", "kconfigs/" },
		{ "sysctl = vm.swappiness\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = =1\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = vm.swappiness=\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = vm/swappiness=1\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = a=1 if\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = if NUMA\n", "f:1:", "NAME=VALUE" },
		{ "sysctl = a=1 if NUMA SWAP\n", "f:1:", "NAME=VALUE" },
		{ "least = swap:tlbi\n", "f:1:", "NAME=NUMBER" },
		{ "least = swap:tlbi=1 tlbi=1\n", "f:1:", "NAME=NUMBER" },
		{ "summary = a\r\n", "f:1:", "control" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct variant v = { .name = NULL };
		struct err err = { "" };

		cr_expect_eq(variant_parse("x", "f", cases[i].text, &v, &err), -EINVAL,
			"%zu", i);
		cr_expect_eq(strncmp(err.text, cases[i].line, strlen(cases[i].line)), 0,
			"%zu: %s", i, err.text);
		cr_expect(strstr(err.text, cases[i].word), "%zu: %s", i, err.text);
		cr_expect_null(v.name);
	}
}

Test(variant, those_of_the_project_load)
{
	struct words names;
	struct err err = { "" };

	cr_assert_eq(variant_list(&names, &err), 0, "%s", err.text);
	cr_assert_geq(names.count, 3);
	for (size_t i = 0; i < names.count; i++) {
		struct variant v;

		cr_assert_eq(variant_load(names.items[i], &v, &err), 0, "%s", err.text);
		cr_expect_str_eq(v.name, names.items[i]);
		variant_clear(&v);
	}
	words_clear(&names);
}

Test(variant, an_unknown_one_names_the_known)
{
	struct variant v;
	struct err err = { "" };

	cr_assert_eq(variant_load("nobtach", &v, &err), -ENOENT);
	cr_expect(strstr(err.text, "nobtach: no such variant; there are ") &&
			  strstr(err.text, " batch, ") && strstr(err.text, " nobatch, "),
		"%s", err.text);
	cr_assert_eq(variant_load("../variants/batch", &v, &err), -ENOENT);
}

Test(variant, a_path_is_a_file_and_may_have_patches_beside_it)
{
	char folder[] = "/tmp/test-variant-XXXXXX", *path, *wanted;
	struct variant v;
	struct err err = { "" };
	FILE *file;

	cr_assert_not_null(mkdtemp(folder));
	path = mem_format("%s/mine.variant", folder);
	wanted = mem_format("%s/series", folder);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fputs(SUMMARY SOURCE CONFIG "patches = patches ./series\n", file);
	fclose(file);
	cr_assert_eq(variant_load(path, &v, &err), 0, "%s", err.text);
	cr_expect_str_eq(v.name, "mine");
	cr_expect_str_eq(v.patches.items[0], "patches");
	cr_expect_str_eq(v.patches.items[1], wanted);
	variant_clear(&v);
	cr_expect_eq(unlink(path), 0);
	cr_expect_eq(variant_load(path, &v, &err), -ENOENT);
	cr_expect(strstr(err.text, path), "%s", err.text);
	rmdir(folder);
	free(path);
	free(wanted);
}
