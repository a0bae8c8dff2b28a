// SPDX-License-Identifier: GPL-2.0-or-later
/* Nights of a lab machine, sound ones and those that go wrong. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "nights/logbook.h"
#include "tests/lab/lab.h"

TestSuite(lab, .init = lab_set_up, .fini = lab_tear_down, .timeout = 900);

Test(lab, a_night_of_three_blocks)
{
	lab_put("lab.machine", MACHINE SUITE "blocks = 3\n");
	lab_make_disk();
	cr_expect_not(lab_run(NULL));
	lab_expect_events("night" BOOTED BOOTED BOOTED BOOTED BOOTED BOOTED " done");
	lab_expect_results(true);
	cr_expect(lab_said("tlb_shootdowns_per_page"), "a verdict is printed");
	/* Powered on again it has nothing to do, and measures nothing twice. */
	cr_expect_not(lab_run(NULL));
	lab_expect_events("night" BOOTED BOOTED BOOTED BOOTED BOOTED BOOTED " done");
}

/* The power fails as soon as each event is on the disk. */
Test(lab, power_cut_after_each_record)
{
	/* What is cut off in a boot must count as failed; else it may have begun the next. */
	static const struct {
		const char *pattern;
		size_t n_failed;
	} cuts[] = {
		{ "nightly: night ", 0 },
		{ "nightly: intent 1", 1 },
		{ "nightly: arrived 1", 1 },
		{ "nightly: measured 1", 0 },
		{ "nightly: measured 2", 0 },
		{ "nightly: done", 0 },
	};

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		char *is;

		lab_make_disk();
		cr_expect(lab_run(cuts[i].pattern), "%s", cuts[i].pattern);
		lab_run(NULL);
		is = lab_events();
		cr_expect_eq(lab_count(is, "measured"), 2, "%s: %s", cuts[i].pattern, is);
		cr_expect_eq(lab_count(is, "done"), 1, "%s: %s", cuts[i].pattern, is);
		cr_expect_leq(lab_count(is, "failed"), 1, "%s: %s", cuts[i].pattern, is);
		cr_expect_geq(lab_count(is, "failed"), cuts[i].n_failed, "%s: %s",
			cuts[i].pattern, is);
		lab_expect_results(true);
		free(is);
	}
}

/* An arm that fails twice ends the night: one arm alone decides nothing. */
static void expect_skipped(const char *reason)
{
	char *is, *text;

	lab_make_disk();
	lab_run(NULL);
	is = lab_events();
	text = lab_read("/night/journal");
	cr_expect_eq(lab_count(is, "failed"), 2, "%s", is);
	cr_expect_eq(lab_count(is, "done"), 1, "%s", is);
	cr_expect_eq(lab_count(text, reason), 2, "%s", text);
	free(text);
	free(is);
	lab_expect_results(false);
}

Test(lab, a_kernel_that_panics)
{
	lab_put("night/images/tonight/cmdline", "rdinit=/nothing root=/dev/nothing\n");
	expect_skipped("came back and had not arrived");
}

Test(lab, a_kernel_that_hangs_at_boot)
{
	/* It does not find the disk, and waits for it. */
	lab_put("night/images/tonight/cmdline",
		"rdinit=/nothing root=/dev/nothing rootwait\n");
	expect_skipped("came back and had not arrived");
}

Test(lab, a_measurement_that_hangs)
{
	lab_put("lab.machine", MACHINE "blocks = 1\nsuite = hang\ndeadline = 5s\n");
	expect_skipped("not measured within 5 s");
}

Test(lab, a_sysctl_that_is_not_there)
{
	lab_put("night/images/tonight/sysctl", "vm.nothing=1\n");
	expect_skipped("sysctl vm.nothing");
}

Test(lab, another_release_than_was_meant)
{
	lab_put("night/images/tonight/release", "-shootdown-00000000\n");
	expect_skipped("and one that ends in -shootdown-00000000 was meant");
}

Test(lab, an_image_that_is_none)
{
	lab_put("night/images/tonight/image", "not a kernel");
	expect_skipped("kexec_file_load");
}

Test(lab, a_journal_with_a_torn_end)
{
	char *is, *line = logbook_format(
			  1, (uint64_t)time(NULL), "night", "2026-11-30 7 1 4 3600");
	char *torn = mem_format("%s0badf00d 2 17960", line);

	lab_put("night/journal", torn);
	lab_put("night/machine", "name = lab\n" MACHINE SUITE "blocks = 1\n");
	free(torn);
	free(line);
	lab_make_disk();
	lab_run(NULL);
	is = lab_events();
	cr_expect_str_eq(is, "night" BOOTED BOOTED " done");
	free(is);
}

Test(lab, a_clock_that_is_set_back)
{
	lab_make_disk();
	cr_expect(lab_run("nightly: measured 1"));
	lab_clock = "2001-01-01";
	lab_run(NULL);
	lab_expect_events("night" BOOTED BOOTED " done");
	lab_expect_results(true);
}

Test(lab, results_that_cannot_be_written)
{
	char *text;

	lab_put("results", "a file where a folder should be");
	lab_make_disk();
	lab_run(NULL);
	lab_expect_events("night" BOOTED BOOTED " done");
	text = lab_read("/night/journal");
	cr_expect(strstr(text, "/lab/results"), "%s", text);
	free(text);
	text = lab_read("/night/boots/001.json");
	cr_expect(*text, "what was measured stays");
	free(text);
}
