// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/window.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/common.h"
#include "bench/cycles.h"
#include "counting/mark.h"
#include "measure/window_parts.h"

const char *const window_pass_names[WINDOW_PASSES] = {
	[PASS_TIMED] = "timed",
	[PASS_TRACED] = "traced",
	[PASS_PROFILED] = "profiled",
};

static void take_slow(const struct window *w, struct reading *r)
{
	interrupts_clear(&r->interrupts);
	vmstat_clear(&r->vmstat);
	r->interrupts_status = interrupts_read(w->root, &r->interrupts, NULL);
	r->vmstat_status = vmstat_read(w->root, &r->vmstat, NULL);
	if (w->counters)
		surroundings_read(w->root, &r->around);
}

static void take_counters(const struct window *w, struct reading *r)
{
	for (size_t i = 0; w->counters && i < counters_count(w->counters); i++)
		if (!counters_info(w->counters, i).unavailable &&
			counters_read(w->counters, i, &r->counters[i]) < 0)
			/* No difference to it: counters_delta() refuses these times. */
			r->counters[i] = (struct counter_value){ .enabled_ns = UINT64_MAX };
	if (w->trace)
		r->flushes_status = tlbtrace_read(w->trace, r->flushes);
}

void window_begin(struct window *w, struct bench *b)
{
	take_slow(w, &w->before);
	take_counters(w, &w->before);
	memset(b->phase_ns, 0, sizeof(b->phase_ns));
	memset(b->metric, 0, sizeof(b->metric));
	w->before.moment = moment_now();
	w->id = bench_now_ns();
	mark_number(w->id);
	if (w->counters)
		counters_start(w->counters, w->sheet->n_done);
	if (w->perf)
		perf_record_enable(w->perf, true);
	if (w->profile)
		profile_start(w->profile);
	getrusage(RUSAGE_THREAD, &w->before.usage);
	MARK(MARK_OPEN);
	w->before.clock_ns = bench_now_ns();
}

void window_end(struct window *w)
{
	w->after.clock_ns = bench_now_ns();
	MARK(MARK_CLOSE);
	getrusage(RUSAGE_THREAD, &w->after.usage);
	if (w->counters)
		counters_stop();
	if (w->profile)
		profile_stop(w->profile);
	if (w->perf)
		perf_record_enable(w->perf, false);
	w->after.moment = moment_now();
	take_counters(w, &w->after);
	take_slow(w, &w->after);
}

uint64_t window_wall_ns(const struct window *w)
{
	return w->after.clock_ns - w->before.clock_ns;
}

int window_clock_step(const struct window *w, struct bench *b)
{
	const int64_t by = clocks_disagree(&w->opened, &w->before.moment, &w->after.moment);

	if (by == 0)
		return 0;
	return bench_fail(b, -EAGAIN,
		"CLOCK_MONOTONIC went %.1f ms %s within a sample of %.1f ms, by " CYCLES_SOURCE,
		fabs((double)by) / 1e6, by > 0 ? "too far" : "too little",
		(double)window_wall_ns(w) / 1e6);
}

int window_vmstat_delta(const struct bench *b, const char *name, uint64_t *ret_delta)
{
	const struct window *w = b->harness;

	if (w->before.vmstat_status < 0 || w->after.vmstat_status < 0)
		return -ENODATA;
	return vmstat_delta(&w->before.vmstat, &w->after.vmstat, name, ret_delta);
}

void window_alive(const struct bench *b)
{
	const struct window *w = b->harness;

	w->sheet->started_ns = bench_now_ns();
}

static int open_timed(struct window *w, const struct window_plan *plan,
	const struct bench *b, struct sheet *sheet)
{
	const int status = counters_open(w->root, sheet->n_samples, &w->counters);

	if (status < 0)
		return status;
	w->before.counters =
		mem_zeroed(counters_count(w->counters), sizeof(struct counter_value));
	w->after.counters =
		mem_zeroed(counters_count(w->counters), sizeof(struct counter_value));
	window_add_id(w, sheet);
	window_add_vm_events(w, b, sheet);
	window_add_ipis(w, b, sheet);
	window_add_times(w, b, sheet);
	window_add_own(w, b, sheet);
	window_add_counters(w, b, sheet);
	window_add_around(w, b, sheet);
	if (plan->no_trace)
		window_add_reasons(w, b, sheet, plan->no_trace);
	if (plan->no_profile)
		window_add_profile(w, sheet, plan->no_profile);
	return 0;
}

static int open_traced(struct window *w, const struct window_plan *plan,
	const struct bench *b, struct sheet *sheet)
{
	window_add_id(w, sheet);
	window_add_vm_events(w, b, sheet);
	window_add_reasons(w, b, sheet, NULL);
	return tlbtrace_open(plan->cpus, &w->trace, NULL);
}

static int open_profiled(struct window *w, const struct window_plan *plan, struct bench *b,
	struct sheet *sheet)
{
	const struct cpulist *cpus = plan->whole_machine ? plan->cpus : NULL;
	struct err err;
	int status = profile_open(plan->root, cpus, &w->profile, &err);

	if (status == 0 && plan->perf_data)
		status = perf_record_start(
			plan->perf_data, cpus ? 0 : gettid(), &w->perf, &err);
	if (status < 0)
		return bench_fail(b, status, "%.255s", err.text);
	w->folded = plan->folded;
	window_add_profile(w, sheet, NULL);
	return 0;
}

