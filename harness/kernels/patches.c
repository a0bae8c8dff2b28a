// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/patches.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"

static int is_patch_name(const struct dirent *entry)
{
	static const char *const suffixes[] = { ".patch", ".diff", ".mbox", ".mbx" };
	const char *dot = strrchr(entry->d_name, '.');

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strcmp(dot, suffixes[i]) == 0 && entry->d_name[0] != '.')
			return 1;
	return 0;
}

/* A diff has two headed lines, one after the other, or is git's without content. */
static bool has_diff(const char *text)
{
	const char *old = strncmp(text, "--- ", 4) == 0 ? text : strstr(text, "\n--- ");

	for (; old; old = strstr(old + 1, "\n--- ")) {
		const char *next = strchr(old + 1, '\n');

		if (next && strncmp(next + 1, "+++ ", 4) == 0)
			return true;
	}
	return strstr(text, "\ndiff --git ") || strncmp(text, "diff --git ", 11) == 0;
}

static int add_file(const char *path, struct words *list, struct err *err)
{
	char *text;
	int code = file_read("", path, &text, NULL);

	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	if (has_diff(text))
		words_add(list, path);
	free(text);
	return 0;
}

static int add_folder(const char *path, struct words *list, struct err *err)
{
	struct dirent **names;
	int n = scandir(path, &names, is_patch_name, alphasort), code = 0;

	if (n < 0)
		return err_set(err, -errno, "%s: %m", path);
	for (int i = 0; i < n; i++) {
		char *full = mem_format("%s/%s", path, names[i]->d_name);

		if (code == 0)
			code = add_file(full, list, err);
		free(full);
		free(names[i]);
	}
	free(names);
	return code;
}

int patches_find(const char *path, struct words *list, struct err *err)
{
	size_t before = list->count;
	struct stat st;
	int code;

	if (stat(path, &st) < 0)
		return err_set(err, -errno, "%s: %m", path);
	code = S_ISDIR(st.st_mode) ? add_folder(path, list, err)
				   : add_file(path, list, err);
	if (code == 0 && list->count == before)
		code = err_set(err, -ENOENT, "%s: no patch in it", path);
	return code;
}

/* The line's rest after a prefix, or NULL. */
static const char *rest_of(const char *line, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(line, prefix, length) == 0 ? line + length : NULL;
}

/* One line of the output; file and header hold what was named before. */
static char *explain_line(const char *line, char *file, char *header)
{
	const char *rest;
	unsigned int hunk, at;

	if ((rest = rest_of(line, "patching file "))) {
		snprintf(file, 256, "%s", rest);
	} else if ((rest = rest_of(line, "|+++ "))) {
		snprintf(header, 256, "%.*s", (int)strcspn(rest, "\t"), rest);
	} else if (sscanf(line, "Hunk #%u FAILED at %u", &hunk, &at) == 2) {
		return mem_format("hunk %u of %s (line %u) does not apply", hunk, file, at);
	} else if (strstr(line, "previously applied) patch detected")) {
		return mem_format("%s seems to be patched already", file);
	} else if (rest_of(line, "No file to patch.")) {
		return mem_format("there is no file %s", header[0] ? header : "to patch");
	} else if ((rest = rest_of(line, "patch: **** "))) {
		return mem_text(rest);
	}
	return NULL;
}

char *patches_explain(const char *output)
{
	char file[256] = "a file", header[256] = "";
	char *copy = mem_text(output), *rest = copy, *line, *found = NULL;

	while (!found && (line = strsep(&rest, "\n")))
		found = explain_line(line, file, header);
	free(copy);
	return found ? found : mem_text("patch failed without a reason");
}

static int apply(const char *tree, const char *patch, struct err *err)
{
	const char *const argv[] = { "patch", "-p1", "--batch", "--forward", "--fuzz=0",
		"--no-backup-if-mismatch", "--reject-file=-", "-i", patch, NULL };
	const char *const env[] = { "LC_ALL=C", NULL };
	const struct process_spec spec = { .argv = argv, .cwd = tree, .env = env };
	char *output, *why;
	int code = process_capture(&spec, &output, err);

	if (code < 0 && code != -ECHILD)
		return code;
	if (code == -ECHILD) {
		const char *name = strrchr(patch, '/');

		why = patches_explain(output);
		code = err_set(err, -EBADMSG, "%s: %s", name ? name + 1 : patch, why);
		free(why);
	}
	free(output);
	return code;
}

int patches_apply(const char *tree, const struct words *list,
	const struct kernel_watch *watch, struct err *err)
{
	int code = 0;

	for (size_t i = 0; code == 0 && i < list->count; i++) {
		char *full = realpath(list->items[i], NULL);

		kernel_tell(
			watch, STAGE_PATCHING, (unsigned int)i, (unsigned int)list->count);
		/* The tree is the child's folder: a relative name would be lost. */
		code = full ? apply(tree, full, err)
			    : err_set(err, -errno, "%s: %m", list->items[i]);
		free(full);
	}
	return code;
}
