// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/watchdog.h"

static int take_lock(struct night_session *s, struct err *err)
{
	char *path = mem_format("%s/lock", s->machine.state);
	int code = file_make_dirs(s->machine.state);

	if (code < 0) {
		err_set(err, code, "%s: %s", s->machine.state, strerror(-code));
	} else {
		s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (s->lock < 0)
			code = err_set(err, -errno, "%s: %m", path);
		else if (flock(s->lock, LOCK_EX | LOCK_NB) < 0)
			code = err_set(err, -EBUSY, "%s: another nightly is running", path);
	}
	free(path);
	return code;
}

int night_open(struct machine_file *m, struct night_session *ret, struct err *err)
{
	struct night_session s = { .machine = *m, .lock = -1 };
	int code = take_lock(&s, err);

	*m = (struct machine_file){ 0 };
	s.journal_path = mem_format("%s/journal", s.machine.state);
	if (code == 0)
		code = logbook_load(s.journal_path, &s.journal, err);
	if (code < 0)
		night_close(&s);
	else
		*ret = s;
	return code;
}

int night_reopen(const char *state, struct night_session *ret, struct err *err)
{
	char *path = mem_format("%s/machine", state);
	struct machine_file m;
	int code = machine_file_load(path, &m, err);

	free(path);
	return code < 0 ? code : night_open(&m, ret, err);
}

void night_close(struct night_session *s)
{
	if (s->lock >= 0)
		close(s->lock);
	logbook_clear(&s->journal);
	machine_file_clear(&s->machine);
	free(s->journal_path);
	*s = (struct night_session){ .lock = -1 };
}

int night_note(
	struct night_session *s, const char *event, const char *text, struct err *err)
{
	const int code = logbook_append(s->journal_path, &s->journal, event, text, err);

	if (code == 0 && s->noted)
		s->noted(s->arg, event, text);
	return code;
}

static int check_idle(const struct night_session *s, struct err *err)
{
	struct night n;
	int code;

	if (s->journal.count == 0)
		return 0;
	code = night_fold(&s->journal, &n, err);
	if (code < 0)
		return code;
	if (!n.ended)
		code = err_set(err, -EBUSY,
			"%s: night %s is under way: --resume goes on, --abort ends it",
			s->journal_path, n.id);
	night_clear(&n);
	return code;
}

/* An earlier night's journal makes room. */
static int set_journal_aside(struct night_session *s, struct err *err)
{
	struct night n;
	char *aside;
	int code = 0;

	if (s->journal.count == 0)
		return 0;
	code = night_fold(&s->journal, &n, err);
	if (code < 0)
		return code;
	aside = mem_format("%s-%s", s->journal_path, n.id);
	night_clear(&n);
	if (rename(s->journal_path, aside) < 0)
		code = err_set(err, -errno, "%s: %m", aside);
	else
		logbook_clear(&s->journal);
	free(aside);
	return code;
}

const char *night_name_apart(const char *id)
{
	const char *more = id + strnlen(id, NIGHT_DATE_CHARS);

	return *more == '\0' || strcmp(more, NIGHT_CONFIRM) == 0 ? NULL : more + 1;
}

int night_check_name(const char *name, struct err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	const size_t length = strlen(name);

	if (length == 0 || length > NIGHT_NAME_CHARS_MAX || *name == '.' ||
		strspn(name, allowed) != length || strcmp(name, &NIGHT_CONFIRM[1]) == 0)
		return err_set(err, -EINVAL,
			"%.60s: a name of letters, digits, . _ - is wanted, at most %d",
			name, NIGHT_NAME_CHARS_MAX);
	return 0;
}

char *night_result_path(const struct machine_file *m, const char *id, enum arm arm)
{
	const char *name = night_name_apart(id);

	if (name)
		return mem_format(
			"%s/apart/%s/%s.json", m->state, name, night_arm_names[arm]);
	return mem_format("%s/%s/%.*s/%s%s.json", m->results, m->name, NIGHT_DATE_CHARS, id,
		night_arm_names[arm], id + NIGHT_DATE_CHARS);
}

static int check_new(const struct machine_file *m, const char *id, struct err *err)
{
	char *path = night_result_path(m, id, ARM_CAND);
	const int code =
		access(path, F_OK) == 0
			? err_set(err, -EEXIST,
				  "%s: this machine has been measured that night", path)
			: 0;

	free(path);
	return code;
}

static bool names_itself(const char *text)
{
	static const char key[] = "name";

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		if (strncmp(line, key, strlen(key)) == 0 &&
			strchr(" \t=", line[strlen(key)]))
			return true;
	}
	return false;
}

/* With the name that the file's own place gave it. */
static int copy_machine(const struct night_session *s, const char *from, struct err *err)
{
	char *to = mem_format("%s/machine", s->machine.state), *text, *named;
	int code = file_read("", from, &text, NULL);

	if (code == 0) {
		named = names_itself(text)
				? mem_text(text)
				: mem_format("name = %s\n%s", s->machine.name, text);
		code = file_replace(to, named, strlen(named));
		free(named);
		free(text);
	}
	if (code < 0)
		err_set(err, code, "%s or %s: %s", from, to, strerror(-code));
	free(to);
	return code;
}

static int check_images(const struct machine_file *m, struct err *err)
{
	int code = 0;

	for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++) {
		struct night_image image;

		code = night_image_load(m, arm, &image, err);
		if (code == 0)
			night_image_clear(&image);
	}
	return code;
}

int night_check_begin(struct night_session *s, const char *id, struct err *err)
{
	const int code = check_new(&s->machine, id, err);

	return code == 0 ? check_idle(s, err) : code;
}

int night_begin(struct night_session *s, const char *machine_path, const char *id,
	uint64_t seed, struct err *err)
{
	const struct machine_file *m = &s->machine;
	char *text;
	int code = night_check_begin(s, id, err);

	if (code == 0)
		code = check_images(m, err);
	if (code == 0 && m->watchdog && m->way == BOOT_KEXEC)
		code = watchdog_check_kexec("", err);
	if (code == 0)
		code = set_journal_aside(s, err);
	if (code == 0 && machine_path)
		code = copy_machine(s, machine_path, err);
	if (code < 0)
		return code;
	text = mem_format("%s %" PRIu64 " %u %u %" PRIu64, id, seed, m->n_blocks,
		m->boots_max, m->budget_s);
	code = night_note(s, "night", text, err);
	free(text);
	return code;
}

char *night_boot_path(const struct machine_file *m, unsigned int boot)
{
	return mem_format("%s/boots/%03u.json", m->state, boot);
}
