// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sampling.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/perf_parts.h"

/* Callers beyond are cut off: the groups of functions are found near the inner end. */
#define CHAIN_MAX 32
/* The largest record of that. */
#define RECORD_MAX (32 + (CHAIN_MAX + 3) * 8)

struct sampling {
	struct perf_evlist *events;
	const char *event;
	unsigned int hz;
	size_t room;     /* of a buffer, in bytes */
	bool tells_lost; /* the kernel counts what found no room, since 6.0 */
	uint64_t lost;   /* so far */
};

/* By preference. */
static const struct source {
	const char *name;
	uint32_t type;
	uint64_t config;
} sources[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
};
#define N_SOURCES (sizeof(sources) / sizeof(*sources))

static unsigned int permitted_hz(unsigned int wanted)
{
	char *text;
	unsigned long most;

	if (file_read_line("", "/proc/sys/kernel/perf_event_max_sample_rate", &text) < 0)
		return wanted;
	most = strtoul(text, NULL, 10);
	free(text);
	return most > 0 && most < wanted ? (unsigned int)most : wanted;
}

static int set_maps(struct perf_evlist *events, const struct cpulist *list)
{
	char *text = list ? cpulist_format(list) : NULL;
	struct perf_cpu_map *cpus =
		list ? perf_cpu_map__new(text) : perf_cpu_map__new_any_cpu();
	struct perf_thread_map *threads = perf_thread_map__new_dummy();
	int ret = -ENOMEM;

	free(text);
	if (cpus && threads) {
		perf_thread_map__set_pid(threads, 0, list ? -1 : 0);
		perf_evlist__set_maps(events, cpus, threads);
		ret = 0;
	}
	perf_cpu_map__put(cpus);
	perf_thread_map__put(threads);
	return ret;
}

static int map_buffers(const struct sampling_options *options, struct sampling *s)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t sizes[] = { options->bytes, options->bytes_min };

	for (size_t i = 0; i < 2; i++) {
		s->room = sizes[i] > page_bytes ? sizes[i] : page_bytes;
		if (perf_evlist__mmap(s->events, (int)(s->room / page_bytes)) == 0)
			return 0;
	}
	return errno ? -errno : -ENOMEM;
}

static int open_source(const struct source *source, const struct sampling_options *options,
	bool tells_lost, struct sampling *s)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = source->type,
		.config = source->config,
		.freq = 1,
		.sample_freq = s->hz,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN,
		.sample_max_stack = CHAIN_MAX,
		.read_format = tells_lost ? PERF_FORMAT_LOST : 0,
		.exclude_callchain_user = 1,
		.exclude_hv = 1,
		.disabled = 1,
		/* The buffers are read when all is over: nobody is to be woken. */
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX,
	};
	struct perf_evsel *evsel;
	int ret = -ENOMEM;

	s->events = perf_evlist__new();
	evsel = s->events ? perf_evsel__new(&attr) : NULL;
	if (evsel) {
		perf_evlist__add(s->events, evsel);
		ret = set_maps(s->events, options->cpus);
	}
	if (ret == 0)
		ret = perf_evlist__open(s->events);
	if (ret == 0)
		ret = map_buffers(options, s);
	if (ret < 0 && s->events) {
		perf_evlist__delete(s->events);
		s->events = NULL;
	}
	s->event = source->name;
	s->tells_lost = tells_lost;
	return ret;
}

static bool is_absent(int code)
{
	return code == -ENOENT || code == -EOPNOTSUPP || code == -ENODEV || code == -EINVAL;
}

int sampling_open(
	const struct sampling_options *options, struct sampling **ret, struct err *err)
{
	struct sampling *s = mem_zeroed(1, sizeof(*s));
	int code = -ENOENT;
	char *why;

	perf_start_library();
	s->hz = permitted_hz(options->hz);
	if (options->cpus) /* one descriptor for each */
		perf_raise_file_limit(options->cpus->count);
	for (size_t i = 0; i < N_SOURCES && is_absent(code); i++) {
		code = open_source(&sources[i], options, true, s);
		if (code == -EINVAL)
			code = open_source(&sources[i], options, false, s);
	}
	if (code == 0) {
		*ret = s;
		return 0;
	}
	free(s);
	why = perf_explain("", code);
	err_set(err, code, "nothing can be sampled: %s", why);
	free(why);
	return code;
}

