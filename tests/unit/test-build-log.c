// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>

#include "kernels/build_log.h"
#include "kernels/patches.h"

Test(build_log, the_first_error_with_its_place)
{
	static const struct {
		const char *log, *error;
	} cases[] = {
		{ "", NULL },
		{ "  CC      mm/error.o\n  AR      mm/built-in.a\n", NULL },
		{ "  CC      mm/rmap.o\n"
		  "/src/mm/rmap.c: In function 'f':\n"
		  "/src/mm/rmap.c:731:9: warning: unused variable 'x'\n"
		  "/src/mm/rmap.c:735:2: error: 'y' undeclared (first use)\n"
		  "/src/mm/rmap.c:740:2: error: later\n"
		  "make[3]: *** [/src/scripts/Makefile.build:229: mm/rmap.o] Error 1\n",
			"mm/rmap.c:735: 'y' undeclared (first use)" },
		{ "mm/a.c:1:10: fatal error: gone.h: No such file or directory\n",
			"mm/a.c:1: gone.h: No such file or directory" },
		{ "/tmp/x.s: Assembler messages:\n/tmp/x.s:12: Error: no such instruction: "
		  "`foo'\n",
			"/tmp/x.s:12: Error: no such instruction: `foo'" },
		{ "mm/Kconfig:12: syntax error\n", "mm/Kconfig:12: syntax error" },
		{ "ld: mm/rmap.o: in function `f':\n"
		  "rmap.c:(.text+0x1): undefined reference to `g'\n",
			"rmap.c:(.text+0x1): undefined reference to `g'" },
		{ "/bin/sh: 1: bison: not found\nmake: *** [x] Error 127\n",
			"/bin/sh: 1: bison: not found" },
		{ "fatal: x.o: No space left on device\n",
			"fatal: x.o: No space left on device" },
		{ "  CC      a.o\nmake[2]: *** [/src/scripts/Makefile.build:229: a.o] Error "
		  "1\n",
			"make[2]: *** [/src/scripts/Makefile.build:229: a.o] Error 1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *error = build_log_first_error(cases[i].log, "/src");

		cr_expect_str_eq(error ? error : "none",
			cases[i].error ? cases[i].error : "none", "%zu: %s", i,
			error ? error : "none");
		free(error);
	}
}

Test(build_log, counts_steps_only)
{
	cr_expect(build_log_is_step("  CC      mm/rmap.o"));
	cr_expect(build_log_is_step("  HOSTLD  scripts/kconfig/conf"));
	cr_expect_not(build_log_is_step("make[1]: Entering directory"));
	cr_expect_not(build_log_is_step("   12 |     y = 1;"));
	cr_expect_not(build_log_is_step("  note: x"));
	cr_expect_not(build_log_is_step(""));
}

Test(patches, explain_names_the_hunk)
{
	static const struct {
		const char *output, *why;
	} cases[] = {
		{ "patching file mm/rmap.c\nHunk #1 succeeded at 12 (offset 2 lines).\n"
		  "patching file mm/swap.c\nHunk #2 FAILED at 731.\n"
		  "1 out of 3 hunks FAILED\n",
			"hunk 2 of mm/swap.c (line 731) does not apply" },
		{ "patching file mm/rmap.c\n"
		  "Reversed (or previously applied) patch detected!  Skipping patch.\n"
		  "1 out of 1 hunk ignored\n",
			"mm/rmap.c seems to be patched already" },
		{ "can't find file to patch at input line 12\n"
		  "Perhaps you used the wrong -p or --strip option?\n"
		  "The text leading up to this was:\n"
		  "--------------------------\n"
		  "|diff --git a/mm/gone.c b/mm/gone.c\n"
		  "|--- a/mm/gone.c\n"
		  "|+++ b/mm/gone.c\n"
		  "--------------------------\n"
		  "No file to patch.  Skipping patch.\n",
			"there is no file b/mm/gone.c" },
		{ "patch: **** malformed patch at line 9: @@\n",
			"malformed patch at line 9: @@" },
		{ "", "patch failed without a reason" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *why = patches_explain(cases[i].output);

		cr_expect_str_eq(why, cases[i].why, "%zu: %s", i, why);
		free(why);
	}
}
