// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown nightly: tonight's kernel against the reference, on this machine. */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/nightly_parts.h"
#include "nights/metal.h"

#define STATE "/var/lib/shootdown/night"
#define UNIT_PATH "/etc/systemd/system/shootdown-nightly.service"

enum {
	OPTION_MACHINE = 256,
	OPTION_RESUME,
	OPTION_STATUS,
	OPTION_ABORT,
	OPTION_INSTALL,
	OPTION_STATE
};

static const struct argp_option options[] = {
	{ "machine", OPTION_MACHINE, "FILE", 0,
		"Begin a night on the machine that FILE describes", 0 },
	{ "resume", OPTION_RESUME, NULL, 0, "Go on after a boot, as the systemd unit does",
		0 },
	{ "status", OPTION_STATUS, NULL, 0, "Tell how far the night is", 0 },
	{ "abort", OPTION_ABORT, NULL, 0, "End it; what was measured stays", 0 },
	{ "install", OPTION_INSTALL, NULL, 0, "Write the systemd unit that resumes nights",
		0 },
	{ "state", OPTION_STATE, "DIR", 0,
		"Folder of the night, where its machine's file names another (" STATE ")",
		0 },
	{ 0 },
};

struct arguments {
	int action; /* an OPTION_, or 0 */
	const char *machine, *state;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPTION_STATE:
		a->state = arg;
		return 0;
	case OPTION_MACHINE:
		a->machine = arg;
		/* fall through */
	case OPTION_RESUME:
	case OPTION_STATUS:
	case OPTION_ABORT:
	case OPTION_INSTALL:
		if (a->action && a->action != key)
			argp_error(state,
				"only one of --machine, --resume, --status, --abort "
				"and --install can be done");
		a->action = key;
		return 0;
	case ARGP_KEY_END:
		if (!a->action)
			argp_error(state,
				"--machine FILE begins a night; --resume, --status, "
				"--abort and --install are the others");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* On the console of a lab machine this is all that anybody sees of it. */
static void say(void *arg, const char *event, const char *text)
{
	(void)arg;
	fprintf(stderr, "shootdown nightly: %s %s\n", event, text);
}

static uint64_t random_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint64_t)time(NULL);
	/* Fits into a JSON integer. */
	return seed >> 1;
}

static int begin(const struct arguments *a, struct night_session *s, struct err *err)
{
	struct machine_file m;
	char date[NIGHT_DATE_CHARS + 1];
	const time_t now = time(NULL);
	struct tm utc;
	int ret = machine_file_load(a->machine, &m, err);

	if (ret == 0)
		ret = night_open(&m, s, err);
	if (ret < 0)
		return ret;
	s->noted = say;
	s->stop = &interrupted;
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &utc));
	ret = nightly_provide_images(&s->machine, err);
	if (ret == 0)
		ret = night_begin(s, a->machine, date, random_seed(), err);
	if (ret < 0)
		night_close(s);
	return ret;
}

static int resume(const struct arguments *a, struct night_session *s, struct err *err)
{
	int ret = night_reopen(a->state, s, err);

	if (ret < 0)
		return ret;
	s->noted = say;
	s->stop = &interrupted;
	return 0;
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
	const int ret = night_begin(s, NULL, second, random_seed(), err);

	free(second);
	if (ret == 0)
		*ret_goes_on = true;
	return ret;
}

static int finish(struct night_session *s, const struct night_next *next, int *ret_code,
	bool *ret_goes_on, struct err *err)
{
	char *id = current_id(s);
	const bool first = strlen(id) == NIGHT_DATE_CHARS;
	struct err why = { "" };
	int code = night_collect(s, &why), ret;

	ret = night_note(s, "done",
		code < 0        ? why.text
		: *next->reason ? next->reason
				: "all boots measured",
		err);
	*ret_code = EXIT_NOTHING;
	if (ret == 0 && code == 0) {
		ret = decide(s, id, err);
		*ret_code = ret;
		if (ret >= 0 && first && is_suspect(s))
			ret = confirm(s, id, ret_goes_on, err);
	}
	free(id);
	return ret < 0 ? ret : 0;
}

