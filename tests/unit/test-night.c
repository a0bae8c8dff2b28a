// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "nights/night.h"

/*
 * A machine without hardware: it does what the night decides, and something
 * goes wrong at one of its steps.
 */
struct machine {
	struct logbook log;
	unsigned int boot; /* number of the kernel that runs: its boot id */
	int arm;           /* of that kernel; -1: the default one */
	unsigned int n_resets;
	uint64_t now_s;
	unsigned int n_done; /* "done" records */

	/* What goes wrong. */
	size_t cut_at;     /* the power fails at this record, from 1 on; 0: never */
	bool cut_before;   /* before it is written; else after */
	int bad_arm;       /* never comes to measuring; -1: none */
	const char *wrong; /* every arm is the wrong kernel */
	bool stays;        /* jumps fail, and the kernel goes on */
};

static void reset(struct machine *m)
{
	m->arm = -1;
	m->boot++;
	m->n_resets++;
}

/* False: the power failed. */
static bool note(struct machine *m, const char *event, const char *text)
{
	const size_t number = m->log.count + 1;
	const bool cut = number == m->cut_at;

	if (cut && m->cut_before) {
		m->cut_at = 0;
		reset(m);
		return false;
	}
	m->log.records = mem_resize(m->log.records, number, sizeof(*m->log.records));
	m->log.records[m->log.count] =
		(struct logbook_record){ .time_s = m->now_s, .text = mem_text(text) };
	strcpy(m->log.records[m->log.count++].event, event);
	m->n_done += strcmp(event, "done") == 0;
	if (cut)
		reset(m);
	return !cut;
}

static bool note_boot(struct machine *m, const char *event, int boot, const char *more)
{
	char *text = mem_format("%d%s%s", boot + 1, *more ? " " : "", more);
	const bool on = note(m, event, text);

	free(text);
	return on;
}

static void do_jump(struct machine *m, const struct night *n, int boot, const char *boot_id)
{
	if (!note_boot(m, "intent", boot, boot_id) || m->stays)
		return;
	m->boot++;
	m->arm = (int)n->plan.boots[boot].steps[0].arm;
	if (m->arm == m->bad_arm)
		reset(m);
}

static void act(struct machine *m, const struct night *n, const struct night_next *next,
	const char *boot_id)
{
	switch (next->action) {
	case NIGHT_JUMP:
		do_jump(m, n, next->boot, boot_id);
		break;
	case NIGHT_MEASURE:
		if (note_boot(m, "arrived", next->boot, boot_id))
			note_boot(m, "measured", next->boot, "");
		break;
	case NIGHT_FAIL:
		note_boot(m, "failed", next->boot, next->reason);
		break;
	case NIGHT_RETURN:
		reset(m);
		break;
	case NIGHT_FINISH:
		note(m, "done", next->reason);
		break;
	case NIGHT_NOTHING:
		break;
	}
}

/* Until there is nothing to do; the caller clears the night. */
static void live(struct machine *m, struct night *ret)
{
	struct night_next next;

	for (int i = 0;; i++) {
		char *boot_id = mem_format("id-%u", m->boot);
		struct err err = { "" };
		struct night_here here = {
			.boot_id = boot_id,
			.night_id = m->arm >= 0 ? "2026-11-30" : NULL,
			.arm = m->arm >= 0 ? (enum arm)m->arm : ARM_BASE,
			.wrong = m->arm >= 0 ? m->wrong : NULL,
			.now_s = m->now_s,
		};

		cr_assert_lt(i, 500, "it goes on for ever");
		if (m->log.count == 0)
			note(m, "night", "2026-11-30 7 3 24 3600");
		cr_assert_eq(night_fold(&m->log, ret, &err), 0, "%s", err.text);
		night_decide(ret, &here, &next);
		if (next.action != NIGHT_NOTHING)
			act(m, ret, &next, boot_id);
		free(boot_id);
		if (next.action == NIGHT_NOTHING)
			return;
		night_clear(ret);
	}
}

static size_t count_measured(const struct night *n)
{
	size_t count = 0;

	for (size_t i = 0; i < n->plan.n_boots; i++)
		count += n->measured[i];
	return count;
}

static struct machine sound(void)
{
	return (struct machine){ .arm = -1, .bad_arm = -1, .now_s = 1796000000 };
}

Test(night, measures_all_and_ends)
{
	struct machine m = sound();
	struct night n;

	live(&m, &n);
	cr_expect_eq(count_measured(&n), 6);
	cr_expect_eq(m.n_done, 1);
	cr_expect_eq(n.n_jumps, 6);
	/* One reset for each return; jumps are no resets. */
	cr_expect_eq(m.n_resets, 6);
	cr_expect_eq(m.arm, -1, "it must end in the default kernel");
	night_clear(&n);
	logbook_clear(&m.log);
}

