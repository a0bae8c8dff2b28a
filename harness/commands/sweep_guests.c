// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown sweep: two variants in guests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/sweep_parts.h"
#include "verdicts/merge.h"

#define CPUS_MAX 512

static int report(
	const struct sweep_arguments *a, struct record *const arms[2], size_t n_failed)
{
	const int code = sweep_report(a, arms[ARM_BASE], arms[ARM_CAND]);

	/* What is missing weighs more than what the rest says. */
	return n_failed && code == EXIT_OK ? EXIT_NOTHING : code;
}

/* A parameter of a workload: one experiment, whose workloads are the points. */
static int sweep_param(const struct sweep_arguments *a, int *ret_code, struct err *err)
{
	struct ab_arguments ab = a->ab;
	struct record *arms[2];
	struct manifest m;
	int ret;

	/* A folder of its own goes on, and a finished one was set aside before. */
	ab.folder = ab.own_folder;
	ab.workloads = (struct words){ a->list.specs, a->list.count };
	ret = ab_measure(&ab, &m, arms, err);
	if (ret < 0)
		return ret;
	*ret_code = report(a, arms, ab_print_failures(&m));
	record_free(arms[ARM_BASE]);
	record_free(arms[ARM_CAND]);
	manifest_clear(&m);
	return 0;
}

static int parse_cpus(const char *text, unsigned int *ret, struct err *err)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || value < 1 || value > CPUS_MAX)
		return err_set(err, -EINVAL, "cpus=%s: give a number from 1 to %d", text,
			CPUS_MAX);
	*ret = (unsigned int)value;
	return 0;
}

/* Each point can be, before the first is measured. */
static int check_points(const struct sweep_arguments *a, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < a->list.count && ret == 0; i++) {
		struct ab_arguments ab = a->ab;

		ret = parse_cpus(a->list.values[i], &ab.cpus, err);
		if (ret == 0)
			ret = ab_complete(&ab, err);
	}
	return ret;
}

/* For points of which no boot ended well: they are in the table, with the reason. */
static void add_lost(struct record *arm, const char *workload, unsigned int cpus)
{
	char *name = mem_format("%.*s", (int)strcspn(workload, ":"), workload);
	struct run *run = record_add_run(arm, name, 0, "");

	run->status = RUN_FAILED;
	run->reason = mem_text("no boot ended well");
	fields_set_number(&run->params, "cpus", cpus);
	free(name);
}

/* One experiment, whose runs are put beside those of the points before. */
static int measure_point(const struct sweep_arguments *a, const char *value,
	struct record *arms[2], size_t *n_failed, struct err *err)
{
	struct ab_arguments ab = a->ab;
	struct record *point[2];
	struct manifest m;
	int ret = parse_cpus(value, &ab.cpus, err);

	if (ret == 0)
		ret = ab_complete(&ab, err);
	if (ret < 0)
		return ret;
	ab.own_folder = mem_format("%s/cpus-%s", a->ab.own_folder, value);
	ab.folder = ab.own_folder;
	ab.what = ab.own_folder + strlen(a->ab.own_folder) + 1;
	ab.again = value != a->list.values[0];
	ret = ab_measure(&ab, &m, point, err);
	for (int arm = ARM_BASE; arm <= ARM_CAND && ret == 0; arm++) {
		record_take_runs(arms[arm], point[arm], "cpus", ab.cpus);
		record_free(point[arm]);
	}
	if (ret == 0) {
		*n_failed += ab_print_failures(&m);
		manifest_clear(&m);
	}
	free(ab.own_folder);
	return ret;
}

static bool has_point(const struct record *arm, unsigned int cpus)
{
	for (size_t i = 0; i < arm->n_runs; i++) {
		const struct field *f = fields_find(&arm->runs[i].params, "cpus");

		if (f && f->number == cpus)
			return true;
	}
	return false;
}

static void add_lost_points(const struct sweep_arguments *a, struct record *const arms[2])
{
	for (size_t i = 0; i < a->list.count; i++) {
		unsigned int cpus = 0;

		parse_cpus(a->list.values[i], &cpus, NULL);
		if (has_point(arms[ARM_BASE], cpus) || has_point(arms[ARM_CAND], cpus))
			continue;
		add_lost(arms[ARM_BASE], a->ab.workloads.items[0], cpus);
		add_lost(arms[ARM_CAND], a->ab.workloads.items[0], cpus);
	}
}

/* The number of CPUs: an experiment for each. */
static int sweep_cpus(const struct sweep_arguments *a, int *ret_code, struct err *err)
{
	struct record *arms[2] = { record_new(), record_new() };
	size_t n_failed = 0;
	int ret = check_points(a, err);

	for (size_t i = 0; i < a->list.count && ret == 0; i++)
		ret = measure_point(a, a->list.values[i], arms, &n_failed, err);
	if (ret == 0) {
		add_lost_points(a, arms);
		*ret_code = report(a, arms, n_failed);
	}
	record_free(arms[ARM_BASE]);
	record_free(arms[ARM_CAND]);
	return ret;
}

int sweep_guests(const struct sweep_arguments *a, int *ret_code, struct err *err)
{
	return a->list.workload ? sweep_param(a, ret_code, err)
				: sweep_cpus(a, ret_code, err);
}
