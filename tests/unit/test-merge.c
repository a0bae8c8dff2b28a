// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/merge.h"

/* A result of one boot: a run with two samples of each metric named. */
static struct record *boot_result(
	const char *cpu, enum run_status status, int64_t value, const char *const *metrics)
{
	struct record *r = record_new();
	struct run *run;

	fields_set_text(&r->identity, "cpu_model", cpu);
	r->complete = true;
	run = record_add_run(r, "swap", 1, "page");
	run->status = status;
	fields_set_number(&run->params, "threads", 1);
	if (status != RUN_OK) {
		run->reason = mem_text("proof failed");
		return r;
	}
	run->n_samples = 2;
	run->places = mem_zeroed(2, sizeof(*run->places));
	run->places[0].warmup = true;
	run->places[1].iteration = 1;
	run->work = mem_zeroed(2, sizeof(*run->work));
	run->work[0] = run->work[1] = 10;
	for (; *metrics; metrics++) {
		struct metric *m = run_add_metric(
			run, *metrics, "ns/page", "clock", BETTER_LOWER, KIND_SAMPLE);

		m->per_unit = true;
		m->values = mem_zeroed(2, sizeof(*m->values));
		m->values[0].integer = value;
		m->values[1].integer = value + 1;
	}
	return r;
}

static const char *const one[] = { "ns_per_page", NULL };
static const char *const two[] = { "ns_per_page", "other", NULL };

Test(merge, samples_keep_their_boot_and_block)
{
	struct record *all = record_new();
	struct record *a = boot_result("x", RUN_OK, 100, one);
	struct record *b = boot_result("x", RUN_OK, 200, one);

	cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
	cr_assert_eq(record_merge(all, b, 7, 2, NULL), 0);
	cr_assert_eq(all->n_runs, 1);
	cr_assert_eq(all->runs[0].n_samples, 4);
	cr_assert_eq(all->runs[0].places[1].boot, 1);
	cr_assert_eq(all->runs[0].places[2].boot, 2);
	cr_assert_eq(all->runs[0].places[2].block, 7);
	cr_assert(all->runs[0].places[2].warmup);
	cr_assert_eq(all->runs[0].metrics[0].values[3].integer, 201);
	cr_assert_float_eq(
		record_value(&all->runs[0], &all->runs[0].metrics[0], 2), 20, 1e-9);
	record_free(a);
	record_free(b);
	record_free(all);
}

Test(merge, what_one_boot_lacks_is_unavailable)
{
	struct record *all = record_new();
	struct record *a = boot_result("x", RUN_OK, 100, two);
	struct record *b = boot_result("x", RUN_OK, 200, one);

	cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
	cr_assert_eq(record_merge(all, b, 0, 2, NULL), 0);
	cr_assert_null(all->runs[0].metrics[0].unavailable);
	cr_assert_not_null(all->runs[0].metrics[1].unavailable);
	cr_assert_null(all->runs[0].metrics[1].values);
	record_free(a);
	record_free(b);
	record_free(all);
}

/* In a boot whose plugin did not see the function, it executed none. */
Test(merge, a_part_that_one_boot_lacks_is_0)
{
	static const char *const whole[] = { "tlbi_per_page", NULL };
	static const char *const parts[] = { "tlbi_per_page", "tlbi:f_per_page",
		"cr3:f_per_page", NULL };

	for (int later = 0; later < 2; later++) {
		struct record *all = record_new();
		struct record *a = boot_result("x", RUN_OK, 100, later ? whole : parts);
		struct record *b = boot_result("x", RUN_OK, 200, later ? parts : whole);
		const struct metric *m;

		cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
		cr_assert_eq(record_merge(all, b, 0, 2, NULL), 0);
		m = run_find_metric(&all->runs[0], "tlbi:f_per_page");
		cr_assert_not_null(m);
		cr_assert_null(m->unavailable);
		cr_assert_eq(m->values[1].integer, later ? 0 : 101);
		cr_assert_eq(m->values[3].integer, later ? 201 : 0);
		/* Of what is not known there is no part. */
		m = run_find_metric(&all->runs[0], "cr3:f_per_page");
		cr_assert(later ? !m : m->unavailable != NULL);
		record_free(a);
		record_free(b);
		record_free(all);
	}
}

Test(merge, a_boot_without_proof_gives_no_samples)
{
	struct record *all = record_new();
	struct record *a = boot_result("x", RUN_INVALID, 0, one);
	struct record *b = boot_result("x", RUN_OK, 200, one);

	cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
	cr_assert_eq(all->runs[0].status, RUN_INVALID);
	cr_assert_str_eq(all->runs[0].reason, "proof failed");
	cr_assert_eq(record_merge(all, b, 0, 2, NULL), 0);
	cr_assert_eq(all->runs[0].status, RUN_OK);
	cr_assert_eq(all->runs[0].n_samples, 2);
	record_free(a);
	record_free(b);
	record_free(all);
}

Test(merge, another_machine_is_refused)
{
	struct record *all = record_new();
	struct record *a = boot_result("x", RUN_OK, 100, one);
	struct record *b = boot_result("y", RUN_OK, 200, one);
	struct err err = { "" };

	cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
	cr_assert_eq(record_merge(all, b, 0, 2, &err), -ESTALE);
	cr_assert(strstr(err.text, "cpu_model"), "%s", err.text);
	cr_assert_eq(all->runs[0].n_samples, 2);
	record_free(a);
	record_free(b);
	record_free(all);
}

/* A sum for two CPUs, of which the second is of that node; -1: no node is known. */
static struct record *boot_by_cpu(int node)
{
	struct record *r = boot_result("x", RUN_OK, 0, one);
	struct metric *m = &r->runs[0].metrics[0];

	m->by_cpu = mem_zeroed(1, sizeof(*m->by_cpu));
	m->by_cpu->n_cpus = 2;
	m->by_cpu->cpus = mem_zeroed(2, sizeof(int));
	m->by_cpu->cpus[1] = 1;
	m->by_cpu->values = mem_zeroed(4, sizeof(int64_t));
	if (node >= 0) {
		m->by_cpu->nodes = mem_zeroed(2, sizeof(int));
		m->by_cpu->nodes[1] = node;
	}
	return r;
}

Test(merge, nodes_of_cpus_are_kept_where_each_boot_has_the_same)
{
	static const struct {
		int first, second;
		bool kept;
	} cases[] = { { 1, 1, true }, { 1, 2, false }, { 1, -1, false }, { -1, 1, false },
		{ -1, -1, false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *all = record_new();
		struct record *a = boot_by_cpu(cases[i].first);
		struct record *b = boot_by_cpu(cases[i].second);
		const struct by_cpu *by;

		cr_assert_eq(record_merge(all, a, 0, 1, NULL), 0);
		cr_assert_eq(record_merge(all, b, 0, 2, NULL), 0);
		by = all->runs[0].metrics[0].by_cpu;
		cr_assert_not_null(by, "case %zu", i);
		cr_expect_eq(by->n_cpus, 2);
		cr_expect_eq(by->nodes != NULL, cases[i].kept, "case %zu", i);
		if (cases[i].kept && by->nodes)
			cr_expect_eq(by->nodes[1], 1);
		record_free(a);
		record_free(b);
		record_free(all);
	}
}
