// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/remote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/process.h"
#include "base/quote.h"

#define GRACE_MS 5000

/* A host that was reset says nothing any more: then the connection has to end by itself. */
#define SSH_OPTIONS                                                                        \
	"-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15"

char *remote_last_line(const char *text)
{
	const char *end = text + strlen(text), *start;

	while (end > text && strchr("\r\n", end[-1]))
		end--;
	for (start = end; start > text && !strchr("\r\n", start[-1]); start--)
		;
	return mem_format("%.*s", (int)(end - start), start);
}

char *remote_command(const char *const *words)
{
	char *command = NULL;

	for (size_t i = 0; words[i]; i++)
		quote_add(&command, words[i]);
	for (size_t i = 0; command && command[i]; i++)
		if (command[i] == '\n')
			command[i] = ' ';
	return command;
}

static void collect(void *context, const char *line)
{
	fprintf(context, "%s\n", line);
}

/* 0 with the exit status and all that was written. */
static int run(const struct remote *r, const char *const *argv, int *ret_status,
	char **ret_output, struct err *err)
{
	size_t bytes;
	char *output = NULL;
	FILE *to = open_memstream(&output, &bytes);
	const struct process_spec spec = {
		.argv = argv, .on_line = collect, .context = to
	};
	struct process *p;
	int status = 0, code = to ? process_start(&spec, &p, err) : -ENOMEM;

	if (code == 0) {
		code = process_wait(p, -1, r->stop, &status);
		if (code < 0) {
			process_stop(p, GRACE_MS, NULL);
			err_set(err, code, "%s: %s", argv[0], strerror(-code));
		} else if (!WIFEXITED(status)) {
			code = err_set(err, -ECHILD, "%s crashed", argv[0]);
		}
		process_free(p);
	}
	if (to)
		fclose(to);
	if (code == 0) {
		*ret_status = WEXITSTATUS(status);
		*ret_output = output;
	} else {
		free(output);
	}
	return code;
}

int remote_run(const struct remote *r, const char *const *words, int *ret_status,
	char **ret_output, struct err *err)
{
	char *command = remote_command(words);
	const char *const argv[] = { "ssh", SSH_OPTIONS, "--", r->host, command, NULL };
	const int code = run(r, argv, ret_status, ret_output, err);

	free(command);
	return code;
}

static int copy(const struct remote *r, const char *from, const char *to, struct err *err)
{
	const char *const argv[] = { "scp", "-q", SSH_OPTIONS, "--", from, to, NULL };
	char *output, *last;
	int status, code = run(r, argv, &status, &output, err);

	if (code < 0)
		return code;
	if (status != 0) {
		last = remote_last_line(output);
		code = err_set(err, -ECHILD, "scp: %s", last);
		free(last);
	}
	free(output);
	return code;
}

int remote_put(const struct remote *r, const char *from, const char *to, struct err *err)
{
	char *there = mem_format("%s:%s", r->host, to);
	const int code = copy(r, from, there, err);

	free(there);
	return code;
}

int remote_get(const struct remote *r, const char *from, const char *to, struct err *err)
{
	char *there = mem_format("%s:%s", r->host, from);
	const int code = copy(r, there, to, err);

	free(there);
	return code;
}
