// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/window.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "counting/mark.h"
#include "measure/counters.h"
#include "measure/interrupts.h"
#include "measure/tlbtrace.h"
#include "measure/vmstat.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The rows of /proc/interrupts by class, each with a by-CPU table of its own. */
static const struct ipi {
	const char *name, *source;
} ipis[] = {
	[INTERRUPT_TLB] = { "tlb_shootdowns", "/proc/interrupts TLB" },
	[INTERRUPT_CALL] = { "call_ipis", "/proc/interrupts function calls" },
	[INTERRUPT_RESCHEDULE] = { "reschedule_ipis", "/proc/interrupts rescheduling" },
	[INTERRUPT_OTHER_IPI] = { "other_ipis", "/proc/interrupts other IPIs" },
};

/* Event counters that tell whether, and how, the work was done. */
static const char *const vm_events[] = {
	"pswpin",
	"pswpout",
	"swpin_zero",
	"swpout_zero",
	"pgfault",
	"pgmajfault",
	"pgsteal_kswapd",
	"pgsteal_direct",
	"pgsteal_proactive",
	"pgscan_kswapd",
	"pgscan_direct",
	"pgmigrate_success",
	"pgmigrate_fail",
	"workingset_refault_anon",
	"workingset_refault_file",
	"nr_tlb_remote_flush",
	"nr_tlb_remote_flush_received",
	"nr_tlb_local_flush_all",
	"nr_tlb_local_flush_one",
};

struct reading {
	struct interrupts interrupts;
	struct vmstat vmstat;
	int interrupts_status, vmstat_status;
	uint64_t flushes[TLBTRACE_REASONS];
	struct counter_value *counters;
	struct rusage usage;
	uint64_t clock_ns;
};

struct window {
	const char *root;
	const struct cpulist *cpus;
	const struct sheet *sheet;
	struct counters *counters; /* NULL in a traced window */
	struct tlbtrace *trace;    /* NULL in a timed one */
	struct reading before, after;
	/* Where each family starts in the sheet. */
	size_t first_vm, first_ipi, first_time, first_counter, first_reason;
	/*
	 * By it an emulator's plugin tells its counts of this window from others:
	 * the time at which it opened, which no other one of this boot has.
	 */
	uint64_t id;
	size_t id_metric;
};

static void take_slow(const struct window *w, struct reading *r)
{
	interrupts_clear(&r->interrupts);
	vmstat_clear(&r->vmstat);
	r->interrupts_status = interrupts_read(w->root, &r->interrupts, NULL);
	r->vmstat_status = vmstat_read(w->root, &r->vmstat, NULL);
}

static void take_counters(const struct window *w, struct reading *r)
{
	for (size_t i = 0; w->counters && i < counters_count(); i++)
		if (!counters_info(w->counters, i).unavailable &&
			counters_read(w->counters, i, &r->counters[i]) < 0)
			r->counters[i] = (struct counter_value){ 0 };
	if (w->trace && tlbtrace_read(w->trace, r->flushes) < 0)
		memset(r->flushes, 0, sizeof(r->flushes));
}

void window_begin(struct window *w, struct bench *b)
{
	take_slow(w, &w->before);
	take_counters(w, &w->before);
	memset(b->phase_ns, 0, sizeof(b->phase_ns));
	w->id = bench_now_ns();
	mark_number(w->id);
	if (w->counters)
		counters_start();
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
	take_counters(w, &w->after);
	take_slow(w, &w->after);
}

uint64_t window_wall_ns(const struct window *w)
{
	return w->after.clock_ns - w->before.clock_ns;
}

int window_vmstat_delta(const struct bench *b, const char *name, uint64_t *ret_delta)
{
	const struct window *w = b->harness;

	if (w->before.vmstat_status < 0 || w->after.vmstat_status < 0)
		return -ENODATA;
	return vmstat_delta(&w->before.vmstat, &w->after.vmstat, name, ret_delta);
}

/* NAME_per_UNIT, in WHAT/UNIT. */
static struct sheet_metric *add_per_unit(struct sheet *sheet, const struct bench *b,
	const char *name, const char *what, const char *source)
{
	char full[64], unit[32];

	snprintf(full, sizeof(full), "%s_per_%s", name, b->workload->unit);
	snprintf(unit, sizeof(unit), "%s/%s", what, b->workload->unit);
	return sheet_add(sheet, full, unit, source);
}

