// SPDX-License-Identifier: GPL-2.0-or-later
/* victim and allocate, on a machine that reports what the test wants. */
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/latency.h"
#include "bench-open.h"

static const int others[] = { 0 };

/* As the harness does: this thread on one CPU, the workload's on the other. */
static void open_beside(struct bench *b, const char *text)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	cr_assert_eq(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
	*b = bench_of(text);
	b->cpu = 1;
	b->other_cpus = others;
	b->n_other_cpus = 1;
	cr_assert_eq(b->workload->setup(b), 0, "%s", b->reason);
}

static void need_two_cpus(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		cr_skip_test("one CPU");
}

/* Long enough for the walkers to have walked, however busy the machine. */
static void run_until_latency(struct bench *b, uint64_t n)
{
	for (int i = 0; i < 1000; i++) {
		b->reason[0] = '\0';
		cr_assert_eq(b->workload->run(b, n), 0, "%s", b->reason);
		if (b->workload->verify(b, n) == 0 && b->no_metric[0][0] == '\0')
			return;
		usleep(1000);
	}
	cr_assert_fail("no latency: %s %s", b->reason, b->no_metric[0]);
}

Test(victim, walkers_have_a_latency_and_the_pages_their_content, .timeout = 60)
{
	struct bench b;

	need_two_cpus();
	open_beside(&b, "victim:size=64K,victims=1,wset=32,work=none");
	cr_assert_eq(b.units_per_op, 16);
	run_until_latency(&b, 1000);
	cr_assert_gt(b.metric[0], 0);
	cr_assert_geq(b.metric[1], b.metric[0]);
	cr_assert_geq(b.metric[2], b.metric[1]);
	memory_of(&b)[3 * 4096 + 9] ^= 1;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "page 3 came back");
	b.workload->teardown(&b);
}

Test(victim, without_victims_there_is_no_latency)
{
	struct bench b = bench_of("victim:size=64K,victims=0,work=none");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 2), 0, "%s", b.reason);
	cr_assert_eq(b.workload->verify(&b, 2), 0, "%s", b.reason);
	for (size_t i = 0; i < BENCH_LATENCY_COUNT; i++)
		cr_assert_str_eq(b.no_metric[i], "no thread was asked for");
	cr_assert_neq(b.no_metric[BENCH_LATENCY_COUNT][0], '\0');
	b.workload->teardown(&b);
}

Test(victim, pages_that_stay_are_no_proof)
{
	struct bench b = bench_of("victim:size=64K,victims=0");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	bench_read_pages(memory_of(&b), 64 << 10, 4096);
	reported = 16;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "still resident");
	b.workload->teardown(&b);
}

Test(victim, one_node_is_skipped)
{
	struct bench b = bench_of("victim:size=64K,victims=0,work=migrate");

	assert_fails(&b, b.workload->setup(&b), -EOPNOTSUPP, "one memory node");
	b.workload->teardown(&b);
}

Test(allocate, faults_that_were_not_counted_are_no_proof)
{
	struct bench b = bench_of("allocate:size=64K,reclaimers=0");

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.workload->run(&b, 4), 0, "%s", b.reason);
	reported = 4 * 16;
	cr_assert_eq(b.workload->verify(&b, 4), 0, "%s", b.reason);
	cr_assert_gt(b.metric[0], 0);
	reported = 4 * 16 * 9 / 10;
	assert_fails(&b, b.workload->verify(&b, 4), -EIO, "only 57 of 64 pages were new");
	b.workload->teardown(&b);
}

Test(allocate, a_page_that_was_not_zero_is_found)
{
	struct bench b = bench_of("allocate:size=64K,reclaimers=0");
	unsigned char *memory;

	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	memory = memory_of(&b);
	memory[7 * 4096 + 8] = 1;
	cr_assert_eq(b.workload->run(&b, 1), 0, "%s", b.reason);
	reported = 16;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "held what somebody left");
	b.workload->teardown(&b);
}

Test(allocate, reclaim_that_did_not_happen_is_no_proof, .timeout = 60)
{
	struct bench b;

	need_two_cpus();
	open_beside(&b, "allocate:size=64K,reclaimers=1");
	reported = 1000;
	run_until_latency(&b, 10);
	reported = 0;
	assert_fails(&b, b.workload->verify(&b, 0), -EAGAIN, "no page was reclaimed");
	b.workload->teardown(&b);
}
