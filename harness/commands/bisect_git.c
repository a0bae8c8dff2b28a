// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown bisect: which commit is asked next is git's business. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "commands/bisect_parts.h"
#include "commands/interrupt.h"

int bisect_check_idle(const char *tree, struct err *err)
{
	const char *const argv[] = { "git", "-C", tree, "rev-parse",
		"--path-format=absolute", "--git-path", "BISECT_LOG", NULL };
	const struct process_spec spec = { .argv = argv };
	char *path;
	int code = process_capture(&spec, &path, err);

	if (code == -ECHILD) {
		err_set(err, code, "%s: %.*s", tree, (int)strcspn(path, "\n"), path);
		free(path);
	}
	if (code < 0)
		return code;
	path[strcspn(path, "\n")] = '\0';
	if (access(path, F_OK) == 0)
		code = err_set(err, -EBUSY,
			"%s: a bisection is under way there: git bisect reset ends it",
			tree);
	free(path);
	return code;
}

int bisect_extract(
	const char *tree, const char *commit, const char *folder, struct err *err)
{
	char *archive = mem_format("%s.tar", folder), *part = mem_format("%s.part", folder);
	const char *const pack[] = { "git", "-C", tree, "archive", "--format=tar", "-o",
		archive, commit, NULL };
	const char *const unpack[] = { "tar", "-x", "-C", part, "-f", archive, NULL };
	const struct process_spec packing = { .argv = pack },
				  unpacking = { .argv = unpack };
	int code = 0;

	if (access(folder, F_OK) < 0) {
		code = file_make_dirs(part);
		if (code < 0)
			err_set(err, code, "%s: %s", part, strerror(-code));
		if (code == 0)
			code = process_run(&packing, &interrupted, err);
		if (code == 0)
			code = process_run(&unpacking, &interrupted, err);
		if (code == 0 && rename(part, folder) < 0)
			code = err_set(err, -errno, "%s: %m", folder);
		unlink(archive);
	}
	free(part);
	free(archive);
	return code;
}

static int start(const struct bisect_arguments *a, struct err *err)
{
	const char *const argv[] = { "git", "-C", a->ab.tree, "bisect", "start",
		"--no-checkout", a->bad, a->good, "--", NULL };
	const struct process_spec spec = { .argv = argv };
	char *said;
	const int code = process_capture(&spec, &said, err);

	if (code == -ECHILD)
		err_set(err, code, "git bisect start: %s", said);
	if (code == 0 || code == -ECHILD)
		free(said);
	return code;
}

static void print_line(void *context, const char *line)
{
	(void)context;
	puts(line);
	fflush(stdout);
}

static int run(const struct bisect_arguments *a, const char *const *words, int *ret_status,
	struct err *err)
{
	const char *argv[64] = { "git", "-C", a->ab.tree, "bisect", "run" };
	const struct process_spec spec = { .argv = argv, .on_line = print_line };
	struct process *p;
	size_t n = 5;
	int code;

	for (size_t i = 0; words[i]; i++) {
		if (n + 1 >= sizeof(argv) / sizeof(argv[0]))
			return err_set(err, -E2BIG, "too many words for one bisection");
		argv[n++] = words[i];
	}
	code = process_start(&spec, &p, err);
	if (code < 0)
		return code;
	code = process_wait(p, -1, &interrupted, ret_status);
	process_free(p);
	return code < 0 ? err_set(err, code, "interrupted") : 0;
}

int bisect_run_git(const struct bisect_arguments *a, const char *const *words,
	int *ret_status, struct err *err)
{
	const char *const reset[] = { "git", "-C", a->ab.tree, "bisect", "reset", NULL };
	const struct process_spec resetting = { .argv = reset };
	int code = start(a, err);

	if (code == 0)
		code = run(a, words, ret_status, err);
	/* What was measured is kept in the folder, so nothing is lost by it. */
	process_run(&resetting, NULL, NULL);
	return code;
}
