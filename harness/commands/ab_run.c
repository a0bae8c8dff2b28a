// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: builds, boots by the plan, reports. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/accel.h"
#include "boots/counting.h"
#include "boots/disk.h"
#include "boots/layers.h"
#include "commands/ab_parts.h"
#include "commands/ab_workloads.h"
#include "commands/interrupt.h"
#include "commands/progress.h"
#include "kernels/cache.h"
#include "measure/machine.h"

/* On top of its samples, a workload is set up, calibrated and profiled. */
#define WORKLOAD_MS 10000
#define STEP_MS 20000

/* The words of `shootdown run`; freed by the caller, and each of them. */
static struct words make_run_words(
	const struct ab_arguments *a, const struct ab_workloads *workloads)
{
	struct words w = { 0 };
	char *samples = mem_format("--samples=%u", a->n_samples);
	char *time =
		mem_format("--time=%llums", (unsigned long long)(a->time_ns / 1000000));

	words_add(&w, samples);
	words_add(&w, time);
	/* Calibration has warmed it up, and a sample may take seconds in an emulator. */
	words_add(&w, "--warmup=0");
	words_add(&w, "--no-trace");
	if (!a->profile)
		words_add(&w, "--no-profile");
	if (a->suite) {
		words_add(&w, "--suite");
		words_add(&w, a->suite);
	}
	for (size_t i = 0; i < workloads->words.count; i++)
		words_add(&w, workloads->words.items[i]);
	free(samples);
	free(time);
	return w;
}

/* Words as C likes them: ended by NULL. The list is the caller's, its words are not. */
static const char **as_list(const struct words *w)
{
	const char **list = mem_zeroed(w->count + 1, sizeof(*list));

	for (size_t i = 0; i < w->count; i++)
		list[i] = w->items[i];
	return list;
}

static char *joined(const struct words *w)
{
	char *text = mem_text("");

	for (size_t i = 0; i < w->count; i++) {
		char *longer = mem_format("%s%s%s", text, i ? " " : "", w->items[i]);

		free(text);
		text = longer;
	}
	return text;
}

/* Where each instruction is emulated anyway, those that flush are counted. */
static void choose_counting(
	const struct ab_arguments *a, struct experiment *x, char **ret_plugin)
{
	struct err why;

	if (x->guest.accel != ACCEL_TCG)
		return;
	if (counting_find(qemu_find_machine(x->guest.arch), ret_plugin, &why) < 0)
		fprintf(stderr, "shootdown %s: %s\n", a->command, why.text);
	x->guest.plugin = *ret_plugin;
}

/* For the callbacks of an experiment. */
struct display {
	struct progress progress;
	const struct ab_arguments *a;
};

static void show_starting(void *arg, const struct manifest *m, size_t i)
{
	const struct display *d = arg;

	progress_show(&d->progress, (double)i / (double)m->plan.n_boots,
		"%s%sboot %zu of %zu", d->a->what ? d->a->what : "", d->a->what ? ", " : "",
		i + 1, m->plan.n_boots);
}

static void show_ended(void *arg, const struct manifest *m, size_t i)
{
	const struct boot_entry *e = &m->entries[i];
	const struct display *d = arg;

	progress_clear(&d->progress);
	if (strcmp(e->result, guest_result_name(GUEST_OK)) != 0)
		fprintf(stderr, "shootdown %s: boot %u: %s in phase %s: %s\n",
			d->a->command, m->plan.boots[i].boot, e->result, e->phase,
			e->reason);
}

static int make_disk(
	const struct ab_workloads *workloads, const char *path, struct err *err)
{
	const char **files = as_list(&workloads->files);
	const struct disk_plan plan = { workloads->disk_bytes, files };
	const int ret = disk_make(path, &plan, err);

	free(files);
	return ret;
}

static int boot_all(const struct ab_arguments *a, const struct ab_workloads *workloads,
	struct experiment *x, struct manifest *m, struct err *err)
{
	struct display display = { .a = a };
	char *base_layer = mem_format("%s/base.img", x->folder), *plugin = NULL;
	char *disk = workloads->disk_bytes || workloads->files.count
			     ? mem_format("%s/disk.img", x->folder)
			     : NULL;
	int ret = ab_write_base_layer(a, base_layer, err);

