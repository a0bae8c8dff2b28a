// SPDX-License-Identifier: GPL-2.0-or-later
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

static void enter(struct watch *w, enum guest_phase phase, uint64_t now_ms)
{
	if (phase <= w->phase)
		return;
	w->phase = phase;
	w->phase_ms = now_ms;
}

static void look_at_console(struct watch *w)
{
	char data[4096];
	ssize_t got;

	while ((got = pread(w->console_fd, data, sizeof(data), (off_t)w->console.bytes)) >
		0)
		console_feed(&w->console, data, (size_t)got);
}

static void take_frame(struct watch *w, const struct frame *f, uint64_t now_ms)
{
	w->frame_ms = now_ms;
	switch (f->type) {
	case FRAME_BEGIN:
		enter(w, PHASE_INIT, now_ms);
		break;
	case FRAME_PHASE:
		/* The first is "init", sequence 1; what follows are the steps. */
		if (f->sequence > 1)
			enter(w, PHASE_WORKLOAD, now_ms);
		break;
	case FRAME_END:
		enter(w, PHASE_SHUTDOWN, now_ms);
		break;
	}
}

/* Only its type and order matter here, but a frame that is not whole is none. */
static bool look_at_frame(struct watch *w, uint64_t now_ms)
{
	unsigned char sector[FRAME_SECTOR_BYTES], *whole;
	uint64_t size;
	struct frame f;
	bool taken;

	if (pread(w->channel_fd, sector, sizeof(sector), (off_t)w->channel_offset) !=
		sizeof(sector))
		return false;
	size = frame_size(frame_get_u32(sector + 12));
	if (size > CHANNEL_BYTES)
		return false;
	whole = malloc(size);
	taken = whole &&
		pread(w->channel_fd, whole, size, (off_t)w->channel_offset) ==
			(ssize_t)size &&
		frame_decode(whole, size, 0, &f) == 0;
	if (taken) {
		take_frame(w, &f, now_ms);
		w->channel_offset += size;
	}
	free(whole);
	return taken;
}

void watch_look(struct watch *w, uint64_t now_ms)
{
	if (w->phase_ms == 0)
		w->phase_ms = now_ms;
	look_at_console(w);
	if (w->console.bytes)
		enter(w, PHASE_KERNEL, now_ms);
	while (look_at_frame(w, now_ms))
		;
}

char *watch_find_late(const struct watch *w, const struct guest_deadlines *d,
	uint64_t steps_ms, uint64_t now_ms)
{
	uint64_t allowed_ms = d->phase_ms[w->phase];

	if (w->phase == PHASE_WORKLOAD) {
		allowed_ms += steps_ms;
		if (now_ms - w->frame_ms > d->silence_ms)
			return mem_format(
				"no sign of life for %.1f s", (double)d->silence_ms / 1000);
	}
	if (now_ms - w->phase_ms <= allowed_ms)
		return NULL;
	return mem_format("not through with %s after %.1f s", guest_phase_name(w->phase),
		(double)allowed_ms / 1000);
}
