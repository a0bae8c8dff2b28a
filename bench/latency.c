// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "histogram.h"

struct latency {
	atomic_bool counts;
	uint64_t start_ticks, start_ns;
	double ns_per_tick; /* during the last sample */
	size_t n_threads;
	struct histogram *threads; /* one each: none waits for another's cache line */
};

int latency_new(struct bench *b, size_t n_threads, struct latency **ret)
{
	struct latency *l = calloc(1, sizeof(*l));

	if (l) {
		l->n_threads = n_threads;
		l->threads = calloc(n_threads + 1, sizeof(*l->threads));
	}
	if (!l || !l->threads) {
		free(l);
		return bench_fail(b, -ENOMEM, "no memory for the latencies of %zu threads",
			n_threads);
	}
	*ret = l;
	return 0;
}

void latency_free(struct latency *l)
{
	if (!l)
		return;
	free(l->threads);
	free(l);
}

void latency_begin(struct latency *l)
{
	for (size_t i = 0; i < l->n_threads; i++)
		histogram_clear(&l->threads[i]);
	l->start_ns = bench_now_ns();
	l->start_ticks = cycles_now();
	atomic_store(&l->counts, true);
}

void latency_end(struct latency *l)
{
	uint64_t ticks;

	atomic_store(&l->counts, false);
	ticks = cycles_now() - l->start_ticks;
	l->ns_per_tick = ticks ? (double)(bench_now_ns() - l->start_ns) / (double)ticks : 0;
}

void latency_note(struct latency *l, size_t thread, uint64_t start)
{
	const uint64_t ticks = cycles_now() - start;

	if (atomic_load_explicit(&l->counts, memory_order_relaxed))
		histogram_add(&l->threads[thread], ticks);
}

void latency_report(struct bench *b, const struct latency *l, size_t index)
{
	static const double shares[BENCH_LATENCY_COUNT] = { 0.5, 0.99, 0.999 };
	struct histogram *all = &l->threads[l->n_threads];
	const char *why;

	histogram_clear(all);
	for (size_t i = 0; i < l->n_threads; i++)
		histogram_merge(all, &l->threads[i]);
	why = histogram_count(all) ? ""
	      : l->n_threads       ? "nothing ended while a sample was taken"
				   : "no thread was asked for";
	for (size_t i = 0; i < BENCH_LATENCY_COUNT; i++) {
		snprintf(b->no_metric[index + i], sizeof(b->no_metric[index + i]), "%s",
			why);
		b->metric[index + i] =
			(int64_t)((double)histogram_quantile(all, shares[i]) *
				  l->ns_per_tick);
	}
}