	x->guest = (struct guest_config){
		.arch = a->arch->name,
		.cpu = a->cpu,
		.cpus = a->cpus,
		.nodes = a->nodes,
		.memory_bytes = a->memory_bytes,
		.base_layer = base_layer,
		.disk = disk,
		.keep = a->keep,
		.stop = &interrupted,
	};
	if (ret == 0 && disk)
		ret = make_disk(workloads, disk, err);
	if (ret == 0)
		ret = ab_choose_accel(a, x, err);
	if (ret == 0)
		choose_counting(a, x, &plugin);
	progress_start(&display.progress);
	x->starting = show_starting;
	x->ended = show_ended;
	/* cppcheck-suppress autoVariables ; taken away again below */
	x->arg = &display;
	if (ret == 0)
		ret = experiment_run(x, m, err);
	progress_clear(&display.progress);
	x->arg = NULL;
	if (ret == 0 && !a->keep)
		unlink(base_layer);
	/* It may be large, and is made again where boots are left to do. */
	if (disk && !a->keep)
		unlink(disk);
	free(disk);
	free(base_layer);
	free(plugin);
	return ret;
}

/* Only one measurement at a time on a machine: guests disturb each other. */
static int boot_locked(const struct ab_arguments *a, const struct ab_workloads *workloads,
	struct experiment *x, struct manifest *m, struct err *err)
{
	struct machine *lock;
	int ret = machine_open(MACHINE_RUN_DIR, &lock, err), close_ret;

	if (ret < 0)
		return ret;
	ret = boot_all(a, workloads, x, m, err);
	close_ret = machine_close(lock, NULL);
	return ret < 0 ? ret : close_ret;
}

static int run_experiment(const struct ab_arguments *a, const struct ab_kernels *k,
	const struct ab_workloads *workloads, struct manifest *m, struct err *err)
{
	struct words run_words = make_run_words(a, workloads);
	const char **run_list = as_list(&run_words), **sysctls[2];
	char *words[2];
	struct experiment x = { .folder = a->own_folder, .run_words = run_list };
	int ret = 0;

	x.step_ms = STEP_MS + workloads->count * (WORKLOAD_MS + 2 * a->time_ns / 1000000);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		sysctls[arm] = as_list(&k->variants[arm].sysctls);
		words[arm] = joined(&k->variants[arm].cmdline);
		x.arms[arm] = (struct experiment_arm){
			.kernel = k->images[arm].image,
			.system_map = k->images[arm].system_map,
			.words = words[arm],
			.sysctls = sysctls[arm],
		};
	}
	if (ret == 0 && manifest_n_done(m) < m->plan.n_boots)
		ret = boot_locked(a, workloads, &x, m, err);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		free(sysctls[arm]);
		free(words[arm]);
	}
	free(run_list);
	words_clear(&run_words);
	return ret;
}

int ab_measure(const struct ab_arguments *a, struct manifest *ret_manifest,
	struct record *ret_arms[2], struct err *err)
{
	struct manifest m = { 0 };
	struct ab_kernels k;
	struct ab_workloads workloads = { 0 };
	const struct words *least[2];
	int ret = ab_check_guest(a, err);

	if (ret == 0)
		ret = ab_look_at_workloads(a, &workloads, err);
	if (ret == 0)
		ret = ab_build(a, &k, err);
	if (ret < 0) {
		ab_workloads_clear(&workloads);
		return ret;
	}
	least[ARM_BASE] = &k.variants[ARM_BASE].least;
	least[ARM_CAND] = &k.variants[ARM_CAND].least;
	ret = ab_open_manifest(a, &k, &m, err);
	if (ret == 0)
		ret = run_experiment(a, &k, &workloads, &m, err);
	if (ret == 0)
		ret = experiment_collect(a->own_folder, &m, least, ret_arms, err);
	if (ret == 0)
		*ret_manifest = m;
	else
		manifest_clear(&m);
	ab_kernels_clear(&k);
	ab_workloads_clear(&workloads);
	return ret;
}

int ab_run(const struct ab_arguments *a, int *ret_code, struct err *err)
{
	struct record *arms[2];
	struct manifest m;
	const int ret = ab_measure(a, &m, arms, err);

	if (ret < 0)
		return ret;
	*ret_code = ab_report(a, &m, arms);
	record_free(arms[ARM_BASE]);
	record_free(arms[ARM_CAND]);
	manifest_clear(&m);
	return 0;
}
