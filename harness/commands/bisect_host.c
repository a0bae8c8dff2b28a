// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown bisect: two commits on a lab machine, measured by a night there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/bisect_parts.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "nights/remote.h"
#include "nights/session.h"
#include "nights/status.h"

#define MACHINE_PATH "/etc/shootdown-bisect.machine"
#define POLL_MAX_S 60
/* Beside the night's budget, after which the last boot may still be measured. */
#define GRACE_S 3600

struct host_night {
	struct remote remote;
	struct machine_file m; /* as that of the machine is changed for it */
	char *text;            /* of m */
	char *name, *folder;   /* its own, here: what was measured is kept there */
};

static void host_night_clear(struct host_night *n)
{
	machine_file_clear(&n->m);
	free(n->text);
	free(n->name);
	free(n->folder);
}

/* It says which trees, and how they are measured: a night of that name is this one. */
static char *name_night(const struct bisect_arguments *a, const char *good, const char *id,
	const struct host_night *n)
{
	struct digest *d = digest_new();
	char *sum, *name;

	digest_add_text(d, a->host);
	digest_add_text(d, n->text);
	digest_add_text(d, good);
	digest_add_text(d, id);
	sum = digest_finish(d);
	name = mem_format("bisect-%.16s", sum);
	free(sum);
	return name;
}

static char *result_path(const struct host_night *n, enum arm arm)
{
	return mem_format("%s/%s.json", n->folder, night_arm_names[arm]);
}

/* From there, if it is there; looked at before it is kept. */
static int fetch_arm(const struct host_night *n, enum arm arm, struct err *err)
{
	char *id = mem_format("%*s-%s", NIGHT_DATE_CHARS, "", n->name);
	char *there = night_result_path(&n->m, id, arm), *here = result_path(n, arm);
	char *part = mem_format("%s.part", here);
	struct record *record;
	struct err why = { "" };
	int code = remote_get(&n->remote, there, part, err);

	if (code == 0 && record_load(part, &record, &why) < 0)
		code = err_set(err, -EBADMSG, "%s:%s is no result: %s", n->remote.host,
			there, why.text);
	else if (code == 0)
		record_free(record);
	if (code == 0 && rename(part, here) < 0)
		code = err_set(err, -errno, "%s: %m", here);
	if (code < 0)
		unlink(part);
	free(part);
	free(here);
	free(there);
	free(id);
	return code;
}

static int fetch(const struct host_night *n, struct err *err)
{
	int code = fetch_arm(n, ARM_BASE, err);

	return code == 0 ? fetch_arm(n, ARM_CAND, err) : code;
}

static int load(const struct host_night *n, struct record *ret_arms[2], struct err *err)
{
	int code = 0;

	for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++) {
		char *path = result_path(n, arm);

		code = record_load(path, &ret_arms[arm], err);
		free(path);
	}
	return code;
}

static bool is_here(const struct host_night *n)
{
	char *last = result_path(n, ARM_CAND);
	const bool here = access(last, R_OK) == 0;

	free(last);
	return here;
}

enum state { STATE_AWAY, STATE_UNKNOWN, STATE_KNOWN };

/* *ret_status is of STATE_KNOWN; the line of ssh's goes to err where it is away. */
static int ask(const struct host_night *n, enum state *ret, struct night_status *ret_status,
	struct err *err)
{
	const char *const words[] = { "shootdown", "nightly", "--status", "--state",
		n->m.state, NULL };
	char *output, *last;
	int status, code = remote_run(&n->remote, words, &status, &output, err);

	if (code < 0)
		return code;
	*ret = STATE_UNKNOWN;
	if (status == REMOTE_AWAY) {
		*ret = STATE_AWAY;
		last = remote_last_line(output);
		err_set(err, -EHOSTUNREACH, "%s is not reached by ssh: %s", n->remote.host,
			last);
		free(last);
	} else if (status == EXIT_OK) {
		*ret = STATE_KNOWN;
		code = night_status_parse(output, ret_status, err);
	}
	free(output);
	return code;
}

static bool is_ours(const struct host_night *n, const struct night_status *s)
{
	const char *name = night_name_apart(s->id);

	return name && strcmp(name, n->name) == 0;
}

static void sleep_s(unsigned int seconds)
{
	/* A signal ends each of them early. */
	for (; seconds && !interrupted; seconds--)
		nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
}

/* Whether what was found out ends the waiting; then with 0 or the reason. */
static bool is_over(const struct host_night *n, enum state state,
	const struct night_status *s, int *ret_code, struct err *err)
{
	if (state != STATE_KNOWN || (is_ours(n, s) && !s->ended))
		return false;
	*ret_code = !is_ours(n, s)
			    ? err_set(err, -EIO, "%s: night %s did not begin: there is %s",
				      n->remote.host, n->name, s->id)
		    : s->aborted
			    ? err_set(err, -ECANCELED, "%s: night %s was aborted there",
				      n->remote.host, s->id)
			    : 0;
	return true;
}

/* Away most of the time: it is in an arm, or booting. *ret_last: its last event. */
static int wait_for(const struct host_night *n, char **ret_last, struct err *err)
{
	const time_t until = time(NULL) + (time_t)n->m.budget_s + GRACE_S;
	unsigned int delay_s = 1;

	while (time(NULL) < until) {
		struct night_status s = { 0 };
		enum state state;
		bool over;
		int code;

		sleep_s(delay_s);
		code = ask(n, &state, &s, err);
		if (code < 0)
			return code;
		over = is_over(n, state, &s, &code, err);
		if (over && code == 0)
			*ret_last = mem_text(s.last);
		night_status_clear(&s);
		if (over)
			return code;
		delay_s = delay_s * 2 < POLL_MAX_S ? delay_s * 2 : POLL_MAX_S;
	}
	return err_set(err, -ETIMEDOUT,
		"%s: night %s has not ended: ssh %s shootdown nightly --status --state %s",
		n->remote.host, n->name, n->remote.host, n->m.state);
}

