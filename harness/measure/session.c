// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/environment.h"
#include "measure/machine.h"
#include "measure/meminfo.h"
#include "measure/suite.h"
#include "measure/swaps.h"
#include "measure/tlbtrace.h"

#define TRACED_SAMPLES 3u
#define ZRAM_MIN_BYTES ((uint64_t)256 << 20)

struct session {
	struct session_options options;
	struct topology *topology;
	struct cpulist online;
	struct spec_machine machine;
	struct spec *specs;
	size_t n_specs, current;
	char **notes;
	size_t n_notes;
	struct machine *changes;
	struct record *record;
	struct run_plan plan;
	char no_swap[256], no_cgroup[256], no_trace[256];
	char *cgroup;
};

static bool same_spec(const struct spec *a, const struct spec *b)
{
	if (a->workload != b->workload || a->iterations != b->iterations ||
		a->cpu != b->cpu)
		return false;
	for (size_t i = 0; a->workload->params[i].name; i++)
		if (a->values[i] != b->values[i])
			return false;
	return true;
}

/* On a machine of 2 CPUs threads=1 and threads=max are the same. */
static void add_spec(struct session *s, struct spec *spec)
{
	for (size_t i = 0; i < s->n_specs; i++) {
		if (same_spec(&s->specs[i], spec)) {
			spec_clear(spec);
			return;
		}
	}
	s->specs = mem_resize(s->specs, s->n_specs + 1, sizeof(*s->specs));
	s->specs[s->n_specs++] = *spec;
}

int session_add(struct session *s, const char *text, struct err *err)
{
	struct spec spec;
	const int ret = spec_parse(text, &s->machine, &spec, err);

	if (ret == 0)
		add_spec(s, &spec);
	return ret;
}

static void add_note(struct session *s, const char *spec, const char *why)
{
	s->notes = mem_resize(s->notes, s->n_notes + 1, sizeof(*s->notes));
	s->notes[s->n_notes++] = mem_format("%s is left out here: %s", spec, why);
}

int session_add_suite(struct session *s, const char *name, struct err *err)
{
	struct suite suite;
	int ret = suite_read(name, &suite, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < suite.count && ret == 0; i++) {
		struct err why;

		ret = session_add(s, suite.specs[i], &why);
		if (ret == -ENODEV) {
			add_note(s, suite.specs[i], why.text);
			ret = 0;
		} else if (ret < 0) {
			err_set(err, ret, "suite %s: %.900s", name, why.text);
		}
	}
	suite_clear(&suite);
	return ret;
}

const char *const *session_notes(const struct session *s, size_t *ret_count)
{
	*ret_count = s->n_notes;
	return (const char *const *)s->notes;
}

static int look_at_machine(struct session *s, struct err *err)
{
	int ret = topology_open(&s->topology, err);

	if (ret < 0)
		return ret;
	s->machine.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	s->machine.cpus = *topology_cpus(s->topology);
	ret = cpulist_read("", "/sys/devices/system/cpu/online", &s->online);
	if (ret < 0)
		return err_set(err, ret,
			"/sys/devices/system/cpu/online: %s: is /sys mounted?",
			strerror(-ret));
	return 0;
}

int session_open(
	const struct session_options *options, struct session **ret, struct err *err)
{
	struct session *s = mem_zeroed(1, sizeof(*s));
	int status;

	s->options = *options;
	status = look_at_machine(s, err);
	if (status < 0) {
		session_close(s);
		return status;
	}
	*ret = s;
	return 0;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_specs; i++)
		spec_clear(&s->specs[i]);
	free(s->specs);
	for (size_t i = 0; i < s->n_notes; i++)
		free(s->notes[i]);
	free(s->notes);
	free(s->cgroup);
	cpulist_clear(&s->online);
	topology_close(s->topology);
	free(s);
}

/* The most that one workload needs, of memory and of swap. */
static void find_needs(const struct session *s, uint64_t *ret_memory, uint64_t *ret_swap)
{
	*ret_memory = *ret_swap = 0;
	for (size_t i = 0; i < s->n_specs; i++) {
		const uint64_t bytes = run_footprint(&s->specs[i], s->machine.page_bytes);

		if (bytes > *ret_memory)
			*ret_memory = bytes;
		if ((s->specs[i].workload->needs & NEED_SWAP) && bytes > *ret_swap)
			*ret_swap = bytes;
	}
}

