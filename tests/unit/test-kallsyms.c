// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kallsyms.h"
#include "recorded.h"

static const char whole[] = "0000000000000000 A __per_cpu_start\n"
			    "ffffffff81000000 T _stext\n"
			    "ffffffff81000100 t try_to_unmap_one.isra.0\n"
			    "ffffffff81000200 T flush_tlb_mm_range\n"
			    "ffffffffc0000000 t zram_submit_bio\t[zram]\n";

Test(kallsyms, finds_functions_of_image_and_modules)
{
	struct kallsyms k;
	struct err err;

	cr_assert_eq(kallsyms_parse(strdup(whole), &k, &err), 0);
	cr_expect_str_eq(
		symbols_find(&k.symbols, 0xffffffff81000210), "flush_tlb_mm_range");
	cr_expect_str_eq(symbols_find(&k.symbols, 0xffffffffc0000004), "zram_submit_bio");
	cr_expect_null(symbols_find(&k.symbols, 0x401000));
	cr_expect(kallsyms_has(&k, "try_to_unmap_one"));
	cr_expect(kallsyms_has(&k, "zram_submit_bio"));
	cr_expect_not(kallsyms_has(&k, "ptep_clear_flush"));
	cr_expect_not(kallsyms_has(&k, "__per_cpu_start"), "data is no function");
	kallsyms_clear(&k);
}

Test(kallsyms, says_why_there_are_none)
{
	static const struct {
		const char *text;
		int code;
		const char *part;
	} cases[] = {
		{ "", -EACCES, "kptr_restrict" },
		{ "0000000000000000 T _stext\n0000000000000000 t a\t[m]\n", -EACCES,
			"kptr_restrict" },
		{ "          (null) A irq_stack_union\n", -EACCES, "kptr_restrict" },
		{ "ffffffff81000000 T\n", -EBADMSG, "ADDRESS TYPE NAME" },
		{ "text\n", -EBADMSG, "ADDRESS TYPE NAME" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kallsyms k = { 0 };
		struct err err = { "" };

		cr_expect_eq(kallsyms_parse(strdup(cases[i].text), &k, &err), cases[i].code,
			"case %zu", i);
		cr_expect(strstr(err.text, cases[i].part), "case %zu: %s", i, err.text);
		cr_expect_null(k.text);
	}
}

Test(kallsyms, a_kernel_without_them)
{
	struct kallsyms k;
	struct err err;

	cr_expect_eq(kallsyms_read("/nonexistent", &k, &err), -ENOENT);
	cr_expect(strstr(err.text, "CONFIG_KALLSYMS"), "%s", err.text);
}

/* Machines that people had: what is hidden is said, and taken for no address. */
Test(kallsyms, recorded)
{
	static const char *const files[] = { "kallsyms-x86_64-null-fragment.txt",
		"kallsyms-x86_64-zero-fragment.txt" };

	for (size_t i = 0; i < 2; i++) {
		char *text = recorded_text(recorded_or_skip(), files[i]);
		struct kallsyms k;
		struct err err;

		cr_expect_eq(kallsyms_parse(text, &k, &err), -EACCES, "%s", files[i]);
	}
}
