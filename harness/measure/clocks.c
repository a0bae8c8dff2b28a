// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/clocks.h"

#include <math.h>

#include "bench/common.h"
#include "bench/cycles.h"

#define ALLOWED 0.02
/* A reading that nobody interrupted takes far less; the next try may do so. */
#define TRIES 5

struct moment moment_now(void)
{
	struct moment best = { 0 };

	for (int i = 0; i < TRIES; i++) {
		struct moment m = { .ticks = cycles_now() };

		m.ns = bench_now_ns();
		m.until = cycles_now();
		if (i == 0 || m.until - m.ticks < best.until - best.ticks)
			best = m;
	}
	return best;
}

/* Of the middle of the readings; backwards is less than 0. */
static double ticks_between(const struct moment *from, const struct moment *to)
{
	return ((double)(int64_t)(to->ticks - from->ticks) +
		       (double)(int64_t)(to->until - from->until)) /
	       2;
}

static double width(const struct moment *a, const struct moment *b)
{
	return (double)(a->until - a->ticks + b->until - b->ticks) / 2;
}

int64_t clocks_disagree(
	const struct moment *origin, const struct moment *begin, const struct moment *end)
{
	const double history_ns = (double)(int64_t)(begin->ns - origin->ns);
	const double history = ticks_between(origin, begin);
	double ns_per_tick, by, ns, allowed;

	if (history_ns < CLOCKS_HISTORY_NS || history <= 0)
		return 0;
	ns_per_tick = history_ns / history;
	ns = ticks_between(begin, end) * ns_per_tick;
	by = (double)(int64_t)(end->ns - begin->ns) - ns;
	allowed = fabs(ns) * (ALLOWED + width(origin, begin) / history) +
		  width(begin, end) * ns_per_tick;
	return fabs(by) > allowed ? (int64_t)by : 0;
}
