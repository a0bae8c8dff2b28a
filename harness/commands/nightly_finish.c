// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown nightly: what follows the last boot. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>

#include "base/data.h"
#include "base/mem.h"
#include "base/process.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/nightly_parts.h"

uint64_t nightly_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)time(NULL);
	/* Fits into a JSON integer. */
	return seed >> 1;
}

static void print_line(void *context, const char *line)
{
	(void)context;
	puts(line);
}

/* The program of this project with that name; its exit code, or -errno. */
static int call(const char *program, const char *const *words, struct err *err)
{
	char *path;
	int status, ret = data_program(program, &path);
	struct process_spec spec = { .on_line = print_line };
	const char *argv[8] = { 0 };
	struct process *p;

	if (ret < 0)
		return err_set(err, ret, "%s was not found beside this program", program);
	argv[0] = path;
	for (size_t i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	spec.argv = argv;
	ret = process_start(&spec, &p, err);
	free(path);
	if (ret < 0)
		return ret;
	ret = process_wait(p, -1, &interrupted, &status);
	process_free(p);
	if (ret < 0)
		return err_set(err, ret, "%s was stopped", program);
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : err_set(err, -ECHILD, "%s crashed", program);
}

/* Whether a series waits for a second run; that of a regression counts as well. */
static bool is_suspect(const struct night_session *s)
{
	const char *argv[] = { NULL, "history", "--out", "json", s->machine.results, NULL };
	const struct process_spec spec = { .argv = argv };
	json_int_t n_suspects;
	char *path, *text = NULL;
	json_t *top;

	if (data_program("shootdown", &path) < 0)
		return false;
	argv[0] = path;
	process_capture(&spec, &text, NULL);
	free(path);
	top = text ? json_loads(text, 0, NULL) : NULL;
	n_suspects = json_integer_value(json_object_get(top, "suspects"));
	json_decref(top);
	free(text);
	return n_suspects > 0;
}

/* Tonight's verdict, and what history makes of it; the exit code of the latter. */
static int decide(const struct night_session *s, const char *id, struct err *err)
{
	char *reference = night_result_path(&s->machine, id, ARM_BASE);
	char *tonight = night_result_path(&s->machine, id, ARM_CAND);
	const char *const pair[] = { reference, tonight, NULL };
	const char *const history[] = { "history", s->machine.results, NULL };
	int ret = call("compare-results", pair, err);

	if (ret >= 0)
		ret = call("shootdown", history, err);
	free(reference);
	free(tonight);
	return ret;
}

static char *current_id(const struct night_session *s)
{
	struct night n;
	char *id;

	if (night_fold(&s->journal, &n, NULL) < 0)
		return mem_text("");
	id = mem_text(n.id);
	night_clear(&n);
	return id;
}

/* A suspect is measured a second time in the same night. */
static int confirm(
	struct night_session *s, const char *id, bool *ret_goes_on, struct err *err)
{
	char *second = mem_format("%s" NIGHT_CONFIRM, id);
	const int ret = night_begin(s, NULL, second, nightly_seed(), err);

	free(second);
	if (ret == 0)
		*ret_goes_on = true;
	return ret;
}

int nightly_finish(struct night_session *s, const struct night_next *next, int *ret_code,
	bool *ret_goes_on, struct err *err)
{
	char *id = current_id(s), *end;
	const bool first = strlen(id) == NIGHT_DATE_CHARS;
	struct err why = { "" };
	int code = night_collect(s, &why), ret;

	end = code < 0 && *next->reason ? mem_format("%s: %s", why.text, next->reason)
	      : code < 0                ? mem_text(why.text)
	      : *next->reason           ? mem_text(next->reason)
					: mem_text("all boots measured");
	ret = night_note(s, "done", end, err);
	free(end);
	*ret_code = EXIT_NOTHING;
	if (ret == 0 && code == 0) {
		/* One that stays apart is for whoever began it to judge. */
		ret = night_name_apart(id) ? EXIT_OK : decide(s, id, err);
		*ret_code = ret;
		if (ret >= 0 && first && is_suspect(s))
			ret = confirm(s, id, ret_goes_on, err);
	}
	free(id);
	return ret < 0 ? ret : 0;
}
