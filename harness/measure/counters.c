// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/counters.h"

#include <errno.h>
#include <stdbool.h>
#include <linux/perf_event.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/event_code.h"
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

/*
 * What any CPU of these families can count at once, whatever the event: Intel's have 4
 * for each thread, others more. The NMI watchdog takes one.
 */
#define AT_ONCE 4

struct counter {
	char *name, *source, *tells; /* tells: or NULL */
	const char *unit;
	char *unavailable;          /* NULL: opened */
	struct perf_evsel **evsels; /* one, or one for each uncore PMU */
	size_t n_evsels;
	bool hardware;
	size_t group; /* of a hardware event */
};

struct counters {
	const char *root; /* of /proc and /sys */
	struct perf_thread_map *self, *all;
	struct counter *items;
	size_t count;
	size_t n_groups;
};

static struct counter *add_counter(
	struct counters *c, const char *name, const char *unit, char *source)
{
	struct counter *added;

	c->items = mem_resize(c->items, c->count + 1, sizeof(*c->items));
	added = &c->items[c->count++];
	*added = (struct counter){ .name = mem_text(name), .source = source, .unit = unit };
	return added;
}

/* On these CPUs for all threads; NULL: of the calling thread. */
static int open_attr(const struct counters *c, struct counter *to,
	struct perf_event_attr *attr, const struct cpulist *list)
{
	struct perf_evsel *evsel;
	struct perf_cpu_map *cpus = NULL;
	char *text = list ? cpulist_format(list) : NULL;
	int ret;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	evsel = perf_evsel__new(attr);
	if (text)
		cpus = perf_cpu_map__new(text);
	free(text);
	ret = evsel ? perf_evsel__open(evsel, cpus, list ? c->all : c->self) : -ENOMEM;
	perf_cpu_map__put(cpus);
	if (ret < 0) {
		if (evsel)
			perf_evsel__delete(evsel);
		return ret;
	}
	to->evsels = mem_resize(to->evsels, to->n_evsels + 1, sizeof(*to->evsels));
	to->evsels[to->n_evsels++] = evsel;
	return 0;
}

static int open_event(
	struct counters *c, struct counter *to, const struct event *event, bool user_only)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.config = event->config,
		.exclude_hv = 1,
		.exclude_kernel = user_only || event->modes == MODE_USER,
		.exclude_user = event->modes == MODE_KERNEL,
	};

	return open_attr(c, to, &attr, NULL);
}

static void open_default(struct counters *c, const struct event *event)
{
	struct counter *to =
		add_counter(c, event->name, event->unit, mem_text("perf_event_open"));
	int code = open_event(c, to, event, false);

	if ((code == -EACCES || code == -EPERM) && event->modes == MODE_BOTH_OR_USER)
		code = open_event(c, to, event, true);
	if (code < 0)
		to->unavailable = perf_explain(c->root, code);
	to->hardware = event->type != PERF_TYPE_SOFTWARE;
}

/* Of the thread, while it runs, and by a register of each CPU's own: no counter is taken. */
static void open_smis(struct counters *c)
{
	char name[] = COUNTERS_SMIS, pmu[] = "msr", smi[] = "smi";
	const struct event_name event = { .name = name, .pmu = pmu, .event = smi };
	struct counter *to =
		add_counter(c, event.name, "events", mem_text("perf msr/smi/"));
	struct event_codes codes = { 0 };
	int code = event_codes_find(c->root, &event, &codes, NULL);

	to->tells = mem_text("times that firmware took the CPU away: hardware latency");
	if (code == 0) {
		/* This PMU refuses whatever would exclude a mode. */
		struct perf_event_attr attr = { .type = codes.items[0].type,
			.config = codes.items[0].config };

		code = open_attr(c, to, &attr, NULL);
		if (code < 0)
			to->unavailable = perf_explain(c->root, code);
	} else {
		to->unavailable = mem_text("hardware latency is not counted here: only "
					   "Intel's CPUs count SMIs (PMU msr, event smi)");
	}
	event_codes_clear(&codes);
}

static void open_named(
	struct counters *c, const struct event_set *set, const struct event_name *event)
{
	struct counter *to = add_counter(c, event->name, "events",
		mem_format("perf %s %s", set->name, event->event));
	struct event_codes codes = { 0 };
	struct err err;
	int code = event_codes_find(c->root, event, &codes, &err);

	to->tells = mem_text(event->tells);
	if (code < 0)
		to->unavailable = mem_text(err.text);
	for (size_t i = 0; i < codes.count && code == 0; i++) {
		const struct event_code *from = &codes.items[i];
		struct perf_event_attr attr = {
			.type = from->type,
			.config = from->config,
			.config1 = from->config1,
			.config2 = from->config2,
			/* A mesh knows no modes. */
			.exclude_hv = from->cpus.count == 0,
		};

		code = open_attr(c, to, &attr, from->cpus.count ? &from->cpus : NULL);
		if (code < 0)
			to->unavailable = perf_explain(c->root, code);
		to->hardware = from->cpus.count == 0;
	}
	event_codes_clear(&codes);
}

