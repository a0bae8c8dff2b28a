// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kconfig.h"

static struct kconfig parse(const char *text)
{
	struct kconfig config;
	struct err err = { "" };

	cr_assert_eq(kconfig_parse("f", text, &config, &err), 0, "%s", err.text);
	return config;
}

Test(kconfig, reads_values_and_what_is_not_set)
{
	struct kconfig config = parse("# a comment\n"
				      "# CONFIG_OFF is not set\n"
				      "# CONFIG_PROSE is not set by anyone\n"
				      "\n  \n"
				      "CONFIG_ON=y\n"
				      "CONFIG_TEXT=\"a = b\"\n"
				      "CONFIG_TWICE=4\n"
				      "CONFIG_TWICE=8");

	cr_assert_eq(config.count, 4);
	cr_expect_str_eq(kconfig_value(&config, "OFF"), "n");
	cr_expect_str_eq(kconfig_value(&config, "ON"), "y");
	cr_expect_str_eq(kconfig_value(&config, "TEXT"), "\"a = b\"");
	cr_expect_str_eq(kconfig_value(&config, "TWICE"), "8");
	cr_expect_str_eq(kconfig_value(&config, "ABSENT"), "n");
	kconfig_clear(&config);
}

Test(kconfig, refuses_with_file_and_line)
{
	static const struct {
		const char *text, *where;
	} cases[] = {
		{ "CONFIG_A=y\nCONFIG_B\n", "f:2:" },
		{ "CONFIG_=y\n", "f:1:" },
		{ "CONFIG_A=\n", "f:1:" },
		{ "\nconfig_A=y\n", "f:2:" },
		{ "CONFIG_A =y\n", "f:1:" },
		{ " CONFIG_A=y\n", "f:1:" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kconfig config = { 0 };
		struct err err = { "" };

		cr_expect_eq(kconfig_parse("f", cases[i].text, &config, &err), -EINVAL,
			"%zu", i);
		cr_expect_eq(
			strncmp(err.text, cases[i].where, 4), 0, "%zu: %s", i, err.text);
		cr_expect_null(config.lines);
	}
}

Test(kconfig, names_every_line_that_did_not_take)
{
	struct kconfig fragment = parse("CONFIG_A=y\nCONFIG_B=y\n# CONFIG_C is not set\n"
					"CONFIG_D=n\nCONFIG_E=64\nCONFIG_F=y\n");
	struct kconfig final = parse("CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=y\n"
				     "CONFIG_E=32\nCONFIG_F=m\n");
	const char *unmet[] = { "B", "C", "E", "F" };
	size_t at = 0;

	for (size_t i = 0; i < 4; i++, at++) {
		const struct kconfig_line *line =
			kconfig_next_unmet(&fragment, &final, &at);

		cr_assert_not_null(line);
		cr_expect_str_eq(line->symbol, unmet[i]);
	}
	cr_expect_null(kconfig_next_unmet(&fragment, &final, &at));
	kconfig_clear(&fragment);
	kconfig_clear(&final);
}

Test(kconfig, diff_knows_that_absent_is_not_set)
{
	struct kconfig a =
		parse("CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=1\nCONFIG_Z=y\n");
	struct kconfig b =
		parse("CONFIG_A=y\nCONFIG_C=2\nCONFIG_D=y\n# CONFIG_Z is not set\n");
	char *diff = kconfig_diff(&a, &b);

	cr_expect_str_eq(diff, "C 1 -> 2\nD n -> y\nZ y -> n\n");
	free(diff);
	diff = kconfig_diff(&a, &a);
	cr_expect_str_eq(diff, "");
	free(diff);
	kconfig_clear(&a);
	kconfig_clear(&b);
}

Test(kconfig, explains_by_the_conditions_that_are_false)
{
	static const char text[] = "menu \"Memory\"\n"
				   "\tdepends on MMU\n"
				   "config SWAP\n"
				   "\tbool \"Swap\" if EXPERT\n"
				   "\tdepends on BLOCK && !TINY # why\n"
				   "\thelp\n"
				   "\t  depends on NOTHING\n"
				   "\n"
				   "\t  config FAKE\n"
				   "config OTHER\n"
				   "\tdepends on OFF\n"
				   "endmenu\n"
				   "if NUMA || \\\n"
				   "\tUMA\n"
				   "config MIGRATION\n"
				   "\tdepends on $(cc-option,-mx) && (CPUS=64 || MODE!=y)\n"
				   "endif\n"
				   "config FREE\n"
				   "\tbool\n";
	static const struct {
		const char *final, *symbol;
		int found;
		const char *reason;
	} cases[] = {
		{ "CONFIG_MMU=y\nCONFIG_BLOCK=y\n", "SWAP", 1, NULL },
		{ "CONFIG_BLOCK=y\n", "SWAP", 1, "needs MMU: MMU is n" },
		{ "CONFIG_MMU=y\nCONFIG_TINY=y\n", "SWAP", 1,
			"needs BLOCK && !TINY: BLOCK is n, TINY is y" },
		{ "CONFIG_MMU=y\n", "OTHER", 1, "needs OFF: OFF is n" },
		{ "CONFIG_NUMA=y\nCONFIG_CPUS=64\nCONFIG_MODE=y\n", "MIGRATION", 1, NULL },
		{ "CONFIG_CPUS=64\n", "MIGRATION", 1,
			"needs NUMA || UMA: NUMA is n, UMA is n" },
		{ "", "FREE", 1, NULL },
		{ "", "FAKE", 0, NULL },
		{ "", "SWA", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kconfig final = parse(cases[i].final);
		char *reason = NULL;

		cr_expect_eq(kconfig_explain(text, cases[i].symbol, &final, &reason),
			cases[i].found, "%zu", i);
		cr_expect_str_eq(reason ? reason : "",
			cases[i].reason ? cases[i].reason : "", "%zu", i);
		free(reason);
		kconfig_clear(&final);
	}
}
