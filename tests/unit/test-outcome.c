// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "boots/outcome.h"

#define EXITED(status) ((status) << 8)

/* What all is well looks like; each case changes something. */
struct seen {
	const char *late, *qemu_said;
	bool interrupted;
	int status;
	const char *console;
	enum channel_state channel;
	enum end_cause cause;
	enum guest_result result;
	const char *reason;
};

static const struct seen cases[] = {
	{ .result = GUEST_OK, .reason = "" },
	{ .interrupted = true,
		.console = "Kernel panic - not syncing: x\n",
		.result = GUEST_INTERRUPTED,
		.reason = "interrupted" },
	{ .console = "Kernel panic - not syncing: x\n",
		.channel = CHANNEL_INCOMPLETE,
		.status = EXITED(1),
		.result = GUEST_PANIC,
		.reason = "Kernel panic - not syncing: x" },
	{ .console = "BUG: why\nKernel panic - not syncing: x\n",
		.result = GUEST_PANIC,
		.reason = "Kernel panic - not syncing: x, after: BUG: why" },
	{ .console = "Kernel panic - not syncing: x\n",
		.late = "no sign of life",
		.result = GUEST_PANIC,
		.reason = "Kernel panic" },
	{ .late = "no sign of life",
		.channel = CHANNEL_INCOMPLETE,
		.status = 9,
		.qemu_said = "terminating on signal 15",
		.result = GUEST_HANG,
		.reason = "no sign of life" },
	{ .status = EXITED(1),
		.channel = CHANNEL_EMPTY,
		.result = GUEST_PANIC,
		.reason = "reported a panic" },
	{ .status = EXITED(1),
		.qemu_said = "no such CPU",
		.channel = CHANNEL_EMPTY,
		.result = GUEST_INFRASTRUCTURE,
		.reason = "QEMU: exit status 1: no such CPU" },
	{ .status = 9,
		.channel = CHANNEL_INCOMPLETE,
		.result = GUEST_INFRASTRUCTURE,
		.reason = "killed by SIGKILL" },
	{ .qemu_said = "qemu: terminating on signal 15 from pid 1",
		.channel = CHANNEL_INCOMPLETE,
		.result = GUEST_INFRASTRUCTURE,
		.reason = "terminating on signal 15" },
	{ .qemu_said = "qemu: warning: harmless", .result = GUEST_OK, .reason = "" },
	{ .channel = CHANNEL_EMPTY, .result = GUEST_RESULT_LOST, .reason = "empty" },
	{ .channel = CHANNEL_INCOMPLETE,
		.result = GUEST_RESULT_LOST,
		.reason = "incomplete" },
	{ .channel = CHANNEL_CUT, .result = GUEST_RESULT_LOST, .reason = "cut short" },
	{ .channel = CHANNEL_CORRUPT, .result = GUEST_RESULT_LOST, .reason = "corrupt" },
	{ .channel = CHANNEL_DISORDER, .result = GUEST_RESULT_LOST, .reason = "order" },
	{ .channel = CHANNEL_OTHER_RUN,
		.result = GUEST_RESULT_LOST,
		.reason = "another run" },
	{ .cause = END_EXIT, .result = GUEST_WORKLOAD_FAILED, .reason = "the end" },
	{ .cause = END_SIGNAL, .result = GUEST_WORKLOAD_FAILED, .reason = "the end" },
	{ .cause = END_SETUP, .result = GUEST_WORKLOAD_FAILED, .reason = "the end" },
	{ .cause = END_DEADLINE, .result = GUEST_HANG, .reason = "the end" },
	{ .console = "WARNING: CPU: 0\n",
		.result = GUEST_KERNEL_WARNED,
		.reason = "WARNING: CPU: 0" },
	{ .console = "WARNING: CPU: 0\n",
		.cause = END_EXIT,
		.result = GUEST_WORKLOAD_FAILED,
		.reason = "the end" },
};

Test(outcome, is_concluded_from_all_that_was_seen)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct seen *s = &cases[i];
		struct console console = { 0 };
		struct channel channel = { .state = s->channel,
			.end = { .cause = s->cause, .reason = (char *)"the end" } };
		struct guest_evidence e = {
			.late = s->late,
			.interrupted = s->interrupted,
			.status = s->status,
			.qemu_said = s->qemu_said ? s->qemu_said : "",
			.console = &console,
			.channel = &channel,
		};
		char *reason = NULL;

		if (s->console)
			console_feed(&console, s->console, strlen(s->console));
		cr_assert_eq(guest_judge(&e, &reason), s->result, "case %zu", i);
		cr_assert(s->result == GUEST_OK ? !reason : !!strstr(reason, s->reason),
			"case %zu: %s", i, reason);
		free(reason);
	}
}

Test(outcome, has_a_name_for_each)
{
	for (int i = 0; i < GUEST_RESULTS; i++)
		cr_assert_not_null(guest_result_name((enum guest_result)i));
	for (int i = 0; i < GUEST_PHASES; i++)
		cr_assert_not_null(guest_phase_name((enum guest_phase)i));
	for (int i = 0; i < CHANNEL_STATES; i++)
		cr_assert_not_null(channel_state_name((enum channel_state)i));
}