static void say_unavailable(struct sheet_metric *m, const char *reason)
{
	snprintf(m->unavailable, sizeof(m->unavailable), "%s", reason);
}

/* Hyper-V flushes by hypercall: its TLB row stays 0 whatever happens. */
static bool flushes_by_hypercall(const struct interrupts *in)
{
	bool hyperv = false;
	uint64_t shootdowns = 0;

	for (size_t i = 0; i < in->n_rows; i++) {
		const struct interrupt_row *row = &in->rows[i];

		hyperv |= strcmp(row->label, "HVS") == 0 || strcmp(row->label, "HRE") == 0;
		for (size_t c = 0; c < row->n_counts && strcmp(row->label, "TLB") == 0; c++)
			shootdowns += row->counts[c];
	}
	return hyperv && shootdowns == 0;
}

static const char *ipi_unavailable(const struct window *w, enum interrupt_class which)
{
	const struct reading *r = &w->before;
	int64_t *deltas;
	int ret;

	if (r->interrupts_status < 0)
		return "/proc/interrupts cannot be read";
	if (r->interrupts.n_cpus != w->cpus->count)
		return "/proc/interrupts does not list the online CPUs";
	if (which == INTERRUPT_TLB && flushes_by_hypercall(&r->interrupts))
		return "this hypervisor flushes by hypercall, which /proc/interrupts does not count";
	deltas = mem_zeroed(r->interrupts.n_cpus, sizeof(*deltas));
	ret = interrupts_delta(&r->interrupts, &r->interrupts, which, deltas);
	free(deltas);
	if (ret == 0)
		return NULL;
	return which == INTERRUPT_TLB
		? "/proc/interrupts has no TLB row: only x86 counts shootdowns"
		: "/proc/interrupts has no such row on this architecture";
}

static void add_ipis(struct window *w, const struct bench *b, struct sheet *sheet)
{
	const char *reason = NULL;

	w->first_ipi = sheet->n_metrics;
	for (size_t i = 0; i < COUNT(ipis); i++) {
		struct sheet_metric *m =
			add_per_unit(sheet, b, ipis[i].name, "interrupts", ipis[i].source);

		reason = ipi_unavailable(w, (enum interrupt_class)i);
		m->better = BETTER_LOWER;
		m->by_cpu = (int)i;
		if (reason)
			say_unavailable(m, reason);
	}
}

static void add_vm_events(struct window *w, const struct bench *b, struct sheet *sheet)
{
	w->first_vm = sheet->n_metrics;
	for (size_t i = 0; i < COUNT(vm_events); i++) {
		char source[64];
		struct sheet_metric *m;
		uint64_t now;

		snprintf(source, sizeof(source), "/proc/vmstat %s", vm_events[i]);
		m = add_per_unit(sheet, b, vm_events[i], "events", source);
		if (w->before.vmstat_status < 0)
			say_unavailable(m, "/proc/vmstat cannot be read");
		else if (vmstat_find(&w->before.vmstat, vm_events[i], &now) < 0)
			say_unavailable(m, "this kernel does not count it");
	}
}

static void add_times(struct window *w, const struct bench *b, struct sheet *sheet)
{
	const char *const *phases = b->workload->phases;
	char name[48];

	w->first_time = sheet->n_metrics;
	add_per_unit(sheet, b, "ns", "ns", "clock_gettime CLOCK_MONOTONIC");
	add_per_unit(sheet, b, "user_ns", "ns", "getrusage RUSAGE_THREAD");
	add_per_unit(sheet, b, "system_ns", "ns", "getrusage RUSAGE_THREAD");
	for (size_t i = 0; phases && phases[i]; i++) {
		snprintf(name, sizeof(name), "%s_ns", phases[i]);
		add_per_unit(sheet, b, name, "ns", "clock_gettime CLOCK_MONOTONIC");
	}
	sheet_add(sheet, "wall_ns", "ns", "clock_gettime CLOCK_MONOTONIC")->per_unit = false;
	for (size_t i = w->first_time; i < sheet->n_metrics - 1; i++)
		sheet->metrics[i].better = BETTER_LOWER;
}