static int go_on(struct night_session *s, int *ret_code, struct err *err)
{
	struct night_next next;
	bool again;
	int ret;

	*ret_code = EXIT_OK;
	do {
		again = false;
		ret = night_go_on(s, &next, err);
		if (ret == 0 && next.action == NIGHT_FINISH)
			ret = finish(s, &next, ret_code, &again, err);
	} while (ret == 0 && again);
	return ret;
}

static int show_status(const struct night_session *s)
{
	struct night n;
	struct err err;
	size_t done = 0;

	if (night_fold(&s->journal, &n, &err) < 0) {
		puts(err.text);
		return EXIT_NOTHING;
	}
	for (size_t i = 0; i < n.plan.n_boots; i++)
		done += n.measured[i];
	printf("night      %s on %s\n", n.id, s->machine.name);
	printf("measured   %zu of %zu boots\n", done, n.plan.n_boots);
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
		printf("%-10s %u failed%s\n", night_arm_names[arm], n.strikes[arm],
			night_is_skipped(&n, arm) ? ", skipped" : "");
	printf("state      %s\n", n.ended          ? "ended"
				  : n.pending >= 0 ? "booting"
						   : "waiting");
	printf("last       %s %s\n", s->journal.records[s->journal.count - 1].event,
		s->journal.records[s->journal.count - 1].text);
	night_clear(&n);
	return EXIT_OK;
}

static int install(const struct arguments *a, struct err *err)
{
	char *self, *unit;
	int ret = data_program("shootdown", &self);

	if (ret < 0)
		return err_set(err, ret, "the path of this program was not found");
	unit = mem_format(
		"[Unit]\n"
		"Description=Shootdown: the next step of a night of measurements\n"
		"ConditionPathExists=%s/journal\n"
		"After=multi-user.target\n\n"
		"[Service]\n"
		"Type=oneshot\n"
		"ExecStart=%s nightly --resume --state %s\n\n"
		"[Install]\n"
		"WantedBy=multi-user.target\n",
		a->state, self, a->state);
	ret = file_replace(UNIT_PATH, unit, strlen(unit));
	if (ret < 0)
		err_set(err, ret, UNIT_PATH ": %s", strerror(-ret));
	else
		puts("wrote " UNIT_PATH "; now: systemctl enable shootdown-nightly");
	free(unit);
	free(self);
	return ret;
}

static int act(const struct arguments *a, int *ret_code, struct err *err)
{
	struct night_session s;
	int ret;

	if (a->action == OPTION_INSTALL)
		return install(a, err);
	ret = a->action == OPTION_MACHINE ? begin(a, &s, err) : resume(a, &s, err);
	if (ret < 0)
		return ret;
	if (a->action == OPTION_STATUS)
		*ret_code = show_status(&s);
	else if (a->action == OPTION_ABORT)
		ret = night_note(&s, "aborted", "by hand", err);
	else
		ret = go_on(&s, ret_code, err);
	night_close(&s);
	return ret;
}

/* Whatever went wrong, the machine is not left on an arm's kernel. */
static void leave_arm(void)
{
	struct err err;
	char *line, *arm;

	if (file_read_line("", "/proc/cmdline", &line) < 0)
		return;
	arm = night_find_word(line, "shootdown.arm");
	free(line);
	if (arm && metal_return(&err) < 0)
		fprintf(stderr, "shootdown nightly: %s\n", err.text);
	free(arm);
}

int cmd_nightly(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Measures tonight's kernel against a reference on this machine: boots each "
		       "once at a time, in random order, and comes back to the default kernel "
		       "after each.\v"
		       "Examples:\n"
		       "  shootdown nightly --install && systemctl enable shootdown-nightly\n"
		       "  shootdown nightly --machine ci/machines/ampere-altra.machine\n"
		       "  shootdown nightly --status\n\n"
		       "The machine is reset without asking. Exit codes: those of "
		       "'shootdown history' once a night has ended, else 0; 2 where it cannot go "
		       "on; 3 without a result.",
	};
	struct arguments a = { .state = STATE };
	struct err err = { "" };
	int code = EXIT_OK;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	interrupt_catch();
	if (act(&a, &code, &err) == 0)
		return code;
	fprintf(stderr, "shootdown nightly: %s\n", err.text);
	if (a.action == OPTION_RESUME && !interrupted)
		leave_arm();
	return interrupted ? EXIT_STOPPED : EXIT_USAGE;
}
