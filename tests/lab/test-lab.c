// SPDX-License-Identifier: GPL-2.0-or-later
/* Nights of a lab machine, sound ones and those that go wrong; see also test-nights.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "nights/logbook.h"
#include "tests/lab/lab.h"

/* What is known to hang is not waited for as long as what may be slow. */
#define HANG_MS 60000

TestSuite(lab, .init = lab_set_up, .fini = lab_tear_down, .timeout = 1800);

Test(lab, a_night_of_three_blocks)
{
	lab_put_machine("lab.machine", SUITE "blocks = 3\n");
	lab_make_disk();
	cr_expect_not(lab_run(NULL));
	lab_expect_events("night" BOOTED BOOTED BOOTED BOOTED BOOTED BOOTED " done");
	lab_expect_results(3);
	cr_expect(lab_said("tlb_shootdowns_per_page"), "a verdict is printed");
	/* Powered on again it has nothing to do, and measures nothing twice. */
	cr_expect_not(lab_run(NULL));
	lab_expect_events("night" BOOTED BOOTED BOOTED BOOTED BOOTED BOOTED " done");
	lab_expect_results(3);
}

Test(lab, power_cut_after_the_night_began)
{
	lab_expect_survives_cut("nightly: night ", "night", 0);
}

Test(lab, power_cut_after_an_intent)
{
	lab_expect_survives_cut("nightly: intent 1", "intent", 1);
}

Test(lab, power_cut_after_a_measurement)
{
	lab_expect_survives_cut("nightly: measured 1", "measured", 0);
}

Test(lab, power_cut_after_the_last_measurement)
{
	lab_expect_survives_cut("nightly: measured 2", "all measured", 0);
}

Test(lab, power_cut_after_the_night_was_done)
{
	lab_expect_survives_cut("nightly: done", "done", 0);
}

/* An arm that fails twice ends the night: one arm alone decides nothing. */
static void expect_skipped_on_disk(const char *reason)
{
	char *is, *text;

	lab_run(NULL);
	is = lab_events();
	text = lab_read("/night/journal");
	cr_expect_eq(lab_count(is, "failed"), 2, "%s", is);
	cr_expect_eq(lab_count(is, "done"), 1, "%s", is);
	cr_expect_eq(lab_count(text, reason), 2, "%s", text);
	free(text);
	free(is);
	lab_expect_results(0);
}

static void expect_skipped(const char *state, const char *fault, const char *reason)
{
	lab_note_fault(state, fault);
	lab_make_disk();
	expect_skipped_on_disk(reason);
}

Test(lab, a_kernel_that_panics)
{
	lab_put("night/images/tonight/cmdline", "rdinit=/nothing root=/dev/nothing\n");
	expect_skipped("intent", "panic", "came back and had not arrived");
}

Test(lab, a_kernel_that_hangs_at_boot)
{
	lab_silence_ms = HANG_MS;
	/* It does not find the disk, and waits for it. */
	lab_put("night/images/tonight/cmdline",
		"rdinit=/nothing root=/dev/nothing rootwait\n");
	expect_skipped("intent", "hang at boot", "came back and had not arrived");
}

Test(lab, a_measurement_that_hangs)
{
	lab_put_machine("lab.machine", "blocks = 1\nsuite = hang\ndeadline = 5s\n");
	expect_skipped("arrived", "hang of a measurement", "not measured within 5 s");
}

Test(lab, a_sysctl_that_is_not_there)
{
	lab_put("night/images/tonight/sysctl", "vm.nothing=1\n");
	expect_skipped("arrived", "no such sysctl", "sysctl vm.nothing");
}

Test(lab, another_release_than_was_meant)
{
	lab_put("night/images/tonight/release", "-shootdown-00000000\n");
	expect_skipped("intent", "wrong release",
		"and one that ends in -shootdown-00000000 was meant");
}

Test(lab, an_image_that_is_none)
{
	lab_put("night/images/tonight/image", "not a kernel");
	expect_skipped("intent", "no image", "kexec_file_load");
}

Test(lab, a_journal_with_a_torn_end)
{
	char *is, *line = logbook_format(
			  1, (uint64_t)time(NULL), "night", "2026-11-30 7 1 4 3600");
	char *torn = mem_format("%s0badf00d 2 17960", line);

	lab_note_fault("night", "torn journal");
	lab_put("night/journal", torn);
	lab_put_machine("night/machine", "name = lab\n" SUITE "blocks = 1\n");
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
	lab_note_fault("measured", "clock set back");
	lab_make_disk();
	cr_expect(lab_run("nightly: measured 1"));
	lab_clock = "2001-01-01";
	lab_run(NULL);
	lab_expect_events("night" BOOTED BOOTED " done");
	lab_expect_results(1);
}

Test(lab, results_that_cannot_be_written)
{
	char *text;

	lab_note_fault("all measured", "no results folder");
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

/* Of what the suite of a boot measured there is no room for the result. */
Test(lab, a_full_disk)
{
	lab_note_fault("arrived", "full disk");
	lab_make_disk();
	lab_fill_disk(6);
	expect_skipped_on_disk("shootdown run: ");
}

Test(lab, a_full_disk_at_the_beginning)
{
	char *journal;

	lab_note_fault("nothing", "full disk");
	lab_make_disk();
	lab_fill_disk(0);
	lab_run(NULL);
	cr_expect(lab_said("No space left on device"));
	journal = lab_read("/night/journal");
	cr_expect_str_eq(journal, "");
	free(journal);
	lab_expect_results(0);
}

/* As expect_skipped(), and it was the watchdog that took the kernel away. */
static void expect_barked(const char *state, const char *fault)
{
	lab_put_machine("lab.machine", SUITE WATCHED "blocks = 1\n");
	expect_skipped(state, fault, "came back and had not arrived");
	cr_expect_eq(lab_resets, 0);
}

Test(lab, a_watchdog_and_a_kernel_that_hangs_at_boot)
{
	lab_put("night/images/tonight/cmdline",
		"rdinit=/nothing root=/dev/nothing rootwait\n");
	expect_barked("intent", "hang at boot, watchdog");
}

/* Too little memory to get as far as a driver, and then it stands still. */
Test(lab, a_watchdog_and_a_kernel_that_hangs_before_its_driver)
{
	lab_put("night/images/tonight/cmdline", "mem=40M panic=0\n");
	expect_barked("intent", "hang before drivers, watchdog");
}

Test(lab, a_watchdog_and_a_userspace_that_hangs)
{
	lab_hang_in_userspace("tonight");
	expect_barked("intent", "hang in userspace, watchdog");
}

/* It is pinged, so that the deadline alone ends the measurement. */
Test(lab, a_watchdog_that_lets_a_long_measurement_be)
{
	lab_put_machine(
		"lab.machine", WATCHED "blocks = 1\nsuite = hang\ndeadline = 75s\n");
	expect_skipped(
		"arrived", "hang of a measurement, watchdog", "not measured within 75 s");
	cr_expect_eq(lab_resets, 0);
}

Test(lab, a_userspace_that_hangs)
{
	lab_silence_ms = HANG_MS;
	lab_hang_in_userspace("tonight");
	expect_skipped("intent", "hang in userspace", "came back and had not arrived");
}
