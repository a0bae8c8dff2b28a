// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/cost.h"

#include <stdlib.h>

#include "base/mem.h"

#define MIB ((uint64_t)1 << 20)

static unsigned long long whole_mib(uint64_t bytes)
{
	return (bytes + MIB - 1) / MIB;
}

static char *time_text(uint64_t ns)
{
	const unsigned long long s = (ns + 999999999) / 1000000000;

	if (s < 60)
		return mem_format("%llu s", s);
	if (s < 600)
		return mem_format("%llu min %llu s", s / 60, s % 60);
	return mem_format("%llu min", (s + 59) / 60);
}

char *cost_text(const struct session_cost *cost)
{
	char *time = time_text(cost->time_ns), *text;
	char *endless =
		cost->n_endless
			? mem_format(" and %zu of fixed iterations, which take as long "
				     "as they take",
				  cost->n_endless)
			: mem_text("");
	char *swap = cost->swap_bytes
			     ? mem_format(", %llu MiB of swap", whole_mib(cost->swap_bytes))
			     : mem_text("");

	text = mem_format("%zu workload%s, about %s%s, %llu MiB of memory%s",
		cost->n_workloads, cost->n_workloads == 1 ? "" : "s", time, endless,
		whole_mib(cost->memory_bytes), swap);
	free(time);
	free(endless);
	free(swap);
	return text;
}
