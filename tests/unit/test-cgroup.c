// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the memory controller is, and a cgroup that is made and taken away for real. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/machine.h"
#include "measure/machine_cgroup.h"

static void put(const char *dir, const char *path, const char *text)
{
	char *full = mem_format("%s%s", dir, path), *slash;

	slash = strrchr(full, '/');
	*slash = '\0';
	cr_assert_eq(file_make_dirs(full), 0);
	*slash = '/';
	cr_assert_eq(file_replace(full, text, strlen(text)), 0);
	free(full);
}

static void remove_tree(const char *dir)
{
	const pid_t pid = fork();

	if (pid == 0)
		execlp("rm", "rm", "-rf", dir, NULL);
	waitpid(pid, NULL, 0);
}

Test(cgroup, finds_the_memory_controller)
{
	static const struct {
		const char *mounts, *controllers; /* of /g, the cgroup2 there */
		int version;                      /* 0: -ENODEV */
		const char *mount;
	} cases[] = {
		{ "none /g cgroup2 rw 0 0\n", "cpu memory pids\n", 2, "/g" },
		{ "none /g cgroup2 rw 0 0\n", "cpu memoryx pids\n", 0, NULL },
		{ "none /g cgroup2 rw 0 0\n", "\n", 0, NULL },
		{ "none /g cgroup2 rw 0 0\nc /m cgroup rw,memory 0 0\n", "hugetlb\n", 1,
			"/m" },
		{ "c /p cgroup rw,pids 0 0\nc /a\\040b cgroup rw,memory 0 0\n", "", 1,
			"/a b" },
		{ "c /p cgroup rw,pids 0 0\nt /m tmpfs rw,memory 0 0\n", "memory\n", 0,
			NULL },
		{ "", "memory\n", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char dir[] = "/tmp/test-cgroup.XXXXXX", *mount = NULL;
		int version = 77, r;
		struct err err = { "" };

		cr_assert_not_null(mkdtemp(dir));
		put(dir, "/proc/self/mounts", cases[i].mounts);
		put(dir, "/g/cgroup.controllers", cases[i].controllers);
		r = cgroup_find(dir, &mount, &version, &err);
		remove_tree(dir);
		cr_assert_eq(r, cases[i].version ? 0 : -ENODEV, "case %zu: %d", i, r);
		cr_assert_eq(version, r == 0 ? cases[i].version : 77, "case %zu", i);
		if (r == 0)
			cr_assert_str_eq(mount, cases[i].mount, "case %zu: %s", i, mount);
		else
			cr_assert(strstr(err.text, "memory controller"), "%s", err.text);
		free(mount);
	}
}

static pid_t member_of(const char *cgroup)
{
	char *path = mem_format("%s/cgroup.procs", cgroup), *pid;
	const pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	pid = mem_format("%d", (int)child);
	cr_assert_eq(file_poke(path, pid), 0);
	free(pid);
	free(path);
	return child;
}

Test(cgroup, is_made_and_removed_with_what_is_in_it)
{
	char dir[] = "/tmp/test-cgroup.XXXXXX", *path = NULL;
	struct machine *m;
	struct err err = { "" };
	int version = 0, r, status;
	pid_t member;

	cr_assert_not_null(mkdtemp(dir));
	cr_assert_eq(machine_open(dir, &m, &err), 0, "%s", err.text);
	r = machine_add_cgroup(m, &path, &version, &err);
	if (r < 0) {
		cr_assert_neq(err.text[0], '\0');
		cr_assert_null(path);
		machine_close(m, NULL);
		remove_tree(dir);
		cr_skip_test("no cgroup can be made here");
	}
	cr_assert(version == 1 || version == 2);
	cr_assert_eq(access(path, F_OK), 0);
	r = machine_add_cgroup(m, &path, &version, &err);
	cr_assert_eq(r, -EEXIST, "what is there already is not ours to remove: %d", r);
	member = member_of(path);
	cr_assert_eq(machine_close(m, &err), 0, "%s", err.text);
	cr_assert_eq(waitpid(member, &status, 0), member);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	cr_assert_neq(access(path, F_OK), 0, "%s is left", path);
	free(path);
	remove_tree(dir);
}
