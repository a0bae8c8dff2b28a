// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the harness costs: a bare loop and `shootdown run` in turn in a guest. Its
 * one CPU is counted, and so lives in a time made of its instructions (qemu.c):
 * the ratio is one of instructions, kernel and user, and hardly varies, where the
 * time of a machine does. It has two nodes, which the machine at hand may not have.
 * Environment as in test-boot-faults.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boots/disk.h"
#include "boots/guest.h"
#include "boots/layers.h"
#include "tests/guest/scratch.h"
#include "verdicts/record.h"

#define PAIRS 4
#define HARNESS_MOST 1.02

struct contest {
	const char *bare[8], *workload, *samples;
};

static void add_bare(struct job_step *step, const struct contest *c)
{
	for (size_t i = 0; c->bare[i]; i++)
		job_add_arg(step, c->bare[i]);
	step->send = mem_text("/run/step.log");
}

static void add_harness(struct job_step *step, const struct contest *c)
{
	const char *const words[] = { "/bin/shootdown", "run", c->workload, "--samples",
		c->samples, "--warmup=1", "--no-trace", "--no-profile", "-o",
		"/run/result.json" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		job_add_arg(step, words[i]);
	step->send = mem_text("/run/result.json");
}

/* AB BA AB ... */
static void add_pairs(struct job *job, const struct contest *c)
{
	for (int i = 0; i < 2 * PAIRS; i++) {
		const bool is_bare = (i + i / 2) % 2 == 0;
		char *name = mem_format("%s-%d", is_bare ? "bare" : "harness", i);

		(is_bare ? add_bare : add_harness)(job_add_step(job, name, 120000), c);
		free(name);
	}
}

static bool is_of_bare(const struct channel_file *file)
{
	return strncmp(file->name, "bare-", strlen("bare-")) == 0;
}

static int rising(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(values[0]), rising);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double ns_per_page(const struct channel_file *file)
{
	struct record *r;
	struct err err = { "" };
	const struct metric *m;
	double values[100], middle;

	if (is_of_bare(file))
		return atof(file->data);
	cr_assert_eq(record_parse(file->name, file->data, file->bytes, &r, &err), 0, "%s",
		err.text);
	cr_assert_eq(r->runs[0].status, RUN_OK, "%s", r->runs[0].reason);
	m = run_find_metric(&r->runs[0], "ns_per_page");
	cr_assert_leq(r->runs[0].n_samples, 100);
	for (size_t i = 0; i < r->runs[0].n_samples; i++)
		values[i] = record_value(&r->runs[0], m, i);
	middle = median(values, r->runs[0].n_samples);
	record_free(r);
	return middle;
}

/* A pair is two files in a row, in either order. */
static double median_ratio(const struct channel *c)
{
	double ratios[PAIRS];

	cr_assert_eq(c->n_files, 2 * PAIRS);
	for (size_t i = 0; i < PAIRS; i++) {
		const struct channel_file *one = &c->files[2 * i], *two = one + 1;
		const bool bare_first = is_of_bare(one);

		ratios[i] = bare_first ? ns_per_page(two) / ns_per_page(one)
				       : ns_per_page(one) / ns_per_page(two);
		printf("%s %.4f\n", bare_first ? "AB" : "BA", ratios[i]);
	}
	return median(ratios, PAIRS);
}

static void compare(const struct contest *c, const char *bare)
{
	const char *built = getenv("O") ? getenv("O") : "build", *kernel = getenv("KERNEL");
	const char *const programs[] = { mem_format("%s/shootdown", built),
		mem_format("%s/tests/overhead/%s", built, bare), NULL };
	const char *const no_files[] = { NULL };
	struct job job = { 0 };
	struct guest_outcome o;
	struct err err = { "" };
	struct guest_config config = {
		.arch = "x86_64",
		.accel = ACCEL_TCG,
		.cpus = 1,
		.nodes = 2,
		.memory_bytes = (uint64_t)512 << 20,
		.kernel = kernel,
		.job = &job,
		.words = "",
		.run_id = "run-1",
		.plugin = mem_format("%s/counting.so", built),
		.folder = scratch,
		.base_layer = mem_format("%s/base.img", scratch),
		.disk = mem_format("%s/disk.img", scratch),
	};
	double ratio;

	if (!kernel)
		cr_skip_test("KERNEL names no image");
	cr_assert_eq(guest_write_base(config.base_layer, mem_format("%s/guest-init", built),
			     programs, "", &err),
		0, "%s", err.text);
	cr_assert_eq(disk_make(config.disk,
			     &(struct disk_plan){ (uint64_t)256 << 20, no_files }, &err),
		0, "%s", err.text);
	add_pairs(&job, c);
	cr_assert_eq(guest_boot(&config, &o, &err), 0, "%s", err.text);
	cr_assert_eq(o.result, GUEST_OK, "%s in %s: %s\n%s\n%s",
		guest_result_name(o.result), guest_phase_name(o.phase), o.reason,
		o.channel.log ? o.channel.log : "", o.console_tail);
	ratio = median_ratio(&o.channel);
	printf("%s: harness / %s, median of %d pairs: %.4f\n", c->workload, bare, PAIRS,
		ratio);
	cr_assert_leq(ratio, HARNESS_MOST);
	guest_outcome_clear(&o);
	job_clear(&job);
}

TestSuite(overhead, .init = scratch_make, .fini = scratch_remove, .timeout = 400);

Test(overhead, of_migrate)
{
	compare(&(struct contest){ .bare = { "/bin/bare-migrate", "1048576", "20", "0" },
			.workload = "migrate:size=1M,iterations=20,cpu=0",
			.samples = "1" },
		"bare-migrate");
}

/* Models of twice the limit: of each page that is read another is reclaimed. */
Test(overhead, of_readers)
{
	compare(&(struct contest){ .bare = { "/bin/bare-readers", "16777216", "16777216",
					   "2", "3", "2", "3" },
			.workload = "readers:size=16M,limit=16M,processes=2,threads=3,"
				    "tokens=2,iterations=1",
			.samples = "3" },
		"bare-readers");
}
