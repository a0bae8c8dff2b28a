// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole files out: replaced, or written into where they are none. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

Test(file, replace)
{
	char folder[] = "/tmp/test-file-XXXXXX", *path, *text = NULL;
	struct stat before, after;

	cr_assert_not_null(mkdtemp(folder));
	path = mem_format("%s/a", folder);
	cr_expect_eq(file_replace(path, "one\n", 4), 0);
	cr_assert_eq(stat(path, &before), 0);
	cr_expect_eq(file_replace(path, "two\n", 4), 0);
	cr_assert_eq(stat(path, &after), 0);
	cr_expect_neq(before.st_ino, after.st_ino, "a new file under the old name");
	cr_assert_eq(file_read("", path, &text, NULL), 0);
	cr_expect_str_eq(text, "two\n");
	free(text);
	cr_expect_eq(file_replace(folder, "x", 1), -EISDIR, "a folder stays one");
	unlink(path);
	free(path);
	path = mem_format("%s/none/a", folder);
	cr_expect_eq(file_replace(path, "x", 1), -ENOENT);
	free(path);
	rmdir(folder);
}

Test(file, what_is_no_file_stays_what_it_is)
{
	char folder[] = "/tmp/test-file-XXXXXX", *path;
	struct stat st;

	cr_assert_not_null(mkdtemp(folder));
	path = mem_format("%s/null", folder);
	cr_assert_eq(symlink("/dev/null", path), 0);
	cr_expect_eq(file_replace(path, "x", 1), 0);
	cr_assert_eq(lstat(path, &st), 0);
	cr_expect(S_ISLNK(st.st_mode));
	unlink(path);
	cr_assert_eq(symlink("/dev/full", path), 0);
	cr_expect_eq(file_replace(path, "x", 1), -ENOSPC);
	unlink(path);
	free(path);
	rmdir(folder);
}