/* A power cut before and after each record that a sound night writes. */
Test(night, survives_a_power_cut_anywhere)
{
	for (size_t at = 2; at <= 20; at++) {
		for (int before = 0; before < 2; before++) {
			struct machine m = sound();
			struct night n;

			m.cut_at = at;
			m.cut_before = before;
			live(&m, &n);
			cr_expect_eq(count_measured(&n), 6, "record %zu", at);
			cr_expect_eq(m.n_done, 1, "record %zu", at);
			cr_expect(n.ended, "record %zu", at);
			cr_expect_eq(m.arm, -1, "record %zu", at);
			cr_expect_leq(n.strikes[0] + n.strikes[1], 1, "record %zu", at);
			night_clear(&n);
			logbook_clear(&m.log);
		}
	}
}

static const char *last_text(const struct machine *m)
{
	return m->log.records[m->log.count - 1].text;
}

Test(night, two_strikes_and_the_arm_is_skipped)
{
	for (int arm = 0; arm < 2; arm++) {
		struct machine m = sound();
		struct night n;

		m.bad_arm = arm;
		live(&m, &n);
		cr_expect_eq(n.strikes[arm], 2);
		cr_expect_eq(n.strikes[!arm], 0);
		cr_expect(strstr(last_text(&m), "failed twice and is skipped"), "%s",
			last_text(&m));
		cr_expect_lt(n.n_jumps, 8, "the other arm alone decides nothing");
		cr_expect_eq(m.arm, -1);
		night_clear(&n);
		logbook_clear(&m.log);
	}
}

Test(night, a_wrong_kernel_is_left_and_not_measured)
{
	struct machine m = sound();
	struct night n;

	m.wrong = "release 6.1 was booted";
	live(&m, &n);
	cr_expect_eq(count_measured(&n), 0);
	cr_expect_eq(m.arm, -1);
	cr_expect(n.ended);
	night_clear(&n);
	logbook_clear(&m.log);
}

Test(night, jumps_that_do_nothing_end)
{
	struct machine m = sound();
	struct night n;

	m.stays = true;
	live(&m, &n);
	cr_expect_eq(n.n_jumps, 24, "boots_max");
	cr_expect(
		strstr(last_text(&m), "as many boots as are allowed"), "%s", last_text(&m));
	night_clear(&n);
	logbook_clear(&m.log);
}

Test(night, ends_when_its_time_is_up_and_not_for_a_clock_set_back)
{
	static const struct {
		int64_t shift_s;
		size_t measured;
	} cases[] = { { 3601, 0 }, { 3599, 6 }, { -86400 * 365, 6 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m = sound();
		struct night n;

		note(&m, "night", "2026-11-30 7 3 24 3600");
		m.now_s += (uint64_t)cases[i].shift_s;
		live(&m, &n);
		cr_expect_eq(count_measured(&n), cases[i].measured, "%zu", i);
		cr_expect(n.ended);
		night_clear(&n);
		logbook_clear(&m.log);
	}
}

/* A kernel of a night that is over, or of another one, is left at once. */
Test(night, a_stranger_returns)
{
	struct machine m = sound();
	struct night n;
	struct night_next next;
	struct night_here here = { .boot_id = "x", .night_id = "2026-11-29" };

	note(&m, "night", "2026-11-30 7 3 24 3600");
	cr_assert_eq(night_fold(&m.log, &n, NULL), 0);
	night_decide(&n, &here, &next);
	cr_expect_eq(next.action, NIGHT_RETURN);
	night_clear(&n);
	note(&m, "aborted", "by hand");
	cr_assert_eq(night_fold(&m.log, &n, NULL), 0);
	here.night_id = "2026-11-30";
	night_decide(&n, &here, &next);
	cr_expect_eq(next.action, NIGHT_RETURN);
	here.night_id = NULL;
	night_decide(&n, &here, &next);
	cr_expect_eq(next.action, NIGHT_NOTHING);
	night_clear(&n);
	logbook_clear(&m.log);
}

Test(night, refuses_what_cannot_stand_in_a_journal)
{
	static const struct {
		const char *event, *text;
	} cases[] = {
		{ "night", "2026-11-30 7 3 24 3600" },
		{ "intent", "0 id" },
		{ "intent", "7 id" },
		{ "intent", "x" },
		{ "measured", "1" },
		{ "arrived", "1 id" },
		{ "failed", "1 why" },
		{ "strange", "1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m = sound();
		struct night n;
		struct err err = { "" };

		note(&m, "night", "2026-11-30 7 3 24 3600");
		note(&m, cases[i].event, cases[i].text);
		cr_expect_eq(night_fold(&m.log, &n, &err), -EBADMSG, "%zu", i);
		cr_expect(strstr(err.text, "record 2"), "%s", err.text);
		logbook_clear(&m.log);
	}
}
