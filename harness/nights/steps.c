// SPDX-License-Identifier: GPL-2.0-or-later
/* The steps of a night: what is decided in night.c is done here. */
#include "nights/session.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "nights/arm.h"
#include "nights/metal.h"
#include "nights/watchdog.h"

/* Note with the number of a boot before the text. */
static int note_boot(struct night_session *s, const char *event, int boot, const char *more,
	struct err *err)
{
	char *text = mem_format("%d%s%s", boot + 1, *more ? " " : "", more);
	const int code = night_note(s, event, text, err);

	free(text);
	return code;
}

static int read_fixed_words(char **ret, struct err *err)
{
	char *path;
	int code = data_path("kconfigs/night.cmdline", &path);

	if (code < 0)
		return err_set(err, code, "kconfigs/night.cmdline was not found");
	code = file_read("", path, ret, NULL);
	if (code < 0)
		err_set(err, code, "%s: %s", path, strerror(-code));
	free(path);
	return code;
}

static int prepare(
	struct night_session *s, const struct night *n, enum arm arm, struct err *err)
{
	const struct machine_file *m = &s->machine;
	char *fixed, *running = NULL, *line, *label;
	struct night_image image;
	int code = read_fixed_words(&fixed, err);

	if (code < 0)
		return code;
	code = file_read_line("", "/proc/cmdline", &running);
	if (code < 0)
		err_set(err, code, "/proc/cmdline: %s", strerror(-code));
	if (code == 0)
		code = night_image_load(m, arm, &image, err);
	if (code == 0) {
		line = night_command_line(running, fixed, m, &image, n->id, arm);
		label = mem_format("shootdown-%s", night_arm_names[arm]);
		code = metal_prepare(m->way,
			&(struct metal_kernel){ image.image, image.initrd, line, label },
			err);
		free(label);
		free(line);
		night_image_clear(&image);
	}
	free(running);
	free(fixed);
	return code;
}

static int arm_watchdog(const struct machine_file *m, int *ret_fd, struct err *err)
{
	return watchdog_arm(m->watchdog, (unsigned int)m->watchdog_s, ret_fd, err);
}

/* 0: the machine is about to be reset, or the boot has failed and that is noted. */
static int jump(struct night_session *s, const struct night *n, int boot,
	const char *boot_id, struct err *err)
{
	const enum arm arm = n->plan.boots[boot].steps[0].arm;
	struct err why = { "" };
	int code = note_boot(s, "intent", boot, boot_id, err), watchdog;

	if (code < 0)
		return code;
	code = prepare(s, n, arm, &why);
	/* Last, since some cannot be stopped again; it stays open where we jump. */
	if (code == 0)
		code = arm_watchdog(&s->machine, &watchdog, &why);
	if (code == 0) {
		code = metal_jump(s->machine.way, &why);
		if (code < 0)
			watchdog_disarm(watchdog);
	}
	return code == 0 ? 0 : note_boot(s, "failed", boot, why.text, err);
}

static int measure(struct night_session *s, const struct night *n, int boot,
	const char *boot_id, struct err *err)
{
	const struct machine_file *m = &s->machine;
	char *folder = mem_format("%s/boots", m->state);
	char *result = night_boot_path(m, n->plan.boots[boot].boot);
	struct night_image image;
	struct err why = { "" };
	int code = note_boot(s, "arrived", boot, boot_id, err), done, watchdog;

	if (code == 0) {
		/* It stays open: the way back may hang as well. */
		done = arm_watchdog(m, &watchdog, &why);
		if (done == 0)
			done = file_make_dirs(folder);
		if (done == 0)
			done = night_image_load(
				m, n->plan.boots[boot].steps[0].arm, &image, &why);
		if (done == 0) {
			done = night_measure(m, &image, result, watchdog, s->stop, &why);
			night_image_clear(&image);
		}
		code = done == 0 ? note_boot(s, "measured", boot, "", err)
				 : note_boot(s, "failed", boot, why.text, err);
	}
	free(result);
	free(folder);
	return code;
}

/* What the command line says, as texts that outlive here. */
struct identity {
	char *boot_id, *night_id, *arm;
	char wrong[256];
};

