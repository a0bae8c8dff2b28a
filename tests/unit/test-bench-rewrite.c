// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each judgement of rewrite can fail. This kernel is sound, so the test puts
 * memory in the way, as a stale translation would. It takes a disk.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "bench-open.h"

#define PAGE 4096

static void open_rewrite(struct bench *b)
{
	static const int others[] = { 0 };
	int ret;

	*b = bench_of("rewrite:size=64K,threads=1");
	b->cpu = 1;
	b->other_cpus = others;
	b->n_other_cpus = 1;
	reported = 1000;
	ret = b->workload->setup(b);
	if (ret == -EOPNOTSUPP)
		cr_skip_test("%s", b->reason);
	cr_assert_eq(ret, 0, "%s", b->reason);
}

/* Memory that no write to the file reaches. */
static unsigned char *put_page(unsigned char *at)
{
	void *page = mmap(at, PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	cr_assert_eq(page, at);
	return page;
}

Test(rewrite, runs)
{
	struct bench b;

	open_rewrite(&b);
	cr_assert_eq(b.workload->run(&b, 3), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 3), 0, "%s", b.reason);
	cr_assert_gt(b.metric[0], 0);
	b.workload->teardown(&b);
}

Test(rewrite, a_page_of_somebody_else_is_a_violation)
{
	struct bench b;
	unsigned char *page;

	open_rewrite(&b);
	page = put_page(memory_of(&b) + (size_t)2 * PAGE);
	cr_assert_eq(*page, 0);
	assert_fails(&b, b.workload->run(&b, 1), -EIO,
		"first: of a file that was rewritten, page 2");
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "stale translation");
	b.workload->teardown(&b);
}

Test(rewrite, an_old_content_is_a_violation)
{
	unsigned char old[PAGE];
	struct bench b;

	open_rewrite(&b);
	memcpy(old, memory_of(&b) + PAGE, PAGE);
	memcpy(put_page(memory_of(&b) + PAGE), old, PAGE);
	assert_fails(&b, b.workload->run(&b, 1), -EIO, "stale translation");
	b.workload->teardown(&b);
}

Test(rewrite, without_reclaim_it_proves_nothing)
{
	struct bench b;

	open_rewrite(&b);
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	reported = 3;
	assert_fails(&b, b.workload->verify(&b, 1), -EAGAIN, "only 3 of at least 16 pages");
	b.workload->teardown(&b);
}

Test(rewrite, alone_it_is_skipped)
{
	struct bench b = bench_of("rewrite:threads=0");

	assert_fails(&b, b.workload->setup(&b), -EOPNOTSUPP, "nobody else");
	b.workload->teardown(&b);
}
