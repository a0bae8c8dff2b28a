// SPDX-License-Identifier: GPL-2.0-or-later
/* A guest's disk, read by another program than the one that made it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/disk.h"
#include "tests/guest/scratch.h"

static char *put(const char *name, const char *text)
{
	char *path = mem_format("%s/%s", scratch, name);

	cr_assert_eq(file_replace(path, text, strlen(text)), 0);
	return path;
}

static char *debugfs(const char *image, const char *request)
{
	const char *const argv[] = { "/usr/sbin/debugfs", "-R", request, image, NULL };
	const struct process_spec spec = { .argv = argv };
	struct err err = { "" };
	char *text = NULL;

	cr_assert_eq(process_capture(&spec, &text, &err), 0, "%s", err.text);
	return text;
}

static void make(const char *image, const struct disk_plan *plan)
{
	struct err err = { "" };
	const int ret = disk_make(image, plan, &err);

	if (ret == -ENOENT && strstr(err.text, "mke2fs"))
		cr_skip_test("no mke2fs");
	cr_assert_eq(ret, 0, "%s", err.text);
}

Test(disk, holds_the_files_it_was_given, .init = scratch_make, .fini = scratch_remove)
{
	const char *const files[] = { put("one", "first model"), put("two", "second"),
		NULL };
	const struct disk_plan plan = { (uint64_t)300 << 20, files };
	char *image = mem_format("%s/disk.img", scratch), *folder, *text;
	struct stat st;

	make(image, &plan);
	text = debugfs(image, "cat /one");
	cr_assert(strstr(text, "first model"), "%s", text);
	text = debugfs(image, "cat /two");
	cr_assert(strstr(text, "second"), "%s", text);
	cr_assert_eq(stat(image, &st), 0);
	cr_assert_geq(st.st_size, (off_t)300 << 20);
	cr_assert_lt(st.st_blocks, 100 << 11, "it takes no room before it is used");
	folder = mem_format("%s.d", image);
	cr_assert_neq(access(folder, F_OK), 0, "%s is left", folder);
	cr_assert_eq(access(files[0], F_OK), 0);
}

Test(disk, refuses_what_cannot_lie_there, .init = scratch_make, .fini = scratch_remove)
{
	const char *const missing[] = { "/nonexistent/model", NULL };
	const char *const folder[] = { scratch, NULL };
	const char *const same[] = { put("one", "x"), put("./one", "x"), NULL };
	const struct {
		const char *const *files;
		int code;
		const char *words;
	} cases[] = {
		{ missing, -ENOENT, "/nonexistent/model" },
		{ folder, -EINVAL, "no regular file" },
		{ same, -EEXIST, "one: cannot be put" },
	};
	char *image = mem_format("%s/disk.img", scratch);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct disk_plan plan = { 0, cases[i].files };
		struct err err = { "" };
		const int ret = disk_make(image, &plan, &err);

		if (ret == -ENOENT && strstr(err.text, "mke2fs"))
			cr_skip_test("no mke2fs");
		cr_assert_eq(ret, cases[i].code, "case %zu: %s", i, err.text);
		cr_assert(strstr(err.text, cases[i].words), "%s", err.text);
		cr_assert_neq(access(image, F_OK), 0);
	}
}

Test(disk, says_what_mke2fs_says, .init = scratch_make, .fini = scratch_remove)
{
	const char *const none[] = { NULL };
	const struct disk_plan plan = { 0, none };
	char *image = mem_format("%s/disk.img", scratch);
	struct err err = { "" };
	int ret;

	/* A folder in its place. */
	cr_assert_eq(mkdir(image, 0755), 0);
	ret = disk_make(image, &plan, &err);
	if (ret == -ENOENT)
		cr_skip_test("no mke2fs");
	cr_assert_eq(ret, -ECHILD, "%s", err.text);
	cr_assert(strstr(err.text, "cannot be made") && !strchr(err.text, '\n'), "%s",
		err.text);
}