int window_open(const struct window_plan *plan, struct bench *b, struct sheet *sheet,
	struct window **ret)
{
	struct window *w = mem_zeroed(1, sizeof(*w));
	int status;

	w->root = plan->root;
	w->cpus = plan->cpus;
	w->sheet = sheet;
	w->opened = moment_now();
	take_slow(w, &w->before);
	switch (plan->pass) {
	case PASS_TRACED:
		status = open_traced(w, plan, b, sheet);
		break;
	case PASS_PROFILED:
		status = open_profiled(w, plan, b, sheet);
		break;
	default:
		status = open_timed(w, plan, b, sheet);
	}
	if (status < 0) {
		window_close(w);
		return status;
	}
	*ret = w;
	return 0;
}

static void clear_reading(struct reading *r)
{
	interrupts_clear(&r->interrupts);
	vmstat_clear(&r->vmstat);
	free(r->counters);
}

void window_close(struct window *w)
{
	if (!w)
		return;
	counters_close(w->counters);
	tlbtrace_close(w->trace);
	profile_close(w->profile);
	perf_record_end(w->perf);
	clear_reading(&w->before);
	clear_reading(&w->after);
	free(w);
}

static bool is_available(const struct window *w, size_t metric)
{
	return w->sheet->metrics[metric].unavailable[0] == '\0';
}

static void fill_ipis(const struct window *w, struct sheet_slot *slot)
{
	for (size_t i = 0; i < WINDOW_IPIS; i++) {
		int64_t *by_cpu = &slot->by_cpu[i * w->cpus->count], sum = 0;

		if (!is_available(w, w->first_ipi + i))
			continue;
		if (w->after.interrupts_status < 0 ||
			w->after.interrupts.n_cpus != w->cpus->count ||
			interrupts_delta(&w->before.interrupts, &w->after.interrupts,
				(enum interrupt_class)i, by_cpu) < 0) {
			slot->values[w->first_ipi + i].value = SHEET_NO_VALUE;
			continue;
		}
		for (size_t cpu = 0; cpu < w->cpus->count; cpu++)
			sum += by_cpu[cpu];
		slot->values[w->first_ipi + i].value = sum;
	}
}

static void fill_vm_events(
	const struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	for (size_t i = 0; i < WINDOW_VM_EVENTS; i++) {
		uint64_t delta;

		if (!is_available(w, w->first_vm + i))
			continue;
		slot->values[w->first_vm + i].value =
			window_vmstat_delta(b, window_vm_events[i], &delta) < 0
				? SHEET_NO_VALUE
				: (int64_t)delta;
	}
}

static int64_t timeval_ns(const struct timeval *before, const struct timeval *after)
{
	return (after->tv_sec - before->tv_sec) * 1000000000 +
	       (after->tv_usec - before->tv_usec) * 1000;
}

static void fill_times(
	const struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	struct sheet_value *to = &slot->values[w->first_time];
	const int64_t wall_ns = (int64_t)window_wall_ns(w);

	(to++)->value = wall_ns;
	(to++)->value = timeval_ns(&w->before.usage.ru_utime, &w->after.usage.ru_utime);
	(to++)->value = timeval_ns(&w->before.usage.ru_stime, &w->after.usage.ru_stime);
	for (size_t i = 0; b->workload->phases && b->workload->phases[i]; i++)
		(to++)->value = (int64_t)b->phase_ns[i];
	to->value = wall_ns;
}

/* A metric of which one sample has none is unavailable in the whole run. */
static void fill_own(const struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	const struct bench_metric *own = b->workload->metrics;

	for (size_t i = 0; own && own[i].name; i++) {
		struct sheet_metric *m = &w->sheet->metrics[w->first_own + i];

		slot->values[w->first_own + i].value = b->metric[i];
		if (b->no_metric[i][0])
			snprintf(m->unavailable, sizeof(m->unavailable), "%s",
				b->no_metric[i]);
	}
}

static void fill_counters(const struct window *w, struct sheet_slot *slot)
{
	for (size_t i = 0; i < counters_count(w->counters); i++) {
		struct counter_value delta = { 0 };
		struct sheet_value *to = &slot->values[w->first_counter + i];

		/* Of another group: no time running is no count in this sample. */
		if (!is_available(w, w->first_counter + i) ||
			!counters_is_on(w->counters, i, w->sheet->n_done))
			continue;
		if (counters_delta(&w->before.counters[i], &w->after.counters[i], &delta) <
			0)
			*to = (struct sheet_value){ .value = SHEET_NO_VALUE };
		else
			*to = (struct sheet_value){ (int64_t)delta.count, delta.enabled_ns,
				delta.running_ns };
	}
}

void window_fill(struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	if (w->profile) {
		window_fill_profile(w, b, slot);
		return;
	}
	slot->values[w->id_metric].value = (int64_t)w->id;
	fill_vm_events(w, b, slot);
	if (w->counters) {
		fill_ipis(w, slot);
		fill_times(w, b, slot);
		fill_own(w, b, slot);
		fill_counters(w, slot);
		window_fill_around(w, slot);
	}
	for (size_t i = 0; w->trace && tlbtrace_kinds[i].metric; i++)
		slot->values[w->first_reason + i].value =
			w->before.flushes_status < 0 || w->after.flushes_status < 0
				? SHEET_NO_VALUE
				: (int64_t)(w->after.flushes[i] - w->before.flushes[i]);
}
