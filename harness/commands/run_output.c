// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/run_output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/run_table.h"
#include "commands/terminal.h"
#include "verdicts/compare.h"
#include "verdicts/compare_render.h"

/* How many earlier results are opened in search of one of this machine. */
#define EARLIER_MAX 50

static bool is_folder(const char *output)
{
	struct stat st;

	return output[strlen(output) - 1] == '/' ||
	       (stat(output, &st) == 0 && S_ISDIR(st.st_mode));
}

/* The folder that path lies in; freed by the caller. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return mem_text(".");
	return mem_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* "DIR/host"; freed by the caller. */
static char *host_folder(const char *output)
{
	struct utsname names;
	size_t length = strlen(output);

	while (length > 1 && output[length - 1] == '/')
		length--;
	uname(&names);
	for (char *at = names.nodename; *at; at++)
		if (*at == '/')
			*at = '_';
	return mem_format("%.*s/%s", (int)length, output,
		names.nodename[0] ? names.nodename : "unnamed");
}

int run_output_check(const char *output, struct err *err)
{
	char *folder;
	int ret = 0;

	if (!output)
		return 0;
	if (output[0] == '\0')
		return err_set(err, -EINVAL, "--output is empty: give a file or a folder");
	folder = is_folder(output) ? host_folder(output) : folder_of(output);
	if (is_folder(output))
		ret = file_make_dirs(folder);
	if (ret == 0 && access(folder, W_OK | X_OK) < 0)
		ret = -errno;
	if (ret < 0)
		err_set(err, ret, "cannot write to the folder %s: %s: give another with -o",
			folder, strerror(-ret));
	free(folder);
	return ret;
}

/* "DIR/host/20261130T170500Z-6.12.0.json" */
static char *path_in(const char *folder)
{
	const time_t now = time(NULL);
	struct utsname names;
	struct tm utc;
	char stamp[32];

	gmtime_r(&now, &utc);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
	uname(&names);
	return mem_format("%s/%s-%s.json", folder, stamp, names.release);
}

/* Where output cannot be written after all, the samples go to a temporary file. */
static int save(const struct record *record, const char *path)
{
	char rescue[] = "/tmp/shootdown-result-XXXXXX";
	struct err err;
	int fd;

	if (record_save(record, path, &err) == 0)
		return EXIT_OK;
	fprintf(stderr, "shootdown run: %s\n", err.text);
	fd = mkstemp(rescue);
	if (fd < 0)
		return EXIT_USAGE;
	close(fd);
	if (record_save(record, rescue, &err) == 0)
		fprintf(stderr, "shootdown run: the result is kept in %s\n", rescue);
	else
		unlink(rescue);
	return EXIT_USAGE;
}

static bool same_identity(const struct record *a, const struct record *b)
{
	struct comparison *c;
	bool same;

	if (compare_records(a, b, &(struct compare_options){ 0 }, &c) < 0)
		return false;
	same = c->n_identity == 0;
	comparison_free(c);
	return same;
}

static int is_result(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

/* The newest other result in the folder with the same identity, or NULL. */
static struct record *find_earlier(
	const struct record *record, const char *path, char **ret_path)
{
	char *folder = folder_of(path);
	const char *own = strrchr(path, '/') + 1;
	struct record *found = NULL;
	struct dirent **entries;
	const int n = scandir(folder, &entries, is_result, alphasort);

	for (int i = n - 1; i >= 0; i--) {
		char *other = mem_format("%s/%s", folder, entries[i]->d_name);

		if (!found && n - i <= EARLIER_MAX &&
			strcmp(entries[i]->d_name, own) != 0 &&
			record_load(other, &found, NULL) == 0) {
			if (same_identity(found, record)) {
				*ret_path = mem_text(other);
			} else {
				record_free(found);
				found = NULL;
			}
		}
		free(other);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	free(folder);
	return found;
}

static void compare_with_earlier(const struct record *record, const char *path)
{
	char *earlier_path = NULL, *text;
	struct record *earlier = find_earlier(record, path, &earlier_path);
	struct comparison *c;

	if (!earlier) {
		printf("No earlier result of this machine as it is now to compare with.\n");
		return;
	}
	if (compare_records(earlier, record, &(struct compare_options){ 0 }, &c) == 0) {
		const struct render_options options = {
			.base_name = earlier_path,
			.cand_name = path,
			.width = terminal_width(),
			.color = terminal_color(),
		};

		if (compare_render_text(c, &options, &text) == 0) {
			printf("\n%s", text);
			free(text);
		}
		comparison_free(c);
	}
	record_free(earlier);
	free(earlier_path);
}

/* The worst status decides; nothing but skipped workloads is no measurement. */
static int judge(const struct record *record)
{
	size_t n_measured = 0;

	for (size_t i = 0; i < record->n_runs; i++) {
		const enum run_status status = record->runs[i].status;

		if (status == RUN_FAILED || status == RUN_INVALID)
			return EXIT_FOUND;
		n_measured += status == RUN_OK;
	}
	return n_measured ? EXIT_OK : EXIT_NOTHING;
}

int run_output(const struct record *record, const char *output)
{
	char *path = NULL, *folder;
	int code = EXIT_OK;

	run_table_print(record);
	if (output && is_folder(output)) {
		folder = host_folder(output);
		path = path_in(folder);
		free(folder);
	} else if (output) {
		path = mem_text(output);
	}
	if (path) {
		code = save(record, path);
		if (code == EXIT_OK)
			printf("The result is in %s\n", path);
	}
	if (code == EXIT_OK && record->complete && path && is_folder(output))
		compare_with_earlier(record, path);
	free(path);
	return code == EXIT_OK ? judge(record) : code;
}
