// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sampler.h"

#include "bench/common.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shorter than this, a trial run says too little about the time of an operation. */
#define TRIAL_NS 10000000u
/* No sample is shorter, however small the budget. */
#define SAMPLE_MIN_NS 10000000u
/* How many samples of a workload may be taken again before it is invalid. */
#define RETAKES_MAX 20

struct sampler {
	struct bench b;
	struct window *window;
	struct sheet *sheet;
	const struct run_plan *plan;
	unsigned int n_retaken;
};

static int pin(struct bench *b)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(b->cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		return bench_fail(
			b, -errno, "cannot pin to CPU %d: %s", b->cpu, strerror(errno));
	return 0;
}

static int drop_caches(struct sampler *s)
{
	struct err why;
	const int ret = machine_drop_caches(s->plan->machine, &why);

	return ret < 0 ? bench_fail(&s->b, ret, "%.250s", why.text) : 0;
}

/* One run in its window, with its proof. */
static int measure_once(struct sampler *s, uint64_t n)
{
	const struct workload *workload = s->b.workload;
	int ret;

	s->sheet->started_ns = bench_now_ns();
	if (workload->needs & NEED_COLD) {
		ret = drop_caches(s);
		if (ret < 0)
			return ret;
	}
	window_begin(s->window, &s->b);
	ret = workload->run(&s->b, n);
	window_end(s->window);
	if (ret < 0)
		return ret;
	ret = window_clock_step(s->window, &s->b);
	if (ret < 0)
		return ret;
	ret = workload->verify ? workload->verify(&s->b, n) : 0;
	return ret < 0 && ret != -EAGAIN ? -EBADE : ret;
}

/* On a busy machine a sample may be void through no fault of the kernel. */
static int measure(struct sampler *s, uint64_t n)
{
	int ret = measure_once(s, n);

	while (ret == -EAGAIN && s->n_retaken < RETAKES_MAX && !s->sheet->stop) {
		s->n_retaken++;
		ret = measure_once(s, n);
	}
	return ret == -EAGAIN ? -EBADE : ret;
}

/* How many operations fill a sample's share of the budget. */
static int calibrate(struct sampler *s, uint64_t *ret_n)
{
	uint64_t share_ns = s->plan->budget_ns / (s->sheet->n_warmup + s->sheet->n_samples);
	uint64_t n = 1, took_ns;
	int ret;

	if (share_ns < SAMPLE_MIN_NS)
		share_ns = SAMPLE_MIN_NS;
	for (;;) {
		ret = measure_once(s, n);
		/* Too short for a companion to have run, perhaps: the time is good. */
		if (ret < 0 && ret != -EAGAIN)
			return ret;
		took_ns = window_wall_ns(s->window);
		if (took_ns >= TRIAL_NS || s->sheet->stop)
			break;
		n *= took_ns * 8 < TRIAL_NS ? 8 : 2;
	}
	s->b.reason[0] = '\0';
	n = (uint64_t)((double)n * (double)share_ns / (double)took_ns);
	*ret_n = n ? n : 1;
	return 0;
}

static int take_samples(struct sampler *s, uint64_t n)
{
	struct sheet *sheet = s->sheet;
	const unsigned int wanted = sheet->n_warmup + sheet->n_samples;

	for (unsigned int i = 0; i < wanted; i++) {
		struct sheet_slot *slot = sheet_slot(sheet, i);
		int ret;

		if (sheet->stop)
			return -EINTR;
		ret = measure(s, n);
		if (ret < 0)
			return ret;
		slot->work = n * s->b.units_per_op;
		slot->warmup = i < sheet->n_warmup;
		window_fill(s->window, &s->b, slot);
		sheet->n_done = i + 1;
	}
	return 0;
}

static int set_up_and_measure(struct sampler *s, const struct spec *spec)
{
	uint64_t n = run_iterations(spec, s->plan);
	int ret;

	ret = topology_others(
		s->plan->topology, spec->cpu, (int **)&s->b.other_cpus, &s->b.n_other_cpus);
	if (ret == 0)
		ret = topology_near_nodes(
			s->plan->topology, spec->cpu, (int **)&s->b.nodes, &s->b.n_nodes);
	if (ret == 0)
		ret = pin(&s->b);
	if (ret == 0)
		ret = window_open(&s->plan->window, &s->b, s->sheet, &s->window);
	if (ret < 0)
		return ret;
	s->b.harness = s->window;
	ret = s->b.workload->setup(&s->b);
	if (ret == 0 && n == 0)
		ret = calibrate(s, &n);
	if (ret == 0)
		ret = take_samples(s, n);
	if (s->b.workload->teardown)
		s->b.workload->teardown(&s->b);
	return ret;
}

static enum run_status status_of(int ret)
{
	switch (-ret) {
	case 0:
		return RUN_OK;
	case EINTR:
		return RUN_INCOMPLETE;
	case EOPNOTSUPP:
		return RUN_SKIPPED;
	case EBADE:
		return RUN_INVALID;
	default:
		return RUN_FAILED;
	}
}

void sampler_run(const struct spec *spec, const struct run_plan *plan, struct sheet *sheet)
{
	struct sampler s = {
		.b = {
			.workload = spec->workload,
			.values = spec->values,
			.texts = (const char *const *)spec->texts,
			.seed = plan->seed,
			.page_bytes = plan->page_bytes,
			.cpu = spec->cpu,
			.cgroup = plan->cgroup,
			.vmstat_delta = window_vmstat_delta,
			.alive = window_alive,
		},
		.sheet = sheet,
		.plan = plan,
	};
	const int ret = set_up_and_measure(&s, spec);
	char *remark;

	if (ret == -EINTR)
		bench_fail(&s.b, ret, "interrupted");
	else if (ret < 0 && s.b.reason[0] == '\0')
		bench_fail(&s.b, ret, "%s", strerror(-ret));
	if (ret == 0 && s.n_retaken)
		snprintf(sheet->reason, sizeof(sheet->reason),
			"%u samples were taken again: %.200s", s.n_retaken, s.b.reason);
	else
		snprintf(sheet->reason, sizeof(sheet->reason), "%s", s.b.reason);
	remark = ret == 0 && sheet->reason[0] == '\0' ? window_remark(s.window) : NULL;
	if (remark)
		snprintf(sheet->reason, sizeof(sheet->reason), "%s", remark);
	free(remark);
	snprintf(sheet->fix, sizeof(sheet->fix), "%s", s.b.fix);
	sheet->status = status_of(ret);
	window_close(s.window);
	free((void *)s.b.other_cpus);
	free((void *)s.b.nodes);
}
