// SPDX-License-Identifier: GPL-2.0-or-later
#include "outcome.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/process.h"

const char *guest_phase_name(enum guest_phase phase)
{
	static const char *const names[GUEST_PHASES] = {
		[PHASE_FIRMWARE] = "firmware",
		[PHASE_KERNEL] = "kernel",
		[PHASE_INIT] = "init",
		[PHASE_WORKLOAD] = "workload",
		[PHASE_SHUTDOWN] = "shutdown",
	};

	return names[phase];
}

const char *guest_result_name(enum guest_result result)
{
	static const char *const names[GUEST_RESULTS] = {
		[GUEST_OK] = "ok",
		[GUEST_WORKLOAD_FAILED] = "workload failed",
		[GUEST_KERNEL_WARNED] = "kernel warning",
		[GUEST_PANIC] = "panic",
		[GUEST_HANG] = "hang",
		[GUEST_RESULT_LOST] = "result lost",
		[GUEST_INFRASTRUCTURE] = "infrastructure",
		[GUEST_INTERRUPTED] = "interrupted",
	};

	return names[result];
}

/* The panic's own line often says no more than "Fatal exception". */
static char *describe_panic(const struct console *c)
{
	if (strcmp(c->fault_line, c->first_line) == 0)
		return mem_text(c->fault_line);
	return mem_format("%s, after: %s", c->fault_line, c->first_line);
}

/* QEMU itself, apart from what ran in it. */
static enum guest_result judge_qemu(const struct guest_evidence *e, char **ret_reason)
{
	char *how;

	/* A SIGTERM from outside makes it exit with status 0. */
	if (e->status == 0 && !strstr(e->qemu_said, "terminating on signal"))
		return GUEST_OK;
	if (WIFEXITED(e->status) && !*e->qemu_said) {
		*ret_reason = mem_text("the guest reported a panic that its console lacks");
		return GUEST_PANIC;
	}
	how = process_describe(e->status);
	*ret_reason =
		mem_format("QEMU: %s%s%s", how, *e->qemu_said ? ": " : "", e->qemu_said);
	free(how);
	return GUEST_INFRASTRUCTURE;
}

static enum guest_result judge_end(const struct channel_end *end, char **ret_reason)
{
	if (end->cause == END_OK)
		return GUEST_OK;
	*ret_reason = mem_text(end->reason);
	return end->cause == END_DEADLINE ? GUEST_HANG : GUEST_WORKLOAD_FAILED;
}

/*
 * The gravest first, and what explains the rest before what follows from it: a
 * panic cuts the channel, not the other way round.
 */
enum guest_result guest_judge(const struct guest_evidence *e, char **ret_reason)
{
	enum guest_result result;

	if (e->interrupted) {
		*ret_reason = mem_text("interrupted");
		return GUEST_INTERRUPTED;
	}
	if (e->console->fault == CONSOLE_PANIC) {
		*ret_reason = describe_panic(e->console);
		return GUEST_PANIC;
	}
	if (e->late) {
		*ret_reason = mem_text(e->late);
		return GUEST_HANG;
	}
	result = judge_qemu(e, ret_reason);
	if (result != GUEST_OK)
		return result;
	if (e->channel->state != CHANNEL_COMPLETE) {
		*ret_reason = mem_format("the result channel is %s after %zu frames",
			channel_state_name(e->channel->state), e->channel->n_frames);
		return GUEST_RESULT_LOST;
	}
	result = judge_end(&e->channel->end, ret_reason);
	if (result != GUEST_OK)
		return result;
	if (e->console->fault != CONSOLE_CLEAN) {
		*ret_reason = mem_text(e->console->fault_line);
		return GUEST_KERNEL_WARNED;
	}
	return GUEST_OK;
}
