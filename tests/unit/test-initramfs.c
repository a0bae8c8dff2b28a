// SPDX-License-Identifier: GPL-2.0-or-later
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "kernels/elf.h"
#include "kernels/initramfs.h"

/* "mode path bytes mtime" of each member, a line each; freed by the caller. */
static char *list(const char *cpio, size_t bytes)
{
	struct archive *a = archive_read_new();
	struct archive_entry *e;
	char *text;
	size_t text_bytes;
	FILE *to = open_memstream(&text, &text_bytes);

	archive_read_support_format_cpio(a);
	cr_assert_eq(archive_read_open_memory(a, cpio, bytes), ARCHIVE_OK);
	while (archive_read_next_header(a, &e) == ARCHIVE_OK)
		fprintf(to, "%o %s %d %d\n", (unsigned int)archive_entry_mode(e),
			archive_entry_pathname(e), (int)archive_entry_size(e),
			(int)archive_entry_mtime(e));
	archive_read_free(a);
	fclose(to);
	return text;
}

static void encode(const struct layer *l, char **ret, size_t *ret_bytes)
{
	struct err err = { "" };

	cr_assert_eq(layer_encode(l, ret, ret_bytes, &err), 0, "%s", err.text);
	cr_assert_eq(*ret_bytes % 512, 0);
}

Test(initramfs, is_sorted_and_has_all_folders)
{
	struct layer *l = layer_new();
	char *cpio, *text;
	size_t bytes;

	cr_assert_eq(layer_add_data(l, "/usr/b/two", "22", 2, 0755, NULL), 0);
	cr_assert_eq(layer_add_data(l, "/init", "1", 1, 0755, NULL), 0);
	cr_assert_eq(layer_add_data(l, "/usr/a", "", 0, 0644, NULL), 0);
	encode(l, &cpio, &bytes);
	text = list(cpio, bytes);
	cr_assert_str_eq(text, "100755 init 1 0\n40755 usr 0 0\n100644 usr/a 0 0\n"
			       "40755 usr/b 0 0\n100755 usr/b/two 2 0\n");
	free(text);
	free(cpio);
	layer_free(l);
}

Test(initramfs, is_the_same_in_whatever_order_it_was_filled)
{
	static const char *const paths[] = { "/a/b", "/a/c", "/d" };
	char *cpio[2];
	size_t bytes[2];

	for (int i = 0; i < 2; i++) {
		struct layer *l = layer_new();

		for (int k = 0; k < 3; k++) {
			const char *path = paths[i ? 2 - k : k];

			cr_assert_eq(layer_add_data(l, path, path, 2, 0644, NULL), 0);
		}
		encode(l, &cpio[i], &bytes[i]);
		layer_free(l);
	}
	cr_assert_eq(bytes[0], bytes[1]);
	cr_assert_eq(memcmp(cpio[0], cpio[1], bytes[0]), 0);
	free(cpio[0]);
	free(cpio[1]);
}

Test(initramfs, refuses_two_files_for_one_path)
{
	struct layer *l = layer_new();
	struct err err;

	cr_assert_eq(layer_add_data(l, "/a", "1", 1, 0644, NULL), 0);
	cr_assert_eq(layer_add_data(l, "/a", "1", 1, 0644, NULL), 0);
	cr_assert_eq(layer_add_data(l, "/a", "2", 1, 0644, &err), -EEXIST);
	cr_assert(strstr(err.text, "/a"));
	cr_assert_eq(layer_add_data(l, "/a", "1", 1, 0755, NULL), -EEXIST);
	layer_free(l);
}

Test(initramfs, takes_a_program_with_all_that_it_loads)
{
	struct layer *l = layer_new();
	struct elf_needs needs;
	struct err err = { "" };
	char *cpio, *text;
	size_t bytes;

	cr_assert_eq(elf_read_needs("/proc/self/exe", &needs, &err), 0, "%s", err.text);
	cr_assert_not_null(needs.loader);
	cr_assert_eq(layer_add_program(l, "/bin/test", "/proc/self/exe", "", &err), 0, "%s",
		err.text);
	encode(l, &cpio, &bytes);
	text = list(cpio, bytes);
	cr_assert(strstr(text, "100755 bin/test "));
	cr_assert(strstr(text, needs.loader + 1));
	cr_assert(strstr(text, "/libc.so.6 "));
	cr_assert(strstr(text, "/libcriterion.so"));
	/* Needed by a library that this program needs, and by the program as well. */
	for (size_t i = 0; i < needs.n_names; i++)
		cr_assert(strstr(text, needs.names[i]), "%s", needs.names[i]);
	free(text);
	free(cpio);
	elf_needs_clear(&needs);
	layer_free(l);
}

Test(initramfs, names_what_is_no_program)
{
	char *path = mem_format("/tmp/not-elf-%d", (int)getpid());
	static const char *const contents[] = { "", "#!/bin/sh\n", "\177ELF",
		"\177ELF\2\1\1" };
	struct layer *l = layer_new();
	struct err err;

	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		cr_assert_eq(file_replace(path, contents[i], strlen(contents[i])), 0);
		cr_assert_eq(layer_add_program(l, "/bin/x", path, "", &err), -ENOEXEC);
		cr_assert(strstr(err.text, path), "%s", err.text);
	}
	unlink(path);
	cr_assert_eq(layer_add_program(l, "/bin/x", path, "", &err), -ENOENT);
	layer_free(l);
	free(path);
}

Test(initramfs, takes_nothing_of_this_machine_for_another)
{
	char *root = mem_format("/tmp/root-%d", (int)getpid());
	char *lib = mem_format("%s/lib64", root), *libs = mem_format("%s/lib", root);
	struct layer *l = layer_new();
	struct err err;

	cr_assert_eq(file_make_dirs(root), 0);
	cr_assert_eq(layer_add_program(l, "/bin/x", "/proc/self/exe", root, &err), -ENOENT);
	cr_assert(strstr(err.text, root), "%s", err.text);
	/* A link out of the root. */
	cr_assert_eq(symlink("/lib64", lib), 0);
	cr_assert_eq(symlink("/lib", libs), 0);
	cr_assert_eq(layer_add_program(l, "/bin/x", "/proc/self/exe", root, &err), -ENOENT);
	cr_assert(strstr(err.text, "loader"), "%s", err.text);
	unlink(lib);
	unlink(libs);
	rmdir(root);
	layer_free(l);
	free(lib);
	free(libs);
	free(root);
}
