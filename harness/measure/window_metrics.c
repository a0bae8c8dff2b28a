// SPDX-License-Identifier: GPL-2.0-or-later
/* Which metrics a window has on this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "counting/join.h"
#include "measure/environment.h"
#include "measure/window_parts.h"

/* The rows of /proc/interrupts by class. */
static const struct ipi {
	const char *name, *source;
} ipis[WINDOW_IPIS] = {
	[INTERRUPT_TLB] = { "tlb_shootdowns", "/proc/interrupts TLB" },
	[INTERRUPT_CALL] = { "call_ipis", "/proc/interrupts function calls" },
	[INTERRUPT_RESCHEDULE] = { "reschedule_ipis", "/proc/interrupts rescheduling" },
	[INTERRUPT_OTHER_IPI] = { "other_ipis", "/proc/interrupts other IPIs" },
};

const char *const window_vm_events[WINDOW_VM_EVENTS] = {
	"pswpin",
	"pswpout",
	"swpin_zero",
	"swpout_zero",
	"pgfault",
	"pgmajfault",
	"pgsteal_kswapd",
	"pgsteal_direct",
	"pgsteal_proactive",
	"pgsteal_file",
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
	/* Of kconfigs/patches/luf */
	"luf_deferred",
	"luf_give_up",
	"luf_flush_full",
	"luf_flush_memory",
	"luf_flush_write",
};

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

static const char *ipi_unavailable(const struct window *w, enum interrupt_class which)
{
	const struct reading *r = &w->before;
	int64_t *deltas;
	int ret;

	if (r->interrupts_status < 0)
		return "/proc/interrupts cannot be read";
	if (r->interrupts.n_cpus != w->cpus->count)
		return "/proc/interrupts does not list the online CPUs";
	if (which == INTERRUPT_TLB && environment_flushes_by_hypercall("", &r->interrupts))
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

void window_add_ipis(struct window *w, const struct bench *b, struct sheet *sheet)
{
	const char *reason = NULL;

	w->first_ipi = sheet->n_metrics;
	for (size_t i = 0; i < WINDOW_IPIS; i++) {
		struct sheet_metric *m =
			add_per_unit(sheet, b, ipis[i].name, "interrupts", ipis[i].source);

		reason = ipi_unavailable(w, (enum interrupt_class)i);
		m->better = BETTER_LOWER;
		m->by_cpu = (int)i;
		if (reason)
			say_unavailable(m, reason);
	}
}

void window_add_vm_events(struct window *w, const struct bench *b, struct sheet *sheet)
{
	w->first_vm = sheet->n_metrics;
	for (size_t i = 0; i < WINDOW_VM_EVENTS; i++) {
		char source[64];
		struct sheet_metric *m;
		uint64_t now;

		snprintf(source, sizeof(source), "/proc/vmstat %s", window_vm_events[i]);
		m = add_per_unit(sheet, b, window_vm_events[i], "events", source);
		if (w->before.vmstat_status < 0)
			say_unavailable(m, "/proc/vmstat cannot be read");
		else if (vmstat_find(&w->before.vmstat, window_vm_events[i], &now) < 0)
			say_unavailable(m, "this kernel does not count it");
	}
}

void window_add_times(struct window *w, const struct bench *b, struct sheet *sheet)
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
	sheet_add(sheet, "wall_ns", "ns", "clock_gettime CLOCK_MONOTONIC")->per_unit =
		false;
	for (size_t i = w->first_time; i < sheet->n_metrics - 1; i++)
		sheet->metrics[i].better = BETTER_LOWER;
}

void window_add_own(struct window *w, const struct bench *b, struct sheet *sheet)
{
	static const enum metric_better better[] = {
		[BENCH_LOWER] = BETTER_LOWER,
		[BENCH_HIGHER] = BETTER_HIGHER,
		[BENCH_NEITHER] = BETTER_NONE,
	};
	const struct bench_metric *own = b->workload->metrics;

	w->first_own = sheet->n_metrics;
	for (; own && own->name; own++) {
		struct sheet_metric *m =
			own->per_unit
				? add_per_unit(sheet, b, own->name, own->unit, own->source)
				: sheet_add(sheet, own->name, own->unit, own->source);

		m->per_unit = own->per_unit;
		m->better = better[own->better];
		m->exact = own->exact;
	}
}

void window_add_counters(struct window *w, const struct bench *b, struct sheet *sheet)
{
	w->first_counter = sheet->n_metrics;
	for (size_t i = 0; i < counters_count(w->counters); i++) {
		const struct counter_info info = counters_info(w->counters, i);
		struct sheet_metric *m =
			add_per_unit(sheet, b, info.name, info.unit, info.source);

		m->scaled = true;
		if (info.unavailable)
			say_unavailable(m, info.unavailable);
	}
}

void window_add_id(struct window *w, struct sheet *sheet)
{
	w->id_metric = sheet->n_metrics;
	sheet_add(sheet, WINDOW_ID_METRIC, "id", "clock_gettime CLOCK_MONOTONIC")
		->per_unit = false;
}

void window_add_reasons(struct window *w, const struct bench *b, struct sheet *sheet,
	const char *unavailable)
{
	w->first_reason = sheet->n_metrics;
	for (size_t i = 0; tlbtrace_kinds[i].metric; i++) {
		struct sheet_metric *m = add_per_unit(
			sheet, b, tlbtrace_kinds[i].metric, "flushes", tlbtrace_source);

		if (unavailable)
			say_unavailable(m, unavailable);
	}
}
