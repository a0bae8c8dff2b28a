// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/vmstat.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static struct vmstat parse(const char *text)
{
	struct vmstat v;
	struct err err = { "" };

	cr_assert_eq(vmstat_parse(text, &v, &err), 0, "%s", err.text);
	return v;
}

Test(vmstat, reads_below_a_root)
{
	static const struct {
		const char *root;
		int found; /* of nr_tlb_remote_flush */
		uint64_t flushes, pswpout;
	} machines[] = {
		{ "tests/fixtures/x86", 0, 50, 4294967297 },
		{ "tests/fixtures/arm64", -ENODATA, 42, 0 },
		{ "tests/fixtures/riscv", -ENODATA, 42, 2 },
		{ "tests/fixtures/ppc64le", -ENODATA, 42, 2 },
		{ "tests/fixtures/s390x", -ENODATA, 42, 2 },
	};

	for (size_t i = 0; i < COUNT(machines); i++) {
		uint64_t flushes = 42, pswpout = 42;
		struct err err = { "" };
		struct vmstat v;

		cr_assert_eq(vmstat_read(machines[i].root, &v, &err), 0, "%s", err.text);
		cr_expect_eq(vmstat_find(&v, "nr_tlb_remote_flush", &flushes),
			machines[i].found, "%s", machines[i].root);
		cr_expect_eq(flushes, machines[i].flushes);
		cr_expect_eq(vmstat_find(&v, "pswpout", &pswpout), 0);
		cr_expect_eq(pswpout, machines[i].pswpout);
		vmstat_clear(&v);
	}
}

Test(vmstat, says_what_it_could_not_read)
{
	struct err err = { "" };
	struct vmstat v;

	cr_expect_eq(vmstat_read("tests/fixtures/none", &v, &err), -ENOENT);
	cr_expect(strstr(err.text, "tests/fixtures/none/proc/vmstat"), "%s", err.text);
}

Test(vmstat, blanks_around_and_empty_lines)
{
	struct vmstat v = parse("\n  pswpin 7   \t\n\n\tnr_tlb_local_flush_one  8\r\n\n");
	uint64_t n = 0;

	cr_expect_eq(v.count, 2);
	cr_expect_eq(vmstat_find(&v, "pswpin", &n), 0);
	cr_expect_eq(n, 7);
	cr_expect_eq(vmstat_find(&v, "nr_tlb_local_flush_one", &n), 0);
	cr_expect_eq(n, 8);
	cr_expect_eq(
		vmstat_find(&v, "nr_tlb_local_flush", &n), -ENODATA, "a prefix is no name");
	vmstat_clear(&v);
}

Test(vmstat, refuses_in_one_line)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "no counter" },
		{ "\n\n", "no counter" },
		{ "pswpin 1\npswpout\n", "line 2" },
		{ "pswpin\n1\n", "line 1" },
		{ "pswpin -1\n", "line 1" },
		{ "pswpin 1.5\n", "line 1" },
		{ "pswpin 1 2\n", "line 1" },
		{ "12 34\n", "line 1" },
		{ "pswpin 0x12\n", "line 1" },
		{ "pswpin 18446744073709551616\n", "line 1" },
		{ "pswpin: 1\npswpout - 3\n", "line 2" },
		/* Two snapshots in one file, and one whose end is missing. */
		{ "pswpin 1\npswpout 2\npswpin 3\n", "line 3: a second pswpin" },
		{ "pswpin 1\npswpout 2", "line 2: cut" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct vmstat v = { .count = 42 };
		struct err err = { "" };

		cr_expect_eq(
			vmstat_parse(bad[i].text, &v, &err), -EINVAL, "%s", bad[i].text);
		cr_expect(strstr(err.text, bad[i].why), "%s: %s", bad[i].text, err.text);
		cr_expect_eq(v.count, 42, "touched the output");
	}
}

Test(vmstat, deltas)
{
	struct vmstat before = parse("up 10\nsame 5\ndown 9\ngone 1\nbig 1\n");
	struct vmstat after =
		parse("new 3\nup 4294967306\nsame 5\ndown 8\nbig 18446744073709551615\n");
	static const struct {
		const char *name;
		int ret;
		uint64_t delta;
	} deltas[] = {
		{ "up", 0, 4294967296 },
		{ "same", 0, 0 },
		{ "big", 0, UINT64_MAX - 1 },
		{ "down", -ESTALE, 42 },
		{ "gone", -ENODATA, 42 },
		{ "new", -ENODATA, 42 },
		{ "never", -ENODATA, 42 },
	};

	for (size_t i = 0; i < COUNT(deltas); i++) {
		uint64_t delta = 42;

		cr_expect_eq(vmstat_delta(&before, &after, deltas[i].name, &delta),
			deltas[i].ret, "%s", deltas[i].name);
		cr_expect_eq(delta, deltas[i].delta, "%s: %lu", deltas[i].name, delta);
	}
	vmstat_clear(&before);
	vmstat_clear(&after);
}

/* In a mount namespace of its own; 77: not allowed to make one. */
static int read_fake(void)
{
	struct err err = { "" };
	struct vmstat v;

	if (unshare(CLONE_NEWNS) < 0 ||
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("tests/fixtures/x86/proc/vmstat", "/proc/vmstat", NULL, MS_BIND,
			NULL) < 0)
		return 77;
	if (vmstat_read("", &v, &err) != -EINVAL || !strstr(err.text, "mounted over"))
		return 1;
	return 0;
}

Test(vmstat, refuses_a_text_mounted_over_it)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(read_fake());
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		cr_skip("no right to mount");
	cr_expect_eq(WEXITSTATUS(status), 0);
}
