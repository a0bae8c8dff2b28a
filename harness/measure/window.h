/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of one sample: everything that is read just before and just after
 * a workload's run(). Slow readings lie outside, the clock innermost.
 */
#ifndef MEASURE_WINDOW_H
#define MEASURE_WINDOW_H

#include <stdbool.h>

#include "bench/bench.h"
#include "measure/cpulist.h"
#include "measure/sheet.h"

enum window_pass { PASS_TIMED, PASS_TRACED, PASS_PROFILED };
#define WINDOW_PASSES 3
extern const char *const window_pass_names[WINDOW_PASSES]; /* "timed" */

struct window_plan {
	const char *root;           /* of /proc */
	const struct cpulist *cpus; /* online: the columns of the by-CPU tables */
	const int *nodes;           /* of each of cpus; NULL: not known */
	/*
	 * Samples are timed, or their flushes traced, or the CPU is looked at many
	 * times a second: the latter two cost time. What cannot be done, the timed
	 * samples say why.
	 */
	enum window_pass pass;
	const char *no_trace, *no_profile; /* the reason, or NULL */
	bool whole_machine;                /* profile all CPUs, not only the thread */
	const char *folded;    /* the profiled pass writes its call chains there; or NULL */
	const char *perf_data; /* the profiled pass keeps a file for perf report; or NULL */
};

struct window;

/* Adds the plan's metrics to the sheet. The plan must outlive the window. 0 or -errno. */
int window_open(const struct window_plan *plan, struct bench *b, struct sheet *sheet,
	struct window **ret);
void window_close(struct window *w); /* accepts NULL */

void window_begin(struct window *w, struct bench *b);
void window_end(struct window *w);

/*
 * What makes the timed samples doubtful: a hypervisor took the CPU away, or it
 * was slowed down for its heat. Or that the call chains could not be written. Freed by the caller; NULL: nothing.
 */
char *window_remark(const struct window *w);

/* Wall time of the window, for calibration. */
uint64_t window_wall_ns(const struct window *w);

/*
 * Did the clock jump within the window? By the architecture's counter, clocks.h.
 * 0 or -EAGAIN, with b's reason.
 */
int window_clock_step(const struct window *w, struct bench *b);

/* For bench.vmstat_delta; harness is the window. */
int window_vmstat_delta(const struct bench *b, const char *name, uint64_t *ret_delta);

/* For bench.alive, likewise. */
void window_alive(const struct bench *b);

/*
 * Writes the window's readings. A profiled window names the functions that it
 * found: it is taken once.
 */
void window_fill(struct window *w, const struct bench *b, struct sheet_slot *slot);

#endif
