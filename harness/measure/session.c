// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/cpu_nodes.h"
#include "measure/environment.h"
#include "measure/profile.h"
#include "measure/session_parts.h"
#include "measure/suite.h"
#include "measure/tlbtrace.h"

/* Beside the timed samples, so many whose flushes are traced, and a profile as long. */
#define TRACED_SAMPLES 3u
/* The hits of a longer one do not fit into their buffer. */
#define PROFILE_MAX_NS 4000000000u

const struct session_options session_preset = {
	.n_samples = 10,
	.n_warmup = 1,
	.budget_ns = 5000000000,
};

static bool same_spec(const struct spec *a, const struct spec *b)
{
	if (a->workload != b->workload || a->iterations != b->iterations ||
		a->cpu != b->cpu)
		return false;
	for (size_t i = 0; a->workload->params[i].name; i++)
		if (a->values[i] != b->values[i] ||
			(a->texts[i] && strcmp(a->texts[i], b->texts[i]) != 0))
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
	s->nodes = cpu_nodes_read("", &s->online);
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
	free(s->folded);
	free(s->perf_data);
	cpulist_clear(&s->online);
	free(s->nodes);
	topology_close(s->topology);
	free(s);
}

/* 0: there is no such pass. */
static unsigned int pass_samples(const struct session *s, enum window_pass pass)
{
	const unsigned int n = s->options.n_samples;

	switch (pass) {
	case PASS_TRACED:
		if (s->plan.window.no_trace || s->options.no_trace)
			return 0;
		return n < TRACED_SAMPLES ? n : TRACED_SAMPLES;
	case PASS_PROFILED:
		return !s->plan.window.no_profile && !s->options.no_profile;
	default:
		return n;
	}
}

/* A profile is found after enough trials to be warm. */
static unsigned int pass_warmup(const struct session *s, enum window_pass pass)
{
	return pass == PASS_PROFILED ? 0 : s->options.n_warmup;
}

static uint64_t pass_budget_ns(const struct session *s, enum window_pass pass)
{
	const uint64_t share_ns = s->options.budget_ns / s->options.n_samples;
	uint64_t ns;

	if (pass == PASS_TIMED)
		return s->options.budget_ns;
	if (pass == PASS_TRACED)
		return share_ns * pass_samples(s, pass);
	ns = share_ns * (s->options.n_samples < TRACED_SAMPLES ? s->options.n_samples
							       : TRACED_SAMPLES);
	return ns < PROFILE_MAX_NS ? ns : PROFILE_MAX_NS;
}

void session_cost(const struct session *s, struct session_cost *ret)
{
	struct session_cost cost = { .n_workloads = s->n_specs };

	session_needs(s, &cost.memory_bytes, &cost.swap_bytes);
	for (size_t i = 0; i < s->n_specs; i++) {
		if (s->specs[i].iterations) {
			cost.n_endless++;
			continue;
		}
		for (unsigned int pass = 0; pass < WINDOW_PASSES; pass++)
			cost.time_ns += pass_samples(s, pass) ? pass_budget_ns(s, pass) : 0;
	}
	*ret = cost;
}

static void show_progress(void *arg, unsigned int n_done, unsigned int n_wanted)
{
	static const char *const words[WINDOW_PASSES] = { "", ", traced", ", profiled" };
	struct session *s = arg;
	unsigned int n_all = 0, n_before = 0;
	char *name, *what;

	if (!s->options.progress)
		return;
	for (unsigned int pass = 0; pass < WINDOW_PASSES; pass++) {
		const unsigned int n = pass_samples(s, pass);

		if (pass == s->plan.window.pass)
			n_before = n_all;
		n_all += n ? n + pass_warmup(s, pass) : 0;
	}
	name = spec_format(&s->specs[s->current]);
	what = mem_format("%s%s  sample %u of %u", name, words[s->plan.window.pass], n_done,
		n_wanted);
	s->options.progress(s->options.arg,
		((double)s->current + (double)(n_before + n_done) / n_all) /
			(double)s->n_specs,
		what);
	free(name);
	free(what);
}

static bool should_stop(void *arg)
{
	struct session *s = arg;

	return s->options.stop && s->options.stop(s->options.arg);
}

/* What this machine does not let us do, the results say. */
static void try_passes(struct session *s)
{
	const struct cpulist *cpus = s->options.whole_machine ? &s->online : NULL;
	struct tlbtrace *trace;
	struct profile *profile;
	struct err err;

	if (tlbtrace_open(&s->online, &trace, &err) == 0) {
		tlbtrace_close(trace);
	} else {
		snprintf(s->no_trace, sizeof(s->no_trace), "%.255s", err.text);
		s->plan.window.no_trace = s->no_trace;
	}
	if (s->options.no_profile)
		return;
	if (profile_open("", cpus, &profile, &err) == 0) {
		profile_close(profile);
	} else {
		snprintf(s->no_profile, sizeof(s->no_profile), "%.255s", err.text);
		s->plan.window.no_profile = s->no_profile;
	}
}

static void make_plan(struct session *s)
{
	s->plan.window = (struct window_plan){
		.root = "",
		.cpus = &s->online,
		.nodes = s->nodes,
		.whole_machine = s->options.whole_machine,
	};
	s->plan.topology = s->topology;
	s->plan.page_bytes = s->machine.page_bytes;
	s->plan.progress = show_progress;
	s->plan.stop = should_stop;
	s->plan.arg = s;
	if (getrandom(&s->plan.seed, sizeof(s->plan.seed), 0) < 0)
		s->plan.seed = (uint64_t)getpid();
	try_passes(s);
}

/* "DIR/swap:threads=1.data"; NULL where folder is. */
static char *name_file(const struct session *s, const char *folder, const char *end)
{
	char *spec = spec_format(&s->specs[s->current]);
	char *path = folder ? mem_format("%s/%s%s", folder, spec, end) : NULL;

	free(spec);
	return path;
}

/* Of the workload that is profiled next. */
static void name_files(struct session *s)
{
	free(s->perf_data);
	free(s->folded);
	s->perf_data = name_file(s, s->options.perf_data, ".data");
	s->folded = name_file(s, s->options.folded, ".folded");
	s->plan.window.perf_data = s->perf_data;
	s->plan.window.folded = s->folded;
}

/* The timed samples first; where they fail, the others would. */
static int measure_one(struct session *s, struct err *err)
{
	int ret = 0;

	for (unsigned int pass = 0; pass < WINDOW_PASSES && ret == 0; pass++) {
		s->plan.window.pass = pass;
		s->plan.n_samples = pass_samples(s, pass);
		s->plan.n_warmup = pass_warmup(s, pass);
		s->plan.budget_ns = pass_budget_ns(s, pass);
		if (s->plan.n_samples == 0)
			continue;
		name_files(s);
		ret = run_workload(&s->specs[s->current], &s->plan, s->record, err);
		if (s->record->runs[s->record->n_runs - 1].status != RUN_OK)
			break;
	}
	return ret;
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
	ret = session_change_machine(s, err);
	if (ret == 0)
		ret = measure_all(s, err);
	close_ret = machine_close(s->changes, &close_err);
	if (close_ret == 0 || (ret < 0 && ret != -EINTR))
		return ret;
	return err_set(err, close_ret, "%s", close_err.text);
}