static void add_counters(struct window *w, const struct bench *b, struct sheet *sheet)
{
	w->first_counter = sheet->n_metrics;
	for (size_t i = 0; i < counters_count(); i++) {
		const struct counter_info info = counters_info(w->counters, i);
		struct sheet_metric *m =
			add_per_unit(sheet, b, info.name, info.unit, "perf_event_open");

		m->scaled = true;
		if (info.unavailable)
			say_unavailable(m, info.unavailable);
	}
}

static void add_reasons(struct window *w, const struct bench *b, struct sheet *sheet,
	const char *unavailable)
{
	w->first_reason = sheet->n_metrics;
	for (size_t i = 0; tlbtrace_reasons[i]; i++) {
		char name[48];
		struct sheet_metric *m;

		snprintf(name, sizeof(name), "tlb_flush:%s", tlbtrace_reasons[i]);
		m = add_per_unit(sheet, b, name, "flushes", "tracepoint tlb:tlb_flush");
		if (unavailable)
			say_unavailable(m, unavailable);
	}
}

static void add_id(struct window *w, struct sheet *sheet)
{
	w->id_metric = sheet->n_metrics;
	sheet_add(sheet, WINDOW_ID_METRIC, "id", "clock_gettime CLOCK_MONOTONIC")->per_unit =
		false;
}

static int open_timed(struct window *w, const struct bench *b, struct sheet *sheet)
{
	const int status = counters_open(&w->counters);

	if (status < 0)
		return status;
	w->before.counters = mem_zeroed(counters_count(), sizeof(struct counter_value));
	w->after.counters = mem_zeroed(counters_count(), sizeof(struct counter_value));
	add_ipis(w, b, sheet);
	add_times(w, b, sheet);
	add_counters(w, b, sheet);
	return 0;
}

int window_open(const struct window_plan *plan, const struct bench *b, struct sheet *sheet,
	struct window **ret)
{
	struct window *w = mem_zeroed(1, sizeof(*w));
	int status;

	w->root = plan->root;
	w->cpus = plan->cpus;
	w->sheet = sheet;
	take_slow(w, &w->before);
	add_vm_events(w, b, sheet);
	if (plan->traced)
		status = tlbtrace_open(plan->cpus, &w->trace, NULL);
	else
		status = open_timed(w, b, sheet);
	if (status < 0) {
		window_close(w);
		return status;
	}
	add_id(w, sheet);
	if (plan->traced || plan->no_trace)
		add_reasons(w, b, sheet, plan->traced ? NULL : plan->no_trace);
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
	for (size_t i = 0; i < COUNT(ipis); i++) {
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

static void fill_vm_events(const struct window *w, const struct bench *b,
	struct sheet_slot *slot)
{
	for (size_t i = 0; i < COUNT(vm_events); i++) {
		uint64_t delta;

		if (!is_available(w, w->first_vm + i))
			continue;
		slot->values[w->first_vm + i].value =
			window_vmstat_delta(b, vm_events[i], &delta) < 0 ? SHEET_NO_VALUE
									 : (int64_t)delta;
	}
}

static int64_t timeval_ns(const struct timeval *before, const struct timeval *after)
{
	return (after->tv_sec - before->tv_sec) * 1000000000 +
		(after->tv_usec - before->tv_usec) * 1000;
}

static void fill_times(const struct window *w, const struct bench *b, struct sheet_slot *slot)
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

static void fill_counters(const struct window *w, struct sheet_slot *slot)
{
	for (size_t i = 0; i < counters_count(); i++) {
		const struct counter_value *before = &w->before.counters[i];
		const struct counter_value *after = &w->after.counters[i];
		struct sheet_value *to = &slot->values[w->first_counter + i];

		if (!is_available(w, w->first_counter + i))
			continue;
		*to = (struct sheet_value){
			.value = after->count - before->count,
			.enabled_ns = after->enabled_ns - before->enabled_ns,
			.running_ns = after->running_ns - before->running_ns,
		};
		if (to->running_ns == 0 || after->enabled_ns < before->enabled_ns)
			to->value = SHEET_NO_VALUE;
	}
}

void window_fill(const struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	fill_vm_events(w, b, slot);
	slot->values[w->id_metric].value = (int64_t)w->id;
	if (w->counters) {
		fill_ipis(w, slot);
		fill_times(w, b, slot);
		fill_counters(w, slot);
	}
	for (size_t i = 0; w->trace && i < TLBTRACE_REASONS; i++)
		slot->values[w->first_reason + i].value =
			(int64_t)(w->after.flushes[i] - w->before.flushes[i]);
}
