// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perf/core.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/mem.h"
#include "measure/perf_parts.h"

#define CACHE_READ_MISS(cache)                                                             \
	((cache) | (PERF_COUNT_HW_CACHE_OP_READ << 8) |                                    \
		(PERF_COUNT_HW_CACHE_RESULT_MISS << 16))

enum modes {
	MODE_BOTH,
	MODE_BOTH_OR_USER, /* still counts where only user mode is permitted */
	MODE_USER,
	MODE_KERNEL,
};

struct event {
	const char *name;
	const char *unit;
	uint32_t type;
	uint64_t config;
	enum modes modes;
};

/* Software events first: they exist everywhere. */
static const struct event events[] = {
	{ "task_clock_ns", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK,
		MODE_BOTH_OR_USER },
	{ "page_faults", "events", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS,
		MODE_BOTH_OR_USER },
	{ "context_switches", "events", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES,
		MODE_BOTH },
	{ "cpu_migrations", "events", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
		MODE_BOTH },
	{ "cycles:u", "events", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, MODE_USER },
	{ "cycles:k", "events", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, MODE_KERNEL },
	{ "instructions:u", "events", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		MODE_USER },
	{ "instructions:k", "events", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		MODE_KERNEL },
	{ "dtlb_load_misses:u", "events", PERF_TYPE_HW_CACHE,
		CACHE_READ_MISS(PERF_COUNT_HW_CACHE_DTLB), MODE_USER },
	{ "dtlb_load_misses:k", "events", PERF_TYPE_HW_CACHE,
		CACHE_READ_MISS(PERF_COUNT_HW_CACHE_DTLB), MODE_KERNEL },
	{ "itlb_load_misses:u", "events", PERF_TYPE_HW_CACHE,
		CACHE_READ_MISS(PERF_COUNT_HW_CACHE_ITLB), MODE_USER },
	{ "itlb_load_misses:k", "events", PERF_TYPE_HW_CACHE,
		CACHE_READ_MISS(PERF_COUNT_HW_CACHE_ITLB), MODE_KERNEL },
};

#define N_EVENTS (sizeof(events) / sizeof(events[0]))

struct counters {
	struct perf_thread_map *self;
	struct perf_evsel *opened[N_EVENTS]; /* NULL: not available */
	char *unavailable[N_EVENTS];
};

static int open_event(struct counters *c, size_t i, bool user_only)
{
	const enum modes modes = events[i].modes;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = events[i].type,
		.config = events[i].config,
		.disabled = 1,
		.exclude_hv = 1,
		.exclude_kernel = user_only || modes == MODE_USER,
		.exclude_user = modes == MODE_KERNEL,
		.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct perf_evsel *evsel = perf_evsel__new(&attr);
	int ret;

	if (!evsel)
		return -ENOMEM;
	ret = perf_evsel__open(evsel, NULL, c->self);
	if (ret < 0) {
		perf_evsel__delete(evsel);
		return ret;
	}
	c->opened[i] = evsel;
	return 0;
}

int counters_open(struct counters **ret)
{
	struct counters *c = mem_zeroed(1, sizeof(*c));

	perf_start_library();
	c->self = perf_thread_map__new_dummy();
	if (!c->self) {
		free(c);
		return -ENOMEM;
	}
	perf_thread_map__set_pid(c->self, 0, 0);
	for (size_t i = 0; i < N_EVENTS; i++) {
		int code = open_event(c, i, false);

		if ((code == -EACCES || code == -EPERM) &&
			events[i].modes == MODE_BOTH_OR_USER)
			code = open_event(c, i, true);
		if (code < 0)
			c->unavailable[i] = perf_explain(code);
	}
	*ret = c;
	return 0;
}

void counters_close(struct counters *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < N_EVENTS; i++) {
		if (c->opened[i]) {
			perf_evsel__close(c->opened[i]);
			perf_evsel__delete(c->opened[i]);
		}
		free(c->unavailable[i]);
	}
	perf_thread_map__put(c->self);
	free(c);
}

size_t counters_count(void)
{
	return N_EVENTS;
}

struct counter_info counters_info(const struct counters *c, size_t i)
{
	return (struct counter_info){ events[i].name, events[i].unit, c->unavailable[i] };
}

void counters_start(void)
{
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
}

void counters_stop(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
}

int counters_read(const struct counters *c, size_t i, struct counter_value *ret)
{
	struct perf_counts_values values;
	int code = perf_evsel__read(c->opened[i], 0, 0, &values);

	if (code < 0)
		return code;
	*ret = (struct counter_value){ (int64_t)values.val, values.ena, values.run };
	return 0;
}
