// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/sysctls.h"

static char root[] = "/tmp/test-sysctls-XXXXXX";

static void write_file(const char *name, const char *content)
{
	char *path = mem_format("%s/proc/sys/vm/%s", root, name);

	cr_assert_eq(file_replace(path, content, strlen(content)), 0);
	free(path);
}

static char *read_back(const char *name)
{
	char *path = mem_format("/proc/sys/vm/%s", name), *text;

	cr_assert_eq(file_read_line(root, path, &text), 0);
	free(path);
	return text;
}

static void make_root(void)
{
	char *folder;

	cr_assert_not_null(mkdtemp(root));
	folder = mem_format("%s/proc/sys/vm", root);
	cr_assert_eq(file_make_dirs(folder), 0);
	free(folder);
	write_file("a", "10\n");
	write_file("b", "1\t2\t3\n");
}

static void remove_root(void)
{
	static const char *const names[] = { "/proc/sys/vm/a", "/proc/sys/vm/b",
		"/proc/sys/vm", "/proc/sys", "/proc", "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *path = mem_format("%s%s", root, names[i]);

		remove(path);
		free(path);
	}
}

TestSuite(sysctls, .init = make_root, .fini = remove_root);

Test(sysctls, are_as_before_when_set_back)
{
	struct job_sysctls s = { 0 }, before, between;
	char *now;

	job_add_sysctl(&s, "vm.a", "20");
	job_add_sysctl(&s, "vm.a", "30");
	job_add_sysctl(&s, "vm.b", "4 5 6");
	cr_assert_eq(sysctls_set(root, &s, &before, NULL), 0);
	now = read_back("a");
	cr_assert_str_eq(now, "30");
	free(now);
	cr_assert_eq(before.count, 2);
	cr_assert_str_eq(before.items[1].value, "1 2 3");
	cr_assert_eq(sysctls_set(root, &before, &between, NULL), 0);
	now = read_back("a");
	cr_assert_str_eq(now, "10");
	free(now);
	now = read_back("b");
	cr_assert_str_eq(now, "1 2 3");
	free(now);
	job_sysctls_clear(&between);
	job_sysctls_clear(&before);
	job_sysctls_clear(&s);
}

Test(sysctls, that_are_not_there_are_named)
{
	struct job_sysctls s = { 0 }, before = { 0 };
	struct err err = { "" };

	job_add_sysctl(&s, "vm.a", "20");
	job_add_sysctl(&s, "vm.none", "1");
	cr_assert_eq(sysctls_set(root, &s, &before, &err), -ENOENT);
	cr_assert(strstr(err.text, "sysctl vm.none"), "%s", err.text);
	cr_assert_null(before.items);
	job_sysctls_clear(&s);
}
