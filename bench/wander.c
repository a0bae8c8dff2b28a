// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads visit CPUs and leave them; then the process pages out. What a flush
 * costs now is interrupts to CPUs that no longer run the process: each kernel
 * has its own way of forgetting where an address space was.
 */
#include "common.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "backing.h"
#include "child.h"
#include "paged_out.h"

enum { PHASE_SWAP_IN, PHASE_VISIT, PHASE_PAGE_OUT };
static const char *const phases[] = { "swap_in", "visit", "page_out", NULL };

enum { THEN_IDLE, THEN_BUSY, THEN_PARTED };
static const char *const thens[] = { "idle", "busy", "parted", NULL };

static const struct param params[] = {
	BENCH_PARAM_SIZE(
		"private memory that the visitors read and one operation pages out"),
	{
		.name = "visitors",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "threads that each visit another CPU, and come home",
	},
	{
		.name = "then",
		.type = PARAM_CHOICE,
		.preset = "idle",
		.choices = thens,
		.help = "the CPUs left are idle, or busy with another process each; parted: "
			"likewise, but the first visitor stays, and pages were once written "
			"while all were there",
	},
	{ 0 },
};

struct visitor {
	pthread_t thread;
	struct wander *wander;
	int cpu, went_to, came_to; /* as sched_getcpu() told there */
	atomic_bool stays;         /* until it is false; then it comes home */
	sem_t go;
};

/* In memory that the strangers share; each counts for itself. */
struct stranger {
	_Alignas(64) atomic_ulong passes;
};

struct wander {
	unsigned char *memory;
	const struct bench *b;
	size_t bytes;
	size_t n_visitors; /* running */
	struct visitor *visitors;
	sem_t done;
	atomic_bool stop;
	size_t n_stay;   /* during a page-out */
	const int *left; /* the CPUs that strangers take */
	size_t n_strangers;
	pid_t *pids;
	struct stranger *strangers;
	unsigned long *seen;
};

static int go_to(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) < 0 ? -1 : sched_getcpu();
}

static void *visit(void *arg)
{
	struct visitor *v = arg;
	struct wander *w = v->wander;

	for (;;) {
		while (sem_wait(&v->go) < 0)
			;
		if (atomic_load(&w->stop))
			return NULL;
		v->went_to = go_to(v->cpu);
		bench_read_pages(w->memory, w->bytes, w->b->page_bytes);
		if (atomic_load(&v->stays)) {
			sem_post(&w->done);
			while (atomic_load(&v->stays))
				;
		}
		v->came_to = go_to(w->b->cpu);
		sem_post(&w->done);
	}
}

static void wait_for(struct wander *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		while (sem_wait(&w->done) < 0)
			;
}

/* The first n_stay are there when it returns; the others have been. */
static void send_out(struct wander *w, size_t n_stay)
{
	for (size_t i = 0; i < w->n_visitors; i++) {
		atomic_store(&w->visitors[i].stays, i < n_stay);
		sem_post(&w->visitors[i].go);
	}
	wait_for(w, w->n_visitors);
}

static void call_home(struct wander *w, size_t n_stayed)
{
	for (size_t i = 0; i < n_stayed; i++)
		atomic_store(&w->visitors[i].stays, false);
	wait_for(w, n_stayed);
}

/* Another process on a CPU that was left; it makes way for a visitor. */
static void be_strange(void *arg)
{
	struct stranger *s = arg;

	setpriority(PRIO_PROCESS, 0, 19);
	for (;;)
		atomic_fetch_add_explicit(&s->passes, 1, memory_order_relaxed);
}

static int start_strangers(struct bench *b, struct wander *w, size_t n)
{
	int ret = 0;

	w->pids = calloc(n + 1, sizeof(*w->pids));
	w->seen = calloc(n + 1, sizeof(*w->seen));
	w->strangers = mmap(NULL, (n + 1) * sizeof(*w->strangers), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!w->pids || !w->seen || w->strangers == MAP_FAILED)
		return bench_fail(b, -ENOMEM, "no memory for %zu processes", n);
	for (; w->n_strangers < n && ret == 0; w->n_strangers += ret == 0)
		ret = child_start(b, w->left[w->n_strangers], be_strange,
			&w->strangers[w->n_strangers], &w->pids[w->n_strangers]);
	return ret;
}

static int start_visitors(struct bench *b, struct wander *w, size_t n)
{
	w->visitors = calloc(n + 1, sizeof(*w->visitors));
	if (!w->visitors)
		return bench_fail(b, -ENOMEM, "no memory for %zu threads", n);
	sem_init(&w->done, 0, 0);
	while (w->n_visitors < n) {
		struct visitor *v = &w->visitors[w->n_visitors];
		int error;

		v->wander = w;
		v->cpu = b->other_cpus[w->n_visitors];
		sem_init(&v->go, 0, 0);
		error = pthread_create(&v->thread, NULL, visit, v);
		if (error)
			return bench_fail(
				b, -error, "cannot start a thread: %s", strerror(error));
		w->n_visitors++;
	}
	return 0;
}

