// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/experiment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/counting.h"
#include "boots/guest-paths.h"
#include "verdicts/least.h"
#include "verdicts/merge.h"

#define ATTEMPTS_MAX 3
#define GUEST_RESULT "/run/result.json"

static const char *const arm_names[] = { [ARM_BASE] = "base", [ARM_CAND] = "cand" };

static char *boot_folder(const char *folder, const struct plan_boot *boot)
{
	return mem_format("%s/boots/%03u", folder, boot->boot);
}

/* "base-3": what the step is called in the guest, and its result on the host. */
static char *step_name(const struct plan_step *step)
{
	return mem_format("%s-%u", arm_names[step->arm], step->block);
}

static void add_sysctls(struct job_step *step, const struct experiment_arm *arm)
{
	for (const char *const *word = arm->sysctls; *word; word++) {
		const char *equals = strchr(*word, '=');
		char *name = mem_format("%.*s", (int)(equals - *word), *word);

		job_add_sysctl(&step->sysctls, name, equals + 1);
		free(name);
	}
}

static void make_job(
	const struct experiment *x, const struct plan_boot *boot, struct job *ret)
{
	struct job job = { 0 };

	for (size_t i = 0; i < boot->n_steps; i++) {
		char *name = step_name(&boot->steps[i]);
		struct job_step *step = job_add_step(&job, name, x->step_ms);

		add_sysctls(step, &x->arms[boot->steps[i].arm]);
		job_add_arg(step, GUEST_BIN "/shootdown");
		job_add_arg(step, "run");
		for (const char *const *word = x->run_words; *word; word++)
			job_add_arg(step, *word);
		job_add_arg(step, "-o");
		job_add_arg(step, GUEST_RESULT);
		step->send = mem_text(GUEST_RESULT);
		free(name);
	}
	*ret = job;
}

static int save_files(const struct guest_outcome *o, const char *folder, struct err *err)
{
	for (size_t i = 0; i < o->channel.n_files; i++) {
		const struct channel_file *file = &o->channel.files[i];
		char *path = mem_format("%s/%s.json", folder, file->name);
		const int ret = file_replace(path, file->data, file->bytes);

		if (ret < 0)
			err_set(err, ret, "%s: %s", path, strerror(-ret));
		free(path);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_counts(const struct guest_outcome *o, const char *folder, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < o->channel.n_files && ret == 0; i++)
		ret = counting_add(folder, o->channel.files[i].name, err);
	return ret;
}

static void note(struct boot_entry *e, const struct guest_outcome *o)
{
	free(e->result);
	free(e->phase);
	free(e->reason);
	free(e->console_tail);
	e->result = mem_text(guest_result_name(o->result));
	e->phase = mem_text(guest_phase_name(o->phase));
	e->reason = mem_text(o->reason);
	e->console_tail = mem_text(o->console_tail);
	e->duration_ms = o->duration_ns / 1000000;
}

/* One attempt. A boot that the user stopped is as if it had never been. */
static int boot_once(const struct experiment *x, struct manifest *m, size_t i,
	const char *folder, enum guest_result *ret_result, struct err *err)
{
	const struct plan_boot *boot = &m->plan.boots[i];
	struct boot_entry *e = &m->entries[i];
	struct guest_config config = x->guest;
	struct guest_outcome o = { 0 };
	struct job job;
	char *run_id;
	int ret;

	make_job(x, boot, &job);
	run_id = mem_format(
		"%llx-%u-%u", (unsigned long long)m->seed, boot->boot, e->attempts + 1);
	config.job = &job;
	config.run_id = run_id;
	config.folder = folder;
	config.kernel = x->arms[boot->steps[0].arm].kernel;
	config.system_map = x->arms[boot->steps[0].arm].system_map;
	config.words = x->arms[boot->steps[0].arm].words;
	ret = guest_boot(&config, &o, err);
	if (ret == 0 && o.result == GUEST_INTERRUPTED)
		ret = -EINTR;
	if (ret == 0 && o.result == GUEST_OK)
		ret = save_files(&o, folder, err);
	if (ret == 0 && o.result == GUEST_OK && config.plugin)
		ret = add_counts(&o, folder, err);
	if (ret == 0) {
		e->attempts++;
		note(e, &o);
		*ret_result = o.result;
	}
	guest_outcome_clear(&o);
	job_clear(&job);
	free(run_id);
	return ret;
}

static int do_boot(
	const struct experiment *x, struct manifest *m, size_t i, struct err *err)
{
	char *folder = boot_folder(x->folder, &m->plan.boots[i]);
	enum guest_result result = GUEST_INFRASTRUCTURE;
	int ret = file_make_dirs(folder);

	if (ret < 0)
		err_set(err, ret, "%s: %s", folder, strerror(-ret));
	while (ret == 0 && result == GUEST_INFRASTRUCTURE &&
		m->entries[i].attempts < ATTEMPTS_MAX)
		ret = boot_once(x, m, i, folder, &result, err);
	free(folder);
	return ret;
}

int experiment_run(const struct experiment *x, struct manifest *m, struct err *err)
{
	int ret = manifest_save(m, x->folder, err);

	for (size_t i = 0; i < m->plan.n_boots && ret == 0; i++) {
		if (m->entries[i].result)
			continue;
		if (x->starting)
			x->starting(x->arg, m, i);
		ret = do_boot(x, m, i, err);
		if (ret == 0)
			ret = manifest_save(m, x->folder, err);
		if (ret == 0 && x->ended)
			x->ended(x->arg, m, i);
	}
	return ret;
}

static int collect_step(const char *folder, const struct plan_boot *boot,
	const struct plan_step *step, struct record *into, struct err *err)
{
	char *boots = boot_folder(folder, boot), *name = step_name(step);
	char *path = mem_format("%s/%s.json", boots, name);
	struct record *one;
	int ret = record_load(path, &one, err);

	if (ret == 0) {
		ret = record_merge(into, one, step->block, boot->boot, err);
		record_free(one);
	}
	free(path);
	free(name);
	free(boots);
	return ret;
}

static int save_arm(
	const char *folder, enum arm arm, const struct record *record, struct err *err)
{
	char *path = mem_format("%s/%s.json", folder, arm_names[arm]);
	const int ret = record_save(record, path, err);

	free(path);
	return ret;
}

int experiment_collect(const char *folder, const struct manifest *m,
	const struct words *const least[2], struct record *ret[2], struct err *err)
{
	struct record *arms[2] = { record_new(), record_new() };
	int status = 0;

	for (size_t i = 0; i < m->plan.n_boots; i++) {
		const struct plan_boot *boot = &m->plan.boots[i];
		const struct boot_entry *e = &m->entries[i];

		if (!e->result || strcmp(e->result, guest_result_name(GUEST_OK)) != 0)
			continue;
		for (size_t s = 0; s < boot->n_steps && status == 0; s++)
			status = collect_step(folder, boot, &boot->steps[s],
				arms[boot->steps[s].arm], err);
	}
	for (int arm = ARM_BASE; arm <= ARM_CAND && status == 0; arm++) {
		status = least_apply(arms[arm], least[arm]->items, least[arm]->count);
		if (status < 0)
			err_set(err, status, "%s: %s", folder, strerror(-status));
		else
			status = save_arm(folder, arm, arms[arm], err);
	}
	if (status < 0) {
		record_free(arms[ARM_BASE]);
		record_free(arms[ARM_CAND]);
		return status;
	}
	memcpy(ret, arms, sizeof(arms));
	return 0;
}