static void open_set(struct counters *c)
{
	struct event_set set;

	/* No set is no event, which has no metric: doctor says so. */
	if (event_set_find(c->root, &set, NULL) < 0)
		return;
	for (size_t i = 0; i < set.n_events; i++)
		open_named(c, &set, &set.events[i]);
	event_set_clear(&set);
}

size_t counters_group(size_t i, size_t n, size_t at_once, size_t *ret_groups)
{
	*ret_groups = n > at_once ? (n + at_once - 1) / at_once : 1;
	return i / at_once % *ret_groups;
}

size_t counters_at_once(const char *root)
{
	size_t n = AT_ONCE;
	char *text;

	if (file_read_line(root, "/proc/sys/kernel/nmi_watchdog", &text) == 0) {
		n -= strcmp(text, "1") == 0;
		free(text);
	}
	return n;
}

static void make_groups(struct counters *c, unsigned int n_samples)
{
	const size_t at_once = counters_at_once(c->root);
	size_t n = 0, i = 0;

	for (size_t k = 0; k < c->count; k++)
		n += c->items[k].hardware && !c->items[k].unavailable;
	c->n_groups = 1;
	for (size_t k = 0; k < c->count; k++)
		if (c->items[k].hardware && !c->items[k].unavailable)
			c->items[k].group = counters_group(i++, n, at_once, &c->n_groups);
	/* Too few samples for each group to be counted: the kernel lets them take turns. */
	if (c->n_groups > n_samples)
		c->n_groups = 1;
}

int counters_open(const char *root, unsigned int n_samples, struct counters **ret)
{
	struct counters *c = mem_zeroed(1, sizeof(*c));

	c->root = root;
	perf_start_library();
	c->self = perf_thread_map__new_dummy();
	c->all = perf_thread_map__new_dummy();
	if (!c->self || !c->all) {
		counters_close(c);
		return -ENOMEM;
	}
	perf_thread_map__set_pid(c->self, 0, 0);
	perf_thread_map__set_pid(c->all, 0, -1);
	for (size_t i = 0; i < N_EVENTS; i++)
		open_default(c, &events[i]);
	open_smis(c);
	open_set(c);
	make_groups(c, n_samples);
	*ret = c;
	return 0;
}

void counters_close(struct counters *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct counter *k = &c->items[i];

		for (size_t e = 0; e < k->n_evsels; e++) {
			perf_evsel__close(k->evsels[e]);
			perf_evsel__delete(k->evsels[e]);
		}
		free(k->evsels);
		free(k->name);
		free(k->source);
		free(k->tells);
		free(k->unavailable);
	}
	free(c->items);
	perf_thread_map__put(c->self);
	perf_thread_map__put(c->all);
	free(c);
}

size_t counters_count(const struct counters *c)
{
	return c->count;
}

struct counter_info counters_info(const struct counters *c, size_t i)
{
	const struct counter *k = &c->items[i];

	return (struct counter_info){ k->name, k->unit, k->source, k->tells,
		k->unavailable };
}

bool counters_is_on(const struct counters *c, size_t i, unsigned int sample)
{
	return !c->items[i].hardware || c->n_groups == 1 ||
	       c->items[i].group == sample % c->n_groups;
}

/* In one system call, where no event has to stay off. */
void counters_start(struct counters *c, unsigned int sample)
{
	if (c->n_groups == 1) {
		prctl(PR_TASK_PERF_EVENTS_ENABLE);
		return;
	}
	/* Backwards, so that the clock of the thread is the last to start. */
	for (size_t i = c->count; i-- > 0;)
		for (size_t e = 0; e < c->items[i].n_evsels; e++)
			if (counters_is_on(c, i, sample))
				perf_evsel__enable(c->items[i].evsels[e]);
}

void counters_stop(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
}

int counters_read(const struct counters *c, size_t i, struct counter_value *ret)
{
	const struct counter *k = &c->items[i];
	struct counter_value sum = { 0 };

	for (size_t e = 0; e < k->n_evsels; e++) {
		const int n = perf_cpu_map__nr(perf_evsel__cpus(k->evsels[e]));

		for (int cpu = 0; cpu < n; cpu++) {
			struct perf_counts_values values;
			const int code = perf_evsel__read(k->evsels[e], cpu, 0, &values);

			if (code < 0)
				return code;
			sum.count += values.val;
			sum.enabled_ns += values.ena;
			sum.running_ns += values.run;
		}
	}
	*ret = sum;
	return 0;
}

int counters_delta(const struct counter_value *before, const struct counter_value *after,
	struct counter_value *ret)
{
	const uint64_t count = after->count - before->count;

	if (after->enabled_ns < before->enabled_ns ||
		after->running_ns < before->running_ns || count > INT64_MAX)
		return -ERANGE;
	if (after->running_ns == before->running_ns)
		return -ENODATA;
	*ret = (struct counter_value){
		.count = count,
		.enabled_ns = after->enabled_ns - before->enabled_ns,
		.running_ns = after->running_ns - before->running_ns,
	};
	return 0;
}
