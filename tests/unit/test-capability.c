// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/capability.h"
#include "measure/capability_parts.h"

static const struct expected {
	const char *machine, *name;
	enum capability_state state;
	const char *found; /* stands in the line */
} expected[] = {
	{ "x86_64", "CPUs", CAPABILITY_OK, "4 online (0-3)" },
	{ "x86_64", "memory nodes", CAPABILITY_OK, "2 with memory (0-1)" },
	{ "x86_64", "swap", CAPABILITY_OK, "2 x zram lzo-rle 1G" },
	{ "x86_64", "zram", CAPABILITY_OK, "can be added" },
	{ "x86_64", "huge pages", CAPABILITY_OK, "madvise; shared memory: never" },
	{ "x86_64", "cgroup", CAPABILITY_OK, "version 2" },
	{ "x86_64", "perf rights", CAPABILITY_LIMITED, "user mode" },
	{ "x86_64", "interrupts", CAPABILITY_OK, "TLB" },
	{ "x86_64", "vmstat nr_tlb_*", CAPABILITY_UNAVAILABLE, "does not count" },
	{ "x86_64", "batching", CAPABILITY_OK, "/proc/config.gz" },
	{ "x86_64", "batching switch", CAPABILITY_OK, "is 0" },
	{ "aarch64", "memory nodes", CAPABILITY_UNAVAILABLE, "only node 0" },
	{ "aarch64", "zram", CAPABILITY_LIMITED, "not loaded" },
	{ "aarch64", "huge pages", CAPABILITY_OK, "always; shared memory: not there" },
	{ "aarch64", "cgroup", CAPABILITY_LIMITED, "version 1" },
	{ "aarch64", "perf rights", CAPABILITY_UNAVAILABLE, "4: no events" },
	{ "aarch64", "interrupts", CAPABILITY_LIMITED, "2 rows of other IPIs" },
	{ "aarch64", "batching", CAPABILITY_LIMITED, "does not batch" },
	{ "aarch64", "batching switch", CAPABILITY_UNAVAILABLE, "no vm.batched" },
	{ "ppc64le", "CPUs", CAPABILITY_LIMITED, "only CPU 0" },
	{ "ppc64le", "swap", CAPABILITY_UNAVAILABLE, "skipped" },
	{ "ppc64le", "cgroup", CAPABILITY_UNAVAILABLE, "not mounted" },
	{ "ppc64le", "batching", CAPABILITY_LIMITED, "unknown" },
	{ "pvm", "interrupts", CAPABILITY_LIMITED, "by hypercall" },
	{ "riscv64", "swap", CAPABILITY_UNAVAILABLE, "cannot be read" },
	{ "riscv64", "interrupts", CAPABILITY_UNAVAILABLE, "/proc/interrupts" },
	{ "riscv64", "vmstat nr_tlb_*", CAPABILITY_UNAVAILABLE, "/proc/vmstat" },
	{ "riscv64", "perf rights", CAPABILITY_UNAVAILABLE, "no perf events" },
};

static const struct capability *find(const struct capabilities *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->items[i].name, name) == 0)
			return &all->items[i];
	return NULL;
}

Test(capability, recorded_machines)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct expected *e = &expected[i];
		char *root = mem_format("tests/fixtures/machines/%s", e->machine);
		struct capabilities all;
		const struct capability *c;

		capabilities_find(root, &all);
		c = find(&all, e->name);
		cr_assert_not_null(c, "%s: no %s", e->machine, e->name);
		cr_expect(c->state == e->state && strstr(c->found, e->found),
			"%s, %s: %d, %s", e->machine, e->name, c->state, c->found);
		cr_expect_null(find(&all, "KVM"), "this machine was asked");
		capabilities_clear(&all);
		free(root);
	}
}

/* Of an ordinary user: the machine's root is not "", so that nobody is taken for root. */
Test(capability, levels_of_perf_event_paranoid)
{
	static const struct {
		const char *level, *found;
		enum capability_state state;
	} cases[] = {
		{ "-1", "all", CAPABILITY_OK },
		{ "0", "own processes only, no tracepoint", CAPABILITY_LIMITED },
		{ "1", "own processes only, no tracepoint", CAPABILITY_LIMITED },
		{ "2", "user mode of own processes only", CAPABILITY_LIMITED },
		{ "3", "no events at all", CAPABILITY_UNAVAILABLE },
		{ "4", "no events at all", CAPABILITY_UNAVAILABLE },
	};
	char root[] = "/tmp/shootdown-test-XXXXXX", *folder, *path;

	cr_assert(mkdtemp(root));
	folder = mem_format("%s/proc/sys/kernel", root);
	path = mem_format("%s/perf_event_paranoid", folder);
	cr_assert_eq(file_make_dirs(folder), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct capability c = { 0 };

		cr_assert_eq(file_replace(path, cases[i].level, strlen(cases[i].level)), 0);
		capability_paranoid(root, &c);
		cr_expect(c.state == cases[i].state && strstr(c.found, cases[i].found),
			"%s: %d, %s", cases[i].level, c.state, c.found);
		cr_expect_eq(c.fix == NULL, c.state == CAPABILITY_OK);
		free(c.found);
		free(c.fix);
	}
	unlink(path);
	for (char *slash; (slash = strrchr(folder, '/')) >= folder + strlen("/tmp");) {
		rmdir(folder);
		*slash = '\0';
	}
	free(folder);
	free(path);
}

Test(capability, this_machine_answers_to_all)
{
	struct capabilities all;

	capabilities_find("", &all);
	cr_assert_not_null(find(&all, "KVM"));
	cr_assert_not_null(find(&all, "tlb:tlb_flush"));
	for (size_t i = 0; i < all.count; i++) {
		cr_expect(
			all.items[i].found && *all.items[i].found, "%s", all.items[i].name);
		cr_expect_null(strchr(all.items[i].found, '\n'), "%s", all.items[i].name);
		cr_expect(all.items[i].state != CAPABILITY_OK || !all.items[i].fix,
			"%s has a fix", all.items[i].name);
	}
	capabilities_clear(&all);
}
