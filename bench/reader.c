// SPDX-License-Identifier: GPL-2.0-or-later
/* The side of the processes that read. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "reader_parts.h"

/* A process, as its threads see it. */
struct reader {
	const struct reader_group *g;
	const struct model *model;
	struct seat *seat;
	unsigned char *map;
	pthread_barrier_t barrier;
	/* Of each thread, for two tensors in turn: one is added up, one is read. */
	uint64_t *sums[2];
};

struct thread {
	struct reader *r;
	size_t number;
	struct reader_io *io;
	uint64_t turn; /* tensors read so far */
};

/* Not FUTEX_PRIVATE: others wait in other processes. */
void reader_wait_while(atomic_uint *at, unsigned int value)
{
	const struct timespec second = { .tv_sec = 1 };

	syscall(SYS_futex, at, FUTEX_WAIT, value, &second, NULL, 0);
}

void reader_wake_all(atomic_uint *at)
{
	syscall(SYS_futex, at, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void end_round(struct board *board)
{
	if (atomic_fetch_sub(&board->left, 1) == 1)
		reader_wake_all(&board->left);
}

static void note_error(struct seat *s, int code)
{
	int none = 0;

	atomic_compare_exchange_strong(&s->error, &none, -code);
}

/* This thread's rows of a tensor. */
static void read_rows(struct thread *t, const struct gguf_tensor *tensor, uint64_t *ret_sum)
{
	const uint64_t threads = t->r->g->plan.threads, n = t->number;
	const uint64_t share = tensor->rows / threads, more = tensor->rows % threads;
	const uint64_t first = share * n + (n < more ? n : more);
	const uint64_t rows = share + (n < more);
	int ret;

	*ret_sum = 0;
	if (rows == 0 || atomic_load_explicit(&t->r->seat->error, memory_order_relaxed))
		return;
	ret = reader_io_sum(t->io, tensor, first * tensor->row_bytes,
		rows * tensor->row_bytes, ret_sum);
	if (ret < 0)
		note_error(t->r->seat, ret);
}

static void check_sum(struct reader *r, size_t tensor, const uint64_t *sums)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->g->plan.threads; i++)
		sum += sums[i];
	if (sum != r->model->sums[tensor])
		atomic_store(&r->seat->wrong, (int64_t)tensor);
	atomic_fetch_add_explicit(&r->seat->tensors, 1, memory_order_relaxed);
}

/* As in inference, no thread starts on a tensor before all are done with the last. */
static void pass(struct thread *t)
{
	struct reader *r = t->r;

	for (size_t i = 0; i < r->model->gguf.n_tensors; i++) {
		uint64_t *sums = r->sums[t->turn++ % 2];

		read_rows(t, &r->model->gguf.tensors[i], &sums[t->number]);
		pthread_barrier_wait(&r->barrier);
		if (t->number == 0)
			check_sum(r, i, sums);
	}
}

static uint64_t timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static struct reader_times now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct reader_times){ bench_now_ns(), timeval_ns(&usage.ru_utime),
		timeval_ns(&usage.ru_stime) };
}

static void read_round(struct thread *t)
{
	const struct board *board = t->r->g->board;
	const struct reader_times start = now();
	struct reader_times end;

	for (uint64_t i = 0; i < board->passes; i++)
		pass(t);
	if (t->number != 0)
		return;
	end = now();
	t->r->seat->times = (struct reader_times){ end.process_ns - start.process_ns,
		end.user_ns - start.user_ns, end.system_ns - start.system_ns };
}

static void release(struct reader *r)
{
	if (r->map && madvise(r->map, r->model->file_bytes, MADV_DONTNEED) < 0)
		note_error(r->seat, -errno);
}

static void *thread_main(void *arg)
{
	struct thread *t = arg;
	struct reader *r = t->r;
	const struct reader_plan *plan = &r->g->plan;
	struct board *board = r->g->board;
	unsigned int round = 0;
	const int ret = reader_io_open(r->model, plan->how, r->map, plan->depth, &t->io);

	if (ret < 0)
		note_error(r->seat, ret);
	pthread_barrier_wait(&r->barrier);
	for (;;) {
		if (t->number == 0)
			end_round(board);
		while (atomic_load(&board->round) == round)
			reader_wait_while(&board->round, round);
		round = atomic_load(&board->round);
		if (round % 2 == 0)
			read_round(t);
		else if (t->number == 0)
			release(r);
	}
	return NULL;
}

/* They run wherever the scheduler puts them, as the programs that this stands for. */
static int unpin(const struct bench *b)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(b->cpu, &cpus);
	for (size_t i = 0; i < b->n_other_cpus; i++)
		CPU_SET(b->other_cpus[i], &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) < 0 ? -errno : 0;
}

static int prepare(struct reader *r)
{
	const struct reader_plan *plan = &r->g->plan;
	int ret = plan->in_cgroup ? cgroup_join(r->g->b) : 0;

	if (ret == 0)
		ret = unpin(r->g->b);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < 2; i++) {
		r->sums[i] = calloc(plan->threads, sizeof(*r->sums[i]));
		if (!r->sums[i])
			return -ENOMEM;
	}
	if (plan->how == READER_MMAP) {
		r->map = mmap(
			NULL, r->model->file_bytes, PROT_READ, MAP_SHARED, r->model->fd, 0);
		if (r->map == MAP_FAILED)
			return -errno;
	}
	return -pthread_barrier_init(&r->barrier, NULL, (unsigned int)plan->threads);
}

void reader_main(void *group)
{
	const struct reader_group *g = group;
	struct reader r = {
		.g = g,
		.model = &g->plan.models[g->starting % g->plan.n_models],
		.seat = &g->board->seats[g->starting],
	};
	struct thread *threads = calloc(g->plan.threads, sizeof(*threads));
	int ret = threads ? prepare(&r) : -ENOMEM;

	for (size_t i = 1; ret == 0 && i < g->plan.threads; i++) {
		pthread_t id;

		threads[i] = (struct thread){ .r = &r, .number = i };
		ret = -pthread_create(&id, NULL, thread_main, &threads[i]);
	}
	if (ret == 0) {
		threads[0].r = &r;
		thread_main(&threads[0]);
	}
	note_error(r.seat, ret);
	end_round(g->board);
	for (;;)
		pause();
}
