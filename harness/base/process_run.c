// SPDX-License-Identifier: GPL-2.0-or-later
/* What is built on starting, waiting for and stopping a child. */
#include "base/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

int process_find(const char *name, char **ret_path)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/')) {
		if (access(name, X_OK) < 0)
			return -ENOENT;
		*ret_path = mem_text(name);
		return 0;
	}
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path) {
		size_t length = strcspn(path, ":");
		char *full = mem_format(
			"%.*s/%s", (int)(length ? length : 1), length ? path : ".", name);

		if (access(full, X_OK) == 0) {
			*ret_path = full;
			return 0;
		}
		free(full);
		path += length + (path[length] == ':');
	}
	return -ENOENT;
}

char *process_describe(int status)
{
	if (WIFSIGNALED(status))
		return mem_format("killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
	return mem_format("exit status %d", WEXITSTATUS(status));
}

/* What a caller waits for a child that was told to end, before SIGKILL. */
#define GRACE_MS 5000

int process_run(
	const struct process_spec *spec, const volatile sig_atomic_t *stop, struct err *err)
{
	struct process *p;
	int status, ret = process_start(spec, &p, err);

	if (ret < 0)
		return ret;
	ret = process_wait(p, -1, stop, &status);
	if (ret < 0) {
		process_stop(p, GRACE_MS, NULL);
		err_set(err, ret, "%s: %s", spec->argv[0],
			ret == -EINTR ? "interrupted" : strerror(-ret));
	} else if (status != 0) {
		char *how = process_describe(status);

		ret = err_set(err, -ECHILD, "%s: %s", spec->argv[0], how);
		free(how);
	}
	process_free(p);
	return ret;
}

static void collect(void *context, const char *line)
{
	fprintf(context, "%s\n", line);
}

int process_capture(const struct process_spec *spec, char **ret_output, struct err *err)
{
	struct process_spec listening = *spec;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int ret;

	if (!out)
		return err_set(err, -errno, "%s: %m", spec->argv[0]);
	listening.log = NULL;
	listening.on_line = collect;
	listening.context = out;
	ret = process_run(&listening, NULL, err);
	if (fclose(out) == EOF) {
		free(text);
		return err_set(err, -ENOMEM, "%s: its output is too long", spec->argv[0]);
	}
	if (ret == 0 || ret == -ECHILD)
		*ret_output = text;
	else
		free(text);
	return ret;
}