static int find_identity(struct identity *ret, struct err *err)
{
	struct identity i = { 0 };
	char *line;
	int code = file_read_line("", "/proc/sys/kernel/random/boot_id", &i.boot_id);

	if (code < 0) {
		err_set(err, code, "/proc/sys/kernel/random/boot_id: %s", strerror(-code));
		return code;
	}
	code = file_read_line("", "/proc/cmdline", &line);
	if (code < 0) {
		free(i.boot_id);
		err_set(err, code, "/proc/cmdline: %s", strerror(-code));
		return code;
	}
	i.night_id = night_find_word(line, "shootdown.night");
	i.arm = night_find_word(line, "shootdown.arm");
	free(line);
	*ret = i;
	return 0;
}

static void clear_identity(struct identity *i)
{
	free(i->boot_id);
	free(i->night_id);
	free(i->arm);
}

/* The kernel that runs must be the one that was put there for this arm. */
static void check_release(const struct machine_file *m, enum arm arm, struct identity *i)
{
	struct night_image image;
	struct utsname is;
	struct err why = { "" };
	size_t length, wanted;

	if (night_image_load(m, arm, &image, &why) < 0) {
		snprintf(i->wrong, sizeof(i->wrong), "%.255s", why.text);
		return;
	}
	uname(&is);
	length = strlen(is.release);
	wanted = strlen(image.release);
	if (length < wanted || strcmp(is.release + length - wanted, image.release) != 0)
		snprintf(i->wrong, sizeof(i->wrong),
			"release %.80s was booted, and one that ends in %.80s was meant",
			is.release, image.release);
	night_image_clear(&image);
}

static void look_around(const struct machine_file *m, const struct night *n,
	struct identity *i, struct night_here *ret)
{
	*ret = (struct night_here){
		.boot_id = i->boot_id,
		.now_s = (uint64_t)time(NULL),
	};
	if (!i->arm)
		return;
	/* An entry of EFI or GRUB names the arm, and belongs to every night. */
	ret->night_id = i->night_id ? i->night_id : n->id;
	ret->arm = strcmp(i->arm, night_arm_names[ARM_BASE]) == 0 ? ARM_BASE : ARM_CAND;
	check_release(m, ret->arm, i);
	if (*i->wrong)
		ret->wrong = i->wrong;
}

/* One step. *ret_next says what it was. */
static int do_step(struct night_session *s, const struct night *n, struct identity *i,
	struct night_next *ret_next, struct err *err)
{
	struct night_here here;

	look_around(&s->machine, n, i, &here);
	night_decide(n, &here, ret_next);
	switch (ret_next->action) {
	case NIGHT_JUMP:
		return jump(s, n, ret_next->boot, i->boot_id, err);
	case NIGHT_MEASURE:
		return measure(s, n, ret_next->boot, i->boot_id, err);
	case NIGHT_FAIL:
		return note_boot(s, "failed", ret_next->boot, ret_next->reason, err);
	case NIGHT_RETURN:
		return metal_return(err);
	default:
		return 0;
	}
}

/* The step has led out of this kernel, or there is none. */
static bool is_over(const struct night_session *s, const struct night_next *next)
{
	const struct logbook_record *last = &s->journal.records[s->journal.count - 1];

	return next->action == NIGHT_NOTHING || next->action == NIGHT_RETURN ||
	       next->action == NIGHT_FINISH ||
	       (next->action == NIGHT_JUMP && strcmp(last->event, "intent") == 0);
}

int night_go_on(struct night_session *s, struct night_next *ret_next, struct err *err)
{
	struct night_next next = { 0 };
	struct identity i = { 0 };
	int code = find_identity(&i, err);

	if (code < 0)
		return code;
	do {
		struct night n;

		if (s->stop && *s->stop)
			code = err_set(err, -EINTR, "stopped; --resume goes on");
		if (code == 0)
			code = night_fold(&s->journal, &n, err);
		if (code == 0) {
			code = do_step(s, &n, &i, &next, err);
			night_clear(&n);
		}
	} while (code == 0 && !is_over(s, &next));
	clear_identity(&i);
	if (code == 0)
		*ret_next = next;
	return code;
}