static uint64_t free_swap_bytes(void)
{
	struct swaps swaps = { 0 };
	uint64_t free_bytes = 0;

	if (swaps_read("", &swaps, NULL) < 0)
		return 0;
	for (size_t i = 0; i < swaps.count; i++)
		free_bytes += swaps.areas[i].size_bytes - swaps.areas[i].used_bytes;
	swaps_clear(&swaps);
	return free_bytes;
}

/* Swap that is there is used as it is; none is ours to make, where we may. */
static int provide_swap(struct session *s, uint64_t swap_bytes, struct err *err)
{
	const uint64_t free_bytes = free_swap_bytes();
	char device[64];
	struct err why;
	int ret;

	if (swap_bytes == 0 || free_bytes >= swap_bytes)
		return 0;
	if (free_bytes > 0)
		return err_set(err, -ENOSPC,
			"swap has %llu MiB free, and a workload needs %llu: give a smaller size, "
			"or add swap",
			(unsigned long long)(free_bytes >> 20),
			(unsigned long long)(swap_bytes >> 20));
	swap_bytes *= 2;
	ret = machine_add_zram_swap(s->changes,
		swap_bytes > ZRAM_MIN_BYTES ? swap_bytes : ZRAM_MIN_BYTES, device, &why);
	if (ret < 0) {
		snprintf(s->no_swap, sizeof(s->no_swap),
			"no swap is active, and none can be made: %.180s", why.text);
		s->plan.no_swap = s->no_swap;
		s->plan.no_swap_fix =
			"run as root (a zram swap is then made and taken down "
			"again), or turn swap on";
	}
	return 0;
}

/* One for all workloads, which each leave it empty. */
static void provide_cgroup(struct session *s)
{
	struct err why;
	bool needed = false;

	for (size_t i = 0; i < s->n_specs; i++)
		needed |= (s->specs[i].workload->needs & NEED_CGROUP) != 0;
	if (!needed)
		return;
	if (machine_add_cgroup(s->changes, &s->cgroup, &s->plan.cgroup_version, &why) ==
		0) {
		s->plan.cgroup = s->cgroup;
		return;
	}
	snprintf(s->no_cgroup, sizeof(s->no_cgroup), "no memory cgroup can be made: %.200s",
		why.text);
	s->plan.no_cgroup = s->no_cgroup;
	s->plan.no_cgroup_fix = "run as root on a kernel with CONFIG_MEMCG, with a cgroup "
				"hierarchy mounted for writing";
}

static int check_memory(uint64_t memory_bytes, struct err *err)
{
	uint64_t available;

	if (meminfo_read("", "MemAvailable", &available) < 0 || memory_bytes <= available)
		return 0;
	return err_set(err, -ENOMEM,
		"a workload needs %llu MiB of memory, and %llu are available: give a smaller size",
		(unsigned long long)(memory_bytes >> 20),
		(unsigned long long)(available >> 20));
}

static int set_on_all_cpus(struct session *s, const char *value, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->online.count && ret == 0; i++) {
		char *path =
			mem_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
				s->online.ids[i]);

		ret = machine_set(s->changes, path, value, err);
		free(path);
	}
	return ret;
}

static int change_machine(struct session *s, struct err *err)
{
	uint64_t memory_bytes, swap_bytes;
	int ret;

	find_needs(s, &memory_bytes, &swap_bytes);
	ret = check_memory(memory_bytes, err);
	if (ret == 0)
		ret = provide_swap(s, swap_bytes, err);
	if (ret == 0)
		provide_cgroup(s);
	if (ret == 0 && s->options.governor)
		ret = set_on_all_cpus(s, s->options.governor, err);
	if (ret == 0 && s->options.thp)
		ret = machine_set(s->changes, "/sys/kernel/mm/transparent_hugepage/enabled",
			s->options.thp, err);
	return ret;
}

static unsigned int traced_samples(const struct session *s)
{
	return s->options.n_samples < TRACED_SAMPLES ? s->options.n_samples
						     : TRACED_SAMPLES;
}