/* The one flush of which every CPU was part, to be forgotten after it. */
static int page_out_together(struct bench *b, struct wander *w)
{
	int ret;

	bench_read_pages(w->memory, w->bytes, b->page_bytes);
	send_out(w, w->n_visitors);
	ret = page_out(b, w->memory, w->bytes);
	call_home(w, w->n_visitors);
	return ret;
}

static int wander_setup(struct bench *b)
{
	struct wander *w = calloc(1, sizeof(*w));
	const size_t n = bench_param(b, "visitors");
	int ret = 0;

	if (!w)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = w;
	w->b = b;
	w->bytes = bench_param(b, "size");
	b->units_per_op = w->bytes / b->page_bytes;
	w->n_stay = bench_param(b, "then") == THEN_PARTED && n > 0;
	w->left = b->other_cpus + w->n_stay;
	if (bench_param(b, "then") != THEN_IDLE)
		ret = start_strangers(b, w, n - w->n_stay);
	if (ret == 0)
		ret = backing_map(b, BACKING_ANON, w->bytes, &w->memory);
	if (ret == 0)
		ret = page_out(b, w->memory, w->bytes);
	if (ret == 0)
		ret = start_visitors(b, w, n);
	return ret == 0 && w->n_stay ? page_out_together(b, w) : ret;
}

/*
 * Pages are brought in here and not by a visitor: on its CPU they might wait to
 * be put on the LRU list, and so escape the page-out.
 */
static int wander_run(struct bench *b, uint64_t n)
{
	struct wander *w = b->state;
	uint64_t start = bench_now_ns();

	for (uint64_t i = 0; i < n; i++) {
		uint64_t read, visited;

		bench_read_pages(w->memory, w->bytes, b->page_bytes);
		read = bench_now_ns();
		send_out(w, w->n_stay);
		visited = bench_now_ns();
		if (madvise(w->memory, w->bytes, MADV_PAGEOUT) < 0)
			return bench_fail(b, -errno, "MADV_PAGEOUT: %s", strerror(errno));
		b->phase_ns[PHASE_SWAP_IN] += read - start;
		b->phase_ns[PHASE_VISIT] += visited - read;
		start = bench_now_ns();
		b->phase_ns[PHASE_PAGE_OUT] += start - visited;
		call_home(w, w->n_stay);
	}
	return 0;
}

static int check_visits(struct bench *b, struct wander *w)
{
	for (size_t i = 0; i < w->n_visitors; i++) {
		struct visitor *v = &w->visitors[i];

		if (v->went_to != v->cpu)
			return bench_fail(b, -EIO, "the visitor of CPU %d was on CPU %d",
				v->cpu, v->went_to);
		if (v->came_to != b->cpu)
			return bench_fail(
				b, -EIO, "the visitor of CPU %d did not leave it", v->cpu);
		v->went_to = v->came_to = -1;
	}
	for (size_t i = 0; i < w->n_strangers; i++) {
		const unsigned long passes = atomic_load(&w->strangers[i].passes);

		if (passes == w->seen[i])
			return bench_fail(b, -EAGAIN,
				"the other process on CPU %d did not run during the sample",
				w->left[i]);
		w->seen[i] = passes;
	}
	return 0;
}

static int wander_verify(struct bench *b, uint64_t n)
{
	struct wander *w = b->state;
	int ret = paged_out_check(b, w->memory, w->bytes, n * b->units_per_op, true), again;
	int64_t wrong;

	if (ret == 0)
		ret = check_visits(b, w);
	wrong = ret == 0 ? bench_pattern_check(b, w->memory, w->bytes) : -1;
	if (wrong >= 0)
		ret = bench_fail(b, -EIO,
			"page %lld came back from swap with another content",
			(long long)wrong);
	again = page_out(b, w->memory, w->bytes);
	return ret < 0 ? ret : again;
}

static void wander_teardown(struct bench *b)
{
	struct wander *w = b->state;

	if (!w)
		return;
	atomic_store(&w->stop, true);
	for (size_t i = 0; i < w->n_visitors; i++) {
		sem_post(&w->visitors[i].go);
		pthread_join(w->visitors[i].thread, NULL);
	}
	for (size_t i = 0; i < w->n_strangers; i++)
		child_stop(w->pids[i]);
	if (w->memory)
		munmap(w->memory, w->bytes);
	free(w->visitors);
	free(w->pids);
	free(w->seen);
	free(w);
}

const struct workload workload_wander = {
	.name = "wander",
	.summary = "page out after threads have visited other CPUs and left them",
	.path = "madvise(MADV_PAGEOUT): arch_tlbbatch_flush, mm_cpumask",
	.unit = "page",
	.revision = 1,
	.needs = NEED_SWAP,
	.params = params,
	.phases = phases,
	.footprint = bench_footprint_size,
	.setup = wander_setup,
	.run = wander_run,
	.verify = wander_verify,
	.teardown = wander_teardown,
};
