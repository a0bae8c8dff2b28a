// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: which experiment a folder holds. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/ab_parts.h"

/* Everything that makes it this experiment and no other. */
static struct fields make_options(const struct ab_arguments *a, const struct ab_kernels *k)
{
	struct fields f = { 0 };
	char *what = mem_text(a->suite ? a->suite : "");

	for (size_t i = 0; i < a->workloads.count; i++) {
		char *longer = mem_format(
			"%s%s%s", what, what[0] ? " " : "", a->workloads.items[i]);

		free(what);
		what = longer;
	}
	fields_set_text(&f, "base", a->names[ARM_BASE]);
	fields_set_text(&f, "cand", a->names[ARM_CAND]);
	fields_set_text(&f, "base_kernel", k->plans[ARM_BASE].key);
	fields_set_text(&f, "cand_kernel", k->plans[ARM_CAND].key);
	fields_set_text(&f, "arch", a->arch->name);
	if (a->cpu)
		fields_set_text(&f, "cpu", a->cpu);
	fields_set_text(&f, "workloads", what);
	fields_set_number(&f, "boots", a->n_boots);
	fields_set_number(&f, "blocks", a->n_blocks);
	fields_set_number(&f, "samples", a->n_samples);
	fields_set_number(&f, "time_ms", (int64_t)(a->time_ns / 1000000));
	fields_set_number(&f, "cpus", a->cpus);
	fields_set_number(&f, "nodes", a->nodes);
	fields_set_number(&f, "memory_mib", (int64_t)(a->memory_bytes >> 20));
	if (a->profile)
		fields_set_text(&f, "profile", "yes");
	if (a->has_seed)
		fields_set_number(&f, "seed", (int64_t)a->seed);
	free(what);
	return f;
}

static uint64_t random_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)time(NULL);
	return seed >> 1; /* it is kept as a positive number of JSON */
}

int ab_set_aside(const char *folder, struct err *err)
{
	const time_t now = time(NULL);
	struct tm utc;
	char stamp[32], *aside;
	int ret = 0;

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	aside = mem_format("%s.before-%s", folder, stamp);
	if (rename(folder, aside) < 0)
		ret = err_set(err, -errno, "%s: %s", folder, strerror(errno));
	free(aside);
	return ret;
}

static void start_manifest(const struct ab_arguments *a, const struct ab_kernels *k,
	struct fields *options, struct manifest *ret)
{
	manifest_new(options, a->has_seed ? a->seed : random_seed(), k->one_image,
		a->n_boots, k->one_image ? a->n_blocks : 1, ret);
}

int ab_open_manifest(const struct ab_arguments *a, const struct ab_kernels *k,
	struct manifest *ret, struct err *err)
{
	struct fields options = make_options(a, k);
	int status = manifest_load(a->own_folder, ret, err);

	if (status == 0 && !a->folder && manifest_n_done(ret) == ret->plan.n_boots) {
		manifest_clear(ret);
		status = ab_set_aside(a->own_folder, err);
		if (status == 0)
			status = -ENOENT;
	} else if (status == 0) {
		status = manifest_check_options(ret, &options, a->own_folder, err);
		if (status < 0)
			manifest_clear(ret);
	}
	if (status == -ENOENT) {
		start_manifest(a, k, &options, ret);
		status = file_make_dirs(a->own_folder);
		if (status < 0) {
			manifest_clear(ret);
			err_set(err, status, "%s: %s: give another folder with -o",
				a->own_folder, strerror(-status));
		}
	}
	fields_clear(&options);
	return status;
}
