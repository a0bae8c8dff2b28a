/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A running guest as seen from its console and channel files, while they grow. */
#ifndef BOOTS_WATCH_H
#define BOOTS_WATCH_H

#include <stdint.h>

#include "boots/outcome.h"

/* All in milliseconds. */
struct guest_deadlines {
	uint64_t phase_ms[GUEST_PHASES]; /* PHASE_WORKLOAD: on top of the steps' own */
	uint64_t silence_ms;             /* in PHASE_WORKLOAD, from frame to frame */
};

/* Zeroed at first, but for the descriptors, which are the caller's. */
struct watch {
	int console_fd, channel_fd;
	struct console console;
	uint64_t channel_offset;
	enum guest_phase phase;
	uint64_t phase_ms, frame_ms; /* when the phase began, when the last frame came */
};

/* Takes in what is new. now_ms is of any clock that never goes back. */
void watch_look(struct watch *w, uint64_t now_ms);

/*
 * Why the guest has to be ended, freed by the caller; NULL while all is well.
 * steps_ms: the sum of the steps' deadlines.
 */
char *watch_find_late(const struct watch *w, const struct guest_deadlines *d,
	uint64_t steps_ms, uint64_t now_ms);

#endif
