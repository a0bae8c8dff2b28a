// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boots/job.h"

static const char example[] = "shootdown-job 1\n"
			      "sysctl kernel.randomize_va_space 0\n"
			      "step nobatch\n"
			      "deadline_ms 60000\n"
			      "sysctl vm.batched_unmap_tlb_flush 0\n"
			      "arg /bin/shootdown\n"
			      "arg run\n"
			      "arg swap:size=1M threads = 1\n"
			      "send /run/result.json\n"
			      "step quiet\n"
			      "deadline_ms 5\n"
			      "arg /bin/true\n";

Test(job, reads_steps_in_order)
{
	struct job job;
	struct err err;

	cr_assert_eq(job_parse(example, &job, &err), 0, "%s", err.text);
	cr_assert_eq(job.sysctls.count, 1);
	cr_assert_str_eq(job.sysctls.items[0].name, "kernel.randomize_va_space");
	cr_assert_eq(job.n_steps, 2);
	cr_assert_str_eq(job.steps[0].name, "nobatch");
	cr_assert_eq(job.steps[0].deadline_ms, 60000);
	cr_assert_str_eq(job.steps[0].sysctls.items[0].value, "0");
	cr_assert_eq(job.steps[0].argc, 3);
	cr_assert_str_eq(job.steps[0].argv[2], "swap:size=1M threads = 1");
	cr_assert_null(job.steps[0].argv[3]);
	cr_assert_str_eq(job.steps[0].send, "/run/result.json");
	cr_assert_eq(job.steps[1].sysctls.count, 0);
	cr_assert_null(job.steps[1].send);
	job_clear(&job);
}

Test(job, writes_what_it_reads)
{
	struct job job;
	char *text;

	cr_assert_eq(job_parse(example, &job, NULL), 0);
	cr_assert_eq(job_format(&job, 1, &text, NULL), 0);
	cr_assert_str_eq(text, example);
	free(text);
	cr_assert_eq(job_format(&job, 6, &text, NULL), 0);
	cr_assert(strstr(text, "deadline_ms 360000\n"));
	cr_assert(strstr(text, "deadline_ms 30\n"));
	free(text);
	job_clear(&job);
}

Test(job, may_have_no_step)
{
	struct job job;

	cr_assert_eq(job_parse("# nothing\n\nshootdown-job 1", &job, NULL), 0);
	cr_assert_eq(job.n_steps, 0);
	job_clear(&job);
}

Test(job, names_the_line_that_is_wrong)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "empty" },
		{ "# only\n", "empty" },
		{ "shootdown-job 2\n", "line 1" },
		{ "shootdown-job 1\narg /bin/true\n", "line 2" },
		{ "shootdown-job 1\nsysctl vm.x\n", "line 2" },
		{ "shootdown-job 1\nsysctl ../../x 1\n", "line 2" },
		{ "shootdown-job 1\nsysctl /etc/passwd 1\n", "line 2" },
		{ "shootdown-job 1\n\nsysctl  1\n", "line 3" },
		{ "shootdown-job 1\nnothing known\n", "line 2" },
		{ "shootdown-job 1\nstep\n", "line 2" },
		{ "shootdown-job 1\nstep \n", "line 2" },
		{ "shootdown-job 1\nstep a\ndeadline_ms 0\n", "line 3" },
		{ "shootdown-job 1\nstep a\ndeadline_ms -1\n", "line 3" },
		{ "shootdown-job 1\nstep a\ndeadline_ms 1s\n", "line 3" },
		{ "shootdown-job 1\nstep a\ndeadline_ms 99999999999999999999\n", "line 3" },
		{ "shootdown-job 1\nstep a\ndeadline_ms 1\n", "last step" },
		{ "shootdown-job 1\nstep a\narg x\n", "last step" },
		{ "shootdown-job 1\nstep a\ndeadline_ms 1\nstep b\n", "line 4" },
		{ "shootdown-job 1\nstep a\nsend a\nsend b\n", "line 4" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct job job;
		struct err err;

		cr_assert_eq(
			job_parse(cases[i].text, &job, &err), -EINVAL, "%s", cases[i].text);
		cr_assert(
			strstr(err.text, cases[i].says), "%s: %s", cases[i].text, err.text);
	}
}

Test(job, is_not_written_where_it_would_come_back_as_another)
{
	static const char *const words[] = { "a\narg b", "a\n", "\n" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct job job = { 0 };
		char *text;

		job_add_arg(job_add_step(&job, "step", 1), words[i]);
		cr_assert_eq(job_format(&job, 1, &text, NULL), -EINVAL);
		job_clear(&job);
	}
}

Test(job, finds_the_file_of_a_sysctl)
{
	static const struct {
		const char *name, *path;
	} cases[] = {
		{ "vm.swappiness", "/proc/sys/vm/swappiness" },
		{ "net/ipv4/conf/eth0.1/mtu", "/proc/sys/net/ipv4/conf/eth0.1/mtu" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *path = job_sysctl_path(cases[i].name);

		cr_assert_str_eq(path, cases[i].path);
		free(path);
	}
}
