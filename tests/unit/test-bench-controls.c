// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/mman.h>

#include "bench-open.h"

Test(munmap, pages_that_were_not_touched_are_no_proof)
{
	struct bench b = bench_of("munmap:size=64K");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	reported = 1000;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "still mapped");
	cr_assert_eq(b.workload->run(&b, 3), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 3), 0, "%s", b.reason);
	reported = 40;
	assert_fails(&b, b.workload->verify(&b, 3), -EIO, "only 40 of 48 pages");
	b.workload->teardown(&b);
}

Test(storm, a_page_that_is_left_is_no_proof)
{
	struct bench b = bench_of("storm:size=64K,threads=0");
	unsigned char *memory;

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 3), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 3), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 2), 0, "%s", b.reason);
	memory = memory_of(&b);
	memory[3 * 4096] = 1;
	assert_fails(&b, b.workload->verify(&b, 2), -EIO, "page 3 of thread 0 kept");
	b.workload->teardown(&b);
}

Test(mprotect, a_page_that_takes_a_store_is_no_proof)
{
	struct bench b = bench_of("mprotect:size=64K");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 3), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 3), 0, "%s", b.reason);
	mprotect(memory_of(&b) + 3 * 4096, 4096, PROT_READ | PROT_WRITE);
	assert_fails(&b, b.workload->verify(&b, 3), -EIO, "page 3 took a store");
	memset(memory_of(&b) + 3 * 4096, 0, 8);
	assert_fails(&b, b.workload->verify(&b, 3), -EIO, "page 3 lost what was written");
	b.workload->teardown(&b);
}