static void show_progress(void *arg, unsigned int n_done, unsigned int n_wanted)
{
	struct session *s = arg;
	const bool traced = s->plan.window.traced;
	const unsigned int n_timed = s->options.n_warmup + s->options.n_samples;
	const unsigned int n_traced = s->plan.window.no_trace || s->options.no_trace
					      ? 0
					      : s->options.n_warmup + traced_samples(s);
	double done = n_done + (traced ? n_timed : 0);
	char *name, *what;

	if (!s->options.progress)
		return;
	done = (double)s->current + done / (n_timed + n_traced);
	name = spec_format(&s->specs[s->current]);
	what = mem_format(
		"%s%s  sample %u of %u", name, traced ? ", traced" : "", n_done, n_wanted);
	s->options.progress(s->options.arg, done / (double)s->n_specs, what);
	free(name);
	free(what);
}

static bool should_stop(void *arg)
{
	struct session *s = arg;

	return s->options.stop && s->options.stop(s->options.arg);
}

static void make_plan(struct session *s)
{
	struct tlbtrace *trace;
	struct err err;

	s->plan.window = (struct window_plan){ .root = "", .cpus = &s->online };
	s->plan.topology = s->topology;
	s->plan.page_bytes = s->machine.page_bytes;
	s->plan.n_warmup = s->options.n_warmup;
	s->plan.progress = show_progress;
	s->plan.stop = should_stop;
	s->plan.arg = s;
	if (getrandom(&s->plan.seed, sizeof(s->plan.seed), 0) < 0)
		s->plan.seed = (uint64_t)getpid();
	if (tlbtrace_open(&s->online, &trace, &err) == 0) {
		tlbtrace_close(trace);
		return;
	}
	snprintf(s->no_trace, sizeof(s->no_trace), "%.255s", err.text);
	s->plan.window.no_trace = s->no_trace;
}

/* The timed samples, then a few whose flushes are traced. */
static int measure_one(struct session *s, struct err *err)
{
	const struct spec *spec = &s->specs[s->current];
	const unsigned int n_traced = traced_samples(s);
	int ret;

	s->plan.window.traced = false;
	s->plan.n_samples = s->options.n_samples;
	s->plan.budget_ns = s->options.budget_ns;
	ret = run_workload(spec, &s->plan, s->record, err);
	if (ret < 0 || s->plan.window.no_trace || s->options.no_trace ||
		s->record->runs[s->record->n_runs - 1].status != RUN_OK)
		return ret;
	s->plan.window.traced = true;
	s->plan.n_samples = n_traced;
	s->plan.budget_ns = s->options.budget_ns / s->options.n_samples * n_traced;
	return run_workload(spec, &s->plan, s->record, err);
}

/* Under an emulator a nanosecond is not one: recorded, and never judged. */
static void mark_emulated(struct record *record)
{
	const struct field *f = fields_find(&record->identity, "accelerator");

	if (!f || !f->text || strcmp(f->text, "tcg") != 0)
		return;
	for (size_t i = 0; i < record->n_runs; i++)
		for (size_t m = 0; m < record->runs[i].n_metrics; m++)
			record->runs[i].metrics[m].emulated =
				strncmp(record->runs[i].metrics[m].unit, "ns", 2) == 0;
}

static int measure_all(struct session *s, struct err *err)
{
	int ret = environment_fill("", s->record, err);

	make_plan(s);
	for (s->current = 0; s->current < s->n_specs && ret == 0; s->current++)
		ret = measure_one(s, err);
	mark_emulated(s->record);
	s->record->complete = ret == 0;
	return ret;
}

int session_run(struct session *s, struct record *record, struct err *err)
{
	struct err close_err;
	int ret, close_ret;

	s->record = record;
	ret = machine_open(MACHINE_RUN_DIR, &s->changes, err);
	if (ret < 0)
		return ret;
	ret = change_machine(s, err);
	if (ret == 0)
		ret = measure_all(s, err);
	close_ret = machine_close(s->changes, &close_err);
	if (close_ret == 0 || (ret < 0 && ret != -EINTR))
		return ret;
	return err_set(err, close_ret, "%s", close_err.text);
}
