/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the window share: its readings, and which metrics they make. */
#ifndef MEASURE_WINDOW_PARTS_H
#define MEASURE_WINDOW_PARTS_H

#include <sys/resource.h>

#include "measure/clocks.h"
#include "measure/counters.h"
#include "measure/interrupts.h"
#include "measure/perf_record.h"
#include "measure/profile.h"
#include "measure/sampling.h"
#include "measure/surroundings.h"
#include "measure/tlbtrace.h"
#include "measure/vmstat.h"
#include "measure/window.h"

/* Classes of interrupts, each with a by-CPU table of its own. */
#define WINDOW_IPIS SHEET_BY_CPU_MAX

/* Event counters that tell whether, and how, the work was done. */
#define WINDOW_VM_EVENTS 25
extern const char *const window_vm_events[WINDOW_VM_EVENTS];

struct reading {
	struct interrupts interrupts;
	struct vmstat vmstat;
	struct surroundings around;
	int interrupts_status, vmstat_status, flushes_status;
	uint64_t flushes[TLBTRACE_KINDS_MAX];
	struct counter_value *counters;
	struct rusage usage;
	struct moment moment; /* of both clocks, around clock_ns */
	uint64_t clock_ns;
};

struct window {
	const char *root;
	const struct cpulist *cpus;
	struct sheet *sheet;
	struct counters *counters; /* NULL if not timed */
	struct tlbtrace *trace;    /* NULL if not traced */
	struct profile *profile;   /* NULL if not profiled */
	const char *folded;        /* of the plan */
	int folded_status;         /* of writing it: 0 or -errno */
	struct perf_record *perf;  /* NULL if there is no file for perf report */
	struct reading before, after;
	struct moment opened;
	/* Where each family starts in the sheet. */
	size_t first_vm, first_ipi, first_time, first_own, first_counter, first_reason,
		first_profile, first_around;
	int64_t stolen_ns, throttles, smis; /* of all samples so far */
	uint64_t wall_ns;                   /* likewise, times the CPUs */
	/*
	 * By it an emulator's plugin tells its counts of this window from others:
	 * the time at which it opened, which no other one of this boot has.
	 */
	uint64_t id;
	size_t id_metric;
};

/*
 * Each adds a family of metrics to the sheet, notes where it starts, and says
 * of each metric that this machine does not have why not. w->before holds a
 * first reading.
 */
void window_add_ipis(struct window *w, const struct bench *b, struct sheet *sheet);
void window_add_vm_events(struct window *w, const struct bench *b, struct sheet *sheet);
void window_add_times(struct window *w, const struct bench *b, struct sheet *sheet);
void window_add_own(struct window *w, const struct bench *b, struct sheet *sheet);
void window_add_counters(struct window *w, const struct bench *b, struct sheet *sheet);
void window_add_id(struct window *w, struct sheet *sheet);
void window_add_reasons(struct window *w, const struct bench *b, struct sheet *sheet,
	const char *unavailable);
void window_add_around(struct window *w, const struct bench *b, struct sheet *sheet);
void window_fill_around(struct window *w, struct sheet_slot *slot);
/* Of a timed window: the metrics that a profiled one would have. */
void window_add_profile(struct window *w, struct sheet *sheet, const char *unavailable);
void window_fill_profile(struct window *w, const struct bench *b, struct sheet_slot *slot);

#endif