static int put_machine(const struct host_night *n, struct err *err)
{
	char *here = mem_format("%s/bisect.machine", n->folder);
	int code = file_replace(here, n->text, strlen(n->text));

	if (code < 0)
		err_set(err, code, "%s: %s", here, strerror(-code));
	else
		code = remote_put(&n->remote, here, MACHINE_PATH, err);
	free(here);
	/* scp's -ECHILD would excuse a commit that nobody has measured. */
	return code == -ECHILD ? -EIO : code;
}

/* Returns once the machine has built both kernels, and has left for the first. */
static int begin(const struct host_night *n, const struct bisect_arguments *a,
	char *const commits[2], struct err *err)
{
	const char *const words[] = { "shootdown", "nightly", "--machine", MACHINE_PATH,
		"--apart", n->name, "--source", a->host_tree, "--reference",
		commits[ARM_BASE], "--ref", commits[ARM_CAND], NULL };
	char *output, *last;
	int status, code = put_machine(n, err);

	if (code == 0)
		code = remote_run(&n->remote, words, &status, &output, err);
	if (code < 0)
		return code;
	last = remote_last_line(output);
	/* The connection may end with the jump. */
	if (status == EXIT_NOTHING)
		code = err_set(err, -ENODATA, "%s: %s", n->remote.host, last);
	else if (status != EXIT_OK && status != REMOTE_AWAY)
		code = err_set(err, -EIO, "%s: %s", n->remote.host, last);
	free(last);
	free(output);
	return code;
}

/* Begins the night, unless it is under way: then this command was interrupted. */
static int run_night(const struct host_night *n, const struct bisect_arguments *a,
	char *const commits[2], char **ret_last, struct err *err)
{
	struct night_status s = { 0 };
	enum state state;
	bool waits;
	int code = ask(n, &state, &s, err);

	if (code < 0)
		return code;
	waits = state == STATE_KNOWN && !s.ended;
	if (state == STATE_AWAY)
		code = -EHOSTUNREACH;
	else if (waits && !is_ours(n, &s))
		code = err_set(err, -EBUSY,
			"%s: night %s is under way: wait for it, or end it there by "
			"shootdown nightly --abort",
			n->remote.host, s.id);
	else if (!waits)
		code = begin(n, a, commits, err);
	night_status_clear(&s);
	return code == 0 ? wait_for(n, ret_last, err) : code;
}

/* A night that has no result is told from a machine that is not reached. */
static int fetch_ended(const struct host_night *n, const char *last, struct err *err)
{
	struct night_status s = { 0 };
	enum state state;
	int code = fetch(n, err);

	if (code != -ECHILD)
		return code;
	code = ask(n, &state, &s, err);
	night_status_clear(&s);
	if (code < 0)
		return code;
	return state == STATE_AWAY
		       ? -EHOSTUNREACH
		       : err_set(err, -ENODATA, "%s: night %s ended without a result: %s",
				 n->remote.host, n->name, last);
}

static int measure(const struct host_night *n, const struct bisect_arguments *a,
	const char *commit, struct err *err)
{
	char *commits[2] = { NULL, NULL }, *last = NULL;
	int code = source_find_commit(a->ab.tree, a->good, &commits[ARM_BASE], err);

	if (code == 0)
		code = source_find_commit(a->ab.tree, commit, &commits[ARM_CAND], err);
	if (code == 0)
		code = run_night(n, a, commits, &last, err);
	if (code == 0)
		code = fetch_ended(n, last, err);
	if (code == -EINTR)
		err_set(err, code,
			"interrupted; the night on %s may go on: the same command waits for "
			"it, and shootdown nightly --abort there ends it",
			n->remote.host);
	free(last);
	free(commits[ARM_BASE]);
	free(commits[ARM_CAND]);
	return code;
}

static int prepare(const struct bisect_arguments *a, const char *id, unsigned int n_blocks,
	struct host_night *n, struct err *err)
{
	struct source good;
	int code = bisect_change_machine(a, n_blocks, &n->text, &n->m, err);

	if (code == 0)
		code = source_find(SOURCE_GIT, a->ab.tree, a->good, NULL, &good, err);
	if (code < 0)
		return code;
	n->name = name_night(a, good.id, id, n);
	n->folder = mem_format("%s/%s-%u-%s", a->ab.own_folder, id, n_blocks, n->name);
	source_clear(&good);
	code = file_make_dirs(n->folder);
	return code < 0 ? err_set(err, code, "%s: %s", n->folder, strerror(-code)) : 0;
}

int bisect_measure_on_host(const struct bisect_arguments *a, const char *commit,
	const char *id, unsigned int n_blocks, struct record *ret_arms[2], struct err *err)
{
	struct host_night n = { .remote = { a->host, &interrupted } };
	int code = prepare(a, id, n_blocks, &n, err);

	if (code == 0 && !is_here(&n)) {
		/* It may have been measured, and not fetched. */
		code = fetch(&n, err);
		if (code == -ECHILD)
			code = measure(&n, a, commit, err);
	}
	if (code == 0)
		code = load(&n, ret_arms, err);
	host_night_clear(&n);
	return code;
}
