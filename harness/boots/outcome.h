/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a boot ended, concluded from what was seen of it. Pure. */
#ifndef BOOTS_OUTCOME_H
#define BOOTS_OUTCOME_H

#include <stdbool.h>

#include "boots/channel.h"
#include "boots/console.h"

/* What a guest is at, in this order. */
enum guest_phase {
	PHASE_FIRMWARE, /* until the console shows its first byte */
	PHASE_KERNEL,   /* until guest-init opens the channel */
	PHASE_INIT,     /* until the first step */
	PHASE_WORKLOAD, /* until END */
	PHASE_SHUTDOWN, /* until QEMU ends */
	GUEST_PHASES,
};

/* Only GUEST_OK has results that count. Only INFRASTRUCTURE is worth another try. */
enum guest_result {
	GUEST_OK,
	GUEST_WORKLOAD_FAILED,
	GUEST_KERNEL_WARNED, /* it ran, and the kernel complained meanwhile */
	GUEST_PANIC,
	GUEST_HANG,
	GUEST_RESULT_LOST,
	GUEST_INFRASTRUCTURE,
	GUEST_INTERRUPTED, /* by the user */
	GUEST_RESULTS,
};

/* For people: "hang". */
const char *guest_phase_name(enum guest_phase phase);
const char *guest_result_name(enum guest_result result);

struct guest_evidence {
	enum guest_phase phase; /* the last that was reached */
	const char *late;       /* why it was ended by us: which deadline; or NULL */
	bool interrupted;
	int status;            /* of QEMU, as of waitpid(2) */
	const char *qemu_said; /* on stderr; "" for nothing */
	const struct console *console;
	const struct channel *channel;
};

/* The line says why, for whatever is not GUEST_OK; freed by the caller. */
enum guest_result guest_judge(const struct guest_evidence *e, char **ret_reason);

#endif
