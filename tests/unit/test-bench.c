// SPDX-License-Identifier: GPL-2.0-or-later
/* The patterns and proofs of the workloads: a proof must fail where it should. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/common.h"

#define PAGE 4096
#define PAGES 8

static uint64_t reported; /* what the machine claims to have written to swap */

static int claim(const struct bench *b, const char *name, uint64_t *ret)
{
	(void)b;
	if (strcmp(name, "pswpout") != 0)
		return -ENODATA;
	*ret = reported;
	return 0;
}

Test(pattern, finds_any_change)
{
	const struct bench b = { .page_bytes = PAGE, .seed = 42 };
	unsigned char *memory = aligned_alloc(PAGE, PAGE * PAGES);
	uint64_t *words = (uint64_t *)memory;

	bench_pattern_fill(&b, memory, PAGE * PAGES);
	cr_assert_eq(bench_pattern_check(&b, memory, PAGE * PAGES), -1);
	for (size_t page = 0; page < PAGES; page++)
		cr_assert_neq(words[page * PAGE / 8], 0, "zram drops pages of zeroes");
	memory[3 * PAGE + 4095] ^= 1;
	cr_assert_eq(bench_pattern_check(&b, memory, PAGE * PAGES), 3);
	memory[3 * PAGE + 4095] ^= 1;
	memcpy(memory + 5 * PAGE, memory + 4 * PAGE, PAGE);
	cr_assert_eq(bench_pattern_check(&b, memory, PAGE * PAGES), 5,
		"a page that came back as its neighbour");
	free(memory);
}

Test(pattern, depends_on_the_seed)
{
	const struct bench a = { .page_bytes = PAGE, .seed = 1 };
	const struct bench b = { .page_bytes = PAGE, .seed = 2 };
	unsigned char *memory = aligned_alloc(PAGE, PAGE);

	bench_pattern_fill(&a, memory, PAGE);
	cr_assert_eq(bench_pattern_check(&b, memory, PAGE), 0);
	free(memory);
}

/* size, threads, touch, mapping: of the workload's table */
static void open_swap(struct bench *b, uint64_t *values)
{
	extern const struct workload workload_swap;

	*b = (struct bench){
		.workload = &workload_swap,
		.values = values,
		.seed = 7,
		.page_bytes = PAGE,
		.vmstat_delta = claim,
	};
	cr_assert_eq(b->workload->setup(b), 0, "%s", b->reason);
	cr_assert_eq(b->units_per_op, PAGES);
}

/* Without swap MADV_PAGEOUT succeeds and does nothing: that must not be a number. */
Test(swap, pages_still_resident_are_no_proof)
{
	uint64_t values[] = { PAGE * PAGES, 0, 0, 0 };
	struct bench b;

	open_swap(&b, values);
	b.workload->run(&b, 1);
	/* Whatever swap this machine has: bring them in. */
	bench_read_pages(*(unsigned char **)b.state, PAGE * PAGES, PAGE);
	reported = PAGES;
	cr_assert_eq(b.workload->verify(&b, 1), -EIO);
	cr_assert(strstr(b.reason, "still resident"), "%s", b.reason);
	b.workload->teardown(&b);
}