void sampling_close(struct sampling *s)
{
	if (!s)
		return;
	perf_evlist__delete(s->events);
	free(s);
}

const char *sampling_event(const struct sampling *s)
{
	return s->event;
}

unsigned int sampling_hz(const struct sampling *s)
{
	return s->hz;
}

void sampling_start(void)
{
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
}

void sampling_stop(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
}

/* The body of a sample, as sample_type above lays it out. */
struct body {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t n_chain;
	uint64_t chain[];
};

/* Of a chain only addresses count, and not where the mode changes. */
static void take_sample(const struct body *b,
	void (*take)(void *arg, const struct sampling_hit *hit), void *arg)
{
	const size_t room = (b->header.size - sizeof(*b)) / sizeof(b->chain[0]);
	uint64_t chain[CHAIN_MAX + 2] = { b->ip };
	struct sampling_hit hit = {
		.in_kernel = (b->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			     PERF_RECORD_MISC_KERNEL,
		.tid = b->tid,
		.chain = chain,
		.n_chain = 1,
	};
	bool first = true;

	for (size_t i = 0; i < b->n_chain && i < room && hit.n_chain <= CHAIN_MAX; i++) {
		if (b->chain[i] >= (uint64_t)PERF_CONTEXT_MAX)
			continue;
		/* The first one is the sampled address itself. */
		if (!first || b->chain[i] != b->ip)
			chain[hit.n_chain++] = b->chain[i];
		first = false;
	}
	take(arg, &hit);
}

/*
 * A kernel that does not count what is lost says so only in the next record
 * that finds room, and after a full buffer there is none. Returns how many were
 * said to be lost; or, where the buffer is full, that there are more.
 */
static uint64_t drain_one(struct perf_mmap *map, size_t room,
	void (*take)(void *arg, const struct sampling_hit *hit), void *arg)
{
	const union perf_event *event;
	uint64_t lost = 0;
	size_t bytes = 0;

	if (perf_mmap__read_init(map) < 0)
		return 0;
	while ((event = perf_mmap__read_event(map)) != NULL) {
		bytes += event->header.size;
		if (event->header.type == PERF_RECORD_LOST)
			lost += event->lost.lost;
		else if (event->header.type == PERF_RECORD_SAMPLE &&
			 event->header.size >= sizeof(struct body))
			take_sample((const struct body *)event, take, arg);
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
	return bytes + RECORD_MAX > room ? SAMPLING_LOST_UNKNOWN : lost;
}

/* Since the last call. */
static uint64_t read_lost(struct sampling *s)
{
	struct perf_evsel *evsel = perf_evlist__next(s->events, NULL);
	const int n = perf_cpu_map__nr(perf_evsel__cpus(evsel));
	uint64_t sum = 0, before = s->lost;

	for (int i = 0; i < n; i++) {
		struct perf_counts_values values = { 0 };

		if (perf_evsel__read(evsel, i, 0, &values) < 0)
			return SAMPLING_LOST_UNKNOWN;
		sum += values.lost;
	}
	s->lost = sum;
	return sum - before;
}

uint64_t sampling_drain(struct sampling *s,
	void (*take)(void *arg, const struct sampling_hit *hit), void *arg)
{
	struct perf_mmap *map;
	uint64_t lost = 0;

	perf_evlist__for_each_mmap(s->events, map, false)
	{
		const uint64_t more = drain_one(map, s->room, take, arg);

		lost = more == SAMPLING_LOST_UNKNOWN ? more : lost + more;
	}
	return s->tells_lost ? read_lost(s) : lost;
}
