// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown nightly: tonight's kernel against the reference, on this machine. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/nightly_parts.h"
#include "kernels/source.h"
#include "nights/metal.h"

#define STATE "/var/lib/shootdown/night"
#define UNIT_PATH "/etc/systemd/system/shootdown-nightly.service"

enum {
	OPTION_MACHINE = 256,
	OPTION_RESUME,
	OPTION_STATUS,
	OPTION_ABORT,
	OPTION_INSTALL,
	OPTION_STATE,
	OPTION_SOURCE,
	OPTION_REF,
	OPTION_REFERENCE,
	OPTION_APART
};

static const struct argp_option options[] = {
	{ "machine", OPTION_MACHINE, "FILE", 0,
		"Begin a night on the machine that FILE describes", 0 },
	{ "source", OPTION_SOURCE, "DIR", 0,
		"Take tonight's kernel from DIR, a git tree, configured as the variant of "
		"the machine's file",
		0 },
	{ "ref", OPTION_REF, "COMMIT", 0, "Of --source, for tonight (HEAD)", 0 },
	{ "reference", OPTION_REFERENCE, "COMMIT", 0,
		"Of --source, for the reference as well (the variant's own source)", 0 },
	{ "apart", OPTION_APART, "NAME", 0,
		"A night that is none of the history: results in STATE/apart/NAME", 0 },
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
	const char *machine, *state, *apart;
	const char *tree, *commits[2]; /* as given, by enum arm */
};

static void check(const struct arguments *a, struct argp_state *state)
{
	const bool begins = a->action == OPTION_MACHINE;
	struct err err;

	if (!a->action)
		argp_error(state, "--machine FILE begins a night; --resume, --status, "
				  "--abort and --install are the others");
	if (!begins && (a->tree || a->apart))
		argp_error(state, "--source and --apart need --machine");
	if (!a->tree && (a->commits[ARM_BASE] || a->commits[ARM_CAND]))
		argp_error(state, "--ref and --reference need --source");
	if (a->apart && night_check_name(a->apart, &err) < 0)
		argp_error(state, "--apart=%s", err.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPTION_STATE:
		a->state = arg;
		return 0;
	case OPTION_SOURCE:
		a->tree = arg;
		return 0;
	case OPTION_REF:
		a->commits[ARM_CAND] = arg;
		return 0;
	case OPTION_REFERENCE:
		a->commits[ARM_BASE] = arg;
		return 0;
	case OPTION_APART:
		a->apart = arg;
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
		check(a, state);
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

/* What is configured has to be a variant. */
static int find_source(const struct arguments *a, const struct machine_file *m,
	struct nightly_source *ret, struct err *err)
{
	struct nightly_source source = { .tree = a->tree };
	int code = 0;

	for (int arm = ARM_CAND; arm >= ARM_BASE && a->tree && code == 0; arm--) {
		const char *commit = a->commits[arm] ? a->commits[arm] : "HEAD";

		if (arm == ARM_BASE && !a->commits[arm])
			continue;
		if (strcmp(m->variants[arm], MACHINE_PREBUILT) == 0)
			code = err_set(err, -EINVAL,
				"%s: %s = " MACHINE_PREBUILT ": --source needs a variant "
				"there, as which it is configured",
				a->machine, night_arm_names[arm]);
		else
			code = source_find_commit(
				a->tree, commit, &source.commits[arm], err);
	}
	*ret = source;
	return code;
}

/* Its date, and what keeps it apart. */
static char *new_id(const struct arguments *a)
{
	char date[NIGHT_DATE_CHARS + 1];
	const time_t now = time(NULL);
	struct tm utc;

	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &utc));
	return a->apart ? mem_format("%s-%s", date, a->apart) : mem_text(date);
}

static int begin(const struct arguments *a, struct night_session *s, struct err *err)
{
	struct nightly_source source = { 0 };
	struct machine_file m;
	char *id;
	int ret = machine_file_load(a->machine, &m, err);

	if (ret == 0)
		ret = night_open(&m, s, err);
	if (ret < 0)
		return ret;
	s->noted = say;
	s->stop = &interrupted;
	id = new_id(a);
	ret = find_source(a, &s->machine, &source, err);
	if (ret == 0)
		ret = night_check_begin(s, id, err);
	if (ret == 0)
		ret = nightly_provide_images(&s->machine, &source, err);
	if (ret == 0)
		ret = night_begin(s, a->machine, id, nightly_seed(), err);
	free(source.commits[ARM_BASE]);
	free(source.commits[ARM_CAND]);
	free(id);
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
			ret = nightly_finish(s, &next, ret_code, &again, err);
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

/* *ret_code is the exit code, whatever is returned. */
static int act(const struct arguments *a, int *ret_code, struct err *err)
{
	struct night_session s;
	int ret, code = EXIT_OK;

	if (a->action == OPTION_INSTALL) {
		ret = install(a, err);
		*ret_code = ret == 0 ? EXIT_OK : EXIT_USAGE;
		return ret;
	}
	ret = a->action == OPTION_MACHINE ? begin(a, &s, err) : resume(a, &s, err);
	/* A kernel that is not built has no result, and the next commit may have one. */
	*ret_code =
		ret == -ECHILD && a->action == OPTION_MACHINE ? EXIT_NOTHING : EXIT_USAGE;
	if (ret < 0)
		return ret;
	if (a->action == OPTION_STATUS)
		code = show_status(&s);
	else if (a->action == OPTION_ABORT)
		ret = night_note(&s, "aborted", "by hand", err);
	else
		ret = go_on(&s, &code, err);
	if (ret == 0)
		*ret_code = code;
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
		       "  shootdown nightly --machine altra.machine --source ~/linux --ref next\n"
		       "  shootdown nightly --status\n\n"
		       "The machine is reset without asking. Exit codes: those of "
		       "'shootdown history' once a night has ended, else 0; 2 where it cannot go "
		       "on; 3 without a result, or with a kernel that cannot be built.",
	};
	struct arguments a = { .state = STATE };
	struct err err = { "" };
	int code;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	interrupt_catch();
	/* A night goes on without the connection by which it was begun. */
	signal(SIGPIPE, SIG_IGN);
	if (act(&a, &code, &err) == 0)
		return code;
	fprintf(stderr, "shootdown nightly: %s\n", err.text);
	if (a.action == OPTION_RESUME && !interrupted)
		leave_arm();
	return interrupted ? EXIT_STOPPED : code;
}
