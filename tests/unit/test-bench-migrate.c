// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "bench/nodes.h"
#include "bench-open.h"

#define AUTO BENCH_NODE_AUTO

Test(nodes, nearest_pair_or_a_reason)
{
	static const int near_4[] = { 4, 0, 6 };
	static const struct {
		size_t n_nodes;
		uint64_t from, to;
		int code, nodes[2];
	} cases[] = {
		{ 3, AUTO, AUTO, 0, { 4, 0 } },
		{ 3, 6, AUTO, 0, { 6, 4 } },
		{ 3, AUTO, 4, 0, { 0, 4 } },
		{ 3, AUTO, 6, 0, { 4, 6 } },
		{ 3, 4, AUTO, 0, { 4, 0 } },
		{ 3, 0, 6, 0, { 0, 6 } },
		{ 3, 6, 6, -EINVAL, { 0, 0 } },
		{ 3, 1, AUTO, -EOPNOTSUPP, { 0, 0 } }, /* not there, or without memory */
		{ 3, AUTO, 1023, -EOPNOTSUPP, { 0, 0 } },
		{ 1, AUTO, AUTO, -EOPNOTSUPP, { 0, 0 } },
		{ 1, 4, AUTO, -EOPNOTSUPP, { 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench b = { .nodes = near_4, .n_nodes = cases[i].n_nodes };
		int got[2] = { -1, -1 };

		cr_assert_eq(nodes_choose(&b, cases[i].from, cases[i].to, got),
			cases[i].code, "case %zu: %s", i, b.reason);
		if (cases[i].code < 0) {
			cr_assert_neq(b.reason[0], '\0', "case %zu", i);
			cr_assert_eq(got[0], -1);
			cr_assert_eq(b.fix[0] != '\0', cases[i].code == -EOPNOTSUPP);
			continue;
		}
		cr_assert_eq(got[0], cases[i].nodes[0], "case %zu: from %d", i, got[0]);
		cr_assert_eq(got[1], cases[i].nodes[1], "case %zu: to %d", i, got[1]);
	}
}

Test(nodes, mask_has_a_bit_for_each)
{
	struct node_mask mask = { { 0 } };
	const size_t bits = 8 * sizeof(mask.words[0]);

	node_mask_add(&mask, 0);
	node_mask_add(&mask, 65);
	node_mask_add(&mask, BENCH_NODES_MAX - 1);
	cr_assert_eq(mask.words[0] & 1, 1);
	cr_assert_eq(mask.words[65 / bits] >> (65 % bits) & 1, 1);
	cr_assert_eq(mask.words[(BENCH_NODES_MAX - 1) / bits], 1ul << (bits - 1));
}

/* From a node to itself: every call succeeds, every status is right, nothing moves. */
static struct bench open_in_place(const char *text)
{
	static const int same[] = { 0, 0 };
	struct bench b = bench_of(text);

	b.nodes = same;
	b.n_nodes = 2;
	cr_assert_eq(b.workload->setup(&b), 0, "%s", b.reason);
	cr_assert_eq(b.units_per_op, 2 * 64);
	return b;
}

static void need_numa(void)
{
	if (access("/sys/devices/system/node/node0", F_OK) < 0)
		cr_skip_test("this kernel has no NUMA");
}

Test(migrate, what_the_kernel_did_not_count_did_not_move)
{
	static const char *const specs[] = {
		"migrate:size=256K",
		"migrate:size=256K,call=migrate_pages",
		"migrate:size=256K,call=mbind,kind=shm",
		"migrate:size=256K,batch=7",
	};

	need_numa();
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct bench b = open_in_place(specs[i]);

		cr_assert_eq(b.workload->run(&b, 3), 0, "%s", b.reason);
		reported = 3 * 2 * 64 * 9 / 10;
		assert_fails(&b, b.workload->verify(&b, 3), -EIO, "pgmigrate_success");
		reported = 3 * 2 * 64;
		cr_assert_eq(b.workload->verify(&b, 3), 0, "%s: %s", specs[i], b.reason);
		b.workload->teardown(&b);
	}
}

Test(migrate, status_of_too_few_pages_is_no_proof)
{
	struct bench b;

	need_numa();
	b = open_in_place("migrate:size=256K");
	cr_assert_eq(b.workload->run(&b, 1), 0);
	reported = 1000;
	assert_fails(
		&b, b.workload->verify(&b, 2), -EIO, "move_pages moved only 128 of 256");
	b.workload->teardown(&b);
}

Test(migrate, other_content_is_found)
{
	struct bench b;

	need_numa();
	b = open_in_place("migrate:size=256K");
	cr_assert_eq(b.workload->run(&b, 1), 0);
	reported = 1000;
	memory_of(&b)[5 * 4096 + 9] ^= 1;
	assert_fails(&b, b.workload->verify(&b, 1), -EIO, "page 5 came back");
	b.workload->teardown(&b);
}

Test(migrate, more_batch_than_pages)
{
	struct bench b = bench_of("migrate:size=8K,batch=3");

	assert_fails(&b, b.workload->setup(&b), -EINVAL, "give at most 2");
	b.workload->teardown(&b);
}

Test(migrate, one_node_is_skipped_with_the_fix)
{
	static const int only[] = { 0 };
	struct bench b = bench_of("migrate");

	b.nodes = only;
	b.n_nodes = 1;
	assert_fails(&b, b.workload->setup(&b), -EOPNOTSUPP, "one memory node");
	cr_assert(strstr(b.fix, "numa=fake=2"), "%s", b.fix);
	b.workload->teardown(&b);
}
