// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader_memory.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define KIB ((uint64_t)1024)

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t reader_memory(const struct bench *b, uint64_t limit)
{
	return limit ? limit : (uint64_t)sysconf(_SC_PHYS_PAGES) * b->page_bytes;
}

/* Of all models together, each counted once. */
static uint64_t models_bytes(const struct reader_plan *plan)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < plan->n_models; i++)
		bytes += plan->models[i].gguf.bytes;
	return bytes;
}

uint64_t reader_pass_bytes(const struct reader_plan *plan)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < plan->processes; i++)
		bytes += plan->models[i % plan->n_models].gguf.bytes;
	return bytes;
}

/*
 * Beside pages that can be reclaimed: stacks, page tables and buffers, and
 * what is just being read for each thread.
 */
static uint64_t least_limit(const struct reader_plan *plan)
{
	const uint64_t buffers = plan->how == READER_URING ? plan->depth : 1;
	uint64_t bytes = 2048 * KIB;

	for (size_t i = 0; i < plan->processes; i++) {
		const struct model *m = &plan->models[i % plan->n_models];

		bytes += 512 * KIB + m->file_bytes / 512 +
			 plan->threads * (128 * KIB + buffers * READER_BLOCK +
						 model_read_ahead(m, ""));
	}
	return bytes;
}

static int too_little(struct bench *b, uint64_t limit, uint64_t least)
{
	char reason[200];

	snprintf(reason, sizeof(reason),
		"limit=%lluK is less than these readers need to work, %lluK with the read-ahead "
		"of this disk",
		(unsigned long long)(limit / KIB), (unsigned long long)(least / KIB));
	return bench_skip(b, reason,
		"give a higher limit, fewer processes or threads, or lower read_ahead_kb");
}

static int too_much(struct bench *b, uint64_t models, uint64_t memory)
{
	char reason[200];

	snprintf(reason, sizeof(reason),
		"the models take %llu MiB and fit into this machine's memory of %llu: nothing "
		"would be reclaimed",
		(unsigned long long)(models / KIB / KIB),
		(unsigned long long)(memory / KIB / KIB));
	return bench_skip(
		b, reason, "give limit, a larger size, or boot with less memory (mem=)");
}

int reader_check_memory(struct bench *b, const struct reader_plan *plan, uint64_t limit)
{
	const uint64_t models = models_bytes(plan), memory = reader_memory(b, limit);
	const uint64_t least = least_limit(plan);

	if (models <= memory && limit)
		return bench_fail(b, -EINVAL,
			"limit=%llu is not below the %llu bytes of the models: nothing would be "
			"reclaimed",
			(unsigned long long)limit, (unsigned long long)models);
	if (models <= memory)
		return too_much(b, models, memory);
	return limit && limit < least ? too_little(b, limit, least) : 0;
}

uint64_t reader_least_again(
	const struct reader_plan *plan, uint64_t memory, uint64_t passes)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < plan->n_models; i++)
		bytes += (passes - 1) * above(plan->models[i].gguf.bytes, memory);
	return bytes;
}

uint64_t reader_least_reclaimed(
	const struct reader_plan *plan, uint64_t memory, uint64_t passes)
{
	return above(models_bytes(plan), memory) + reader_least_again(plan, memory, passes);
}
