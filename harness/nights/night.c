// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/night.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *const night_arm_names[] = { [ARM_BASE] = "reference", [ARM_CAND] = "tonight" };

void night_clear(struct night *n)
{
	free(n->id);
	free(n->measured);
	free(n->pending_boot_id);
	plan_clear(&n->plan);
	*n = (struct night){ 0 };
}

static enum arm arm_of(const struct night *n, int boot)
{
	return n->plan.boots[boot].steps[0].arm;
}

bool night_is_skipped(const struct night *n, enum arm arm)
{
	return n->strikes[arm] >= NIGHT_STRIKES;
}

static bool begin(struct night *n, const struct logbook_record *r)
{
	char id[64];

	if (n->id ||
		sscanf(r->text, "%63s %" SCNu64 " %u %u %" SCNu64, id, &n->seed,
			&n->n_blocks, &n->boots_max, &n->budget_s) != 5 ||
		n->n_blocks < 1 || n->n_blocks > NIGHT_BLOCKS_MAX)
		return false;
	n->id = mem_text(id);
	n->started_s = r->time_s;
	plan_make(false, n->n_blocks, 1, n->seed, &n->plan);
	n->measured = mem_zeroed(n->plan.n_boots, sizeof(*n->measured));
	return true;
}

/* The number of a boot, from 1 on, as its index; what follows it in *ret_rest. */
static int boot_of(const struct night *n, const char *text, const char **ret_rest)
{
	unsigned int number;
	int at = 0;

	if (sscanf(text, "%u%n", &number, &at) != 1 || number < 1 ||
		number > n->plan.n_boots || (text[at] != '\0' && text[at] != ' '))
		return -1;
	*ret_rest = text[at] ? text + at + 1 : "";
	return (int)number - 1;
}

static void close_pending(struct night *n)
{
	free(n->pending_boot_id);
	n->pending_boot_id = NULL;
	n->pending = -1;
	n->arrived = false;
}

/* False: the record cannot stand here. */
static bool take(struct night *n, const struct logbook_record *r)
{
	const char *rest;
	int boot;

	if (strcmp(r->event, "night") == 0)
		return begin(n, r);
	if (!n->id || n->ended)
		return false;
	n->ended = strcmp(r->event, "done") == 0 || strcmp(r->event, "aborted") == 0;
	if (n->ended)
		return true;
	boot = boot_of(n, r->text, &rest);
	if (boot < 0 || n->measured[boot])
		return false;
	if (strcmp(r->event, "intent") == 0) {
		close_pending(n);
		n->pending = boot;
		n->pending_boot_id = mem_text(rest);
		n->n_jumps++;
		return true;
	}
	if (boot != n->pending)
		return false;
	if (strcmp(r->event, "arrived") == 0) {
		n->arrived = true;
	} else if (strcmp(r->event, "measured") == 0 && n->arrived) {
		n->measured[boot] = true;
		close_pending(n);
	} else if (strcmp(r->event, "failed") == 0) {
		n->strikes[arm_of(n, boot)]++;
		close_pending(n);
	} else {
		return false;
	}
	return true;
}

int night_fold(const struct logbook *j, struct night *ret, struct err *err)
{
	struct night n = { .pending = -1 };

	for (size_t i = 0; i < j->count; i++) {
		const struct logbook_record *r = &j->records[i];

		if (take(&n, r))
			continue;
		night_clear(&n);
		return err_set(err, -EBADMSG,
			"record %zu of the journal (%s %.200s) cannot stand there: move the "
			"journal away, and the night is lost",
			i + 1, r->event, r->text);
	}
	if (!n.id)
		return err_set(err, -ENODATA, "there is no night in the journal");
	*ret = n;
	return 0;
}

static void fail(struct night_next *next, int boot, const char *reason)
{
	next->action = NIGHT_FAIL;
	next->boot = boot;
	snprintf(next->reason, sizeof(next->reason), "%s", reason);
}

/* In a kernel that a night has booted. */
static void decide_in_arm(
	const struct night *n, const struct night_here *here, struct night_next *next)
{
	next->action = NIGHT_RETURN;
	if (strcmp(here->night_id, n->id) != 0 || n->pending < 0)
		return;
	if (arm_of(n, n->pending) != here->arm)
		fail(next, n->pending, "the other arm's kernel was booted");
	else if (here->wrong)
		fail(next, n->pending, here->wrong);
	else if (n->arrived)
		fail(next, n->pending, "the measurement was broken off");
	else
		*next = (struct night_next){ .action = NIGHT_MEASURE, .boot = n->pending };
}

/* The first boot that is neither done nor of an arm that is skipped; or -1. */
static int find_next(const struct night *n)
{
	for (size_t i = 0; i < n->plan.n_boots; i++)
		if (!n->measured[i] && !night_is_skipped(n, arm_of(n, (int)i)))
			return (int)i;
	return -1;
}

/* One arm alone decides nothing, so the other one is not booted any more. */
static bool is_hopeless(const struct night *n)
{
	return night_is_skipped(n, ARM_BASE) || night_is_skipped(n, ARM_CAND);
}

static void finish(struct night_next *next, const char *reason)
{
	next->action = NIGHT_FINISH;
	snprintf(next->reason, sizeof(next->reason), "%s", reason);
}

static void decide_in_default(
	const struct night *n, const struct night_here *here, struct night_next *next)
{
	const int boot = find_next(n);

	if (n->pending >= 0 && strcmp(n->pending_boot_id, here->boot_id) != 0) {
		fail(next, n->pending,
			n->arrived ? "the machine came back without a result"
				   : "the machine came back and had not arrived");
		return;
	}
	if (n->pending >= 0 && n->n_jumps < n->boots_max) {
		/* Still the kernel that meant to jump: it was stopped before it did. */
		*next = (struct night_next){ .action = NIGHT_JUMP, .boot = n->pending };
		return;
	}
	if (boot < 0)
		finish(next, "");
	else if (is_hopeless(n))
		finish(next, night_is_skipped(n, ARM_BASE)
				     ? "the reference failed twice and is skipped"
				     : "tonight's kernel failed twice and is skipped");
	else if (n->n_jumps >= n->boots_max)
		finish(next, "as many boots as are allowed in one night");
	/* A clock that was set back takes nothing from the budget. */
	else if (here->now_s > n->started_s && here->now_s - n->started_s > n->budget_s)
		finish(next, "the night's time is used up");
	else
		*next = (struct night_next){ .action = NIGHT_JUMP, .boot = boot };
}

void night_decide(
	const struct night *n, const struct night_here *here, struct night_next *ret)
{
	struct night_next next = { .action = NIGHT_NOTHING, .boot = -1 };

	if (here->night_id && (n->ended || strcmp(here->night_id, n->id) != 0))
		next.action = NIGHT_RETURN;
	else if (here->night_id)
		decide_in_arm(n, here, &next);
	else if (!n->ended)
		decide_in_default(n, here, &next);
	*ret = next;
}
