/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the guest to the host: frames (frame.h) on a raw block device that the
 * host keeps as a file of CHANNEL_BYTES. A frame's first sector is written
 * last and each part is synced, so that a frame is there as a whole or not at
 * all, wherever the guest dies. The host believes nothing without a valid END.
 */
#ifndef BOOTS_CHANNEL_H
#define BOOTS_CHANNEL_H

#include "base/err.h"
#include "boots/frame.h"

#define CHANNEL_BYTES ((uint64_t)16 << 20)
/* By this serial number the guest finds the device; 20 characters at most. */
#define CHANNEL_SERIAL "shootdown-channel"

enum end_cause {
	END_OK,
	END_EXIT,     /* a step exited with status, which is not 0 */
	END_SIGNAL,   /* a step was killed by the signal of number status */
	END_DEADLINE, /* a step took too long and was killed */
	END_SETUP,    /* the guest could not be made what the job asks for */
	END_CAUSES,
};

struct channel_end {
	enum end_cause cause;
	uint32_t status;
	char *reason; /* one line; empty for END_OK */
};

/* What the host may find. Only the first is to be believed. */
enum channel_state {
	CHANNEL_COMPLETE,
	CHANNEL_EMPTY,      /* the guest never wrote */
	CHANNEL_INCOMPLETE, /* valid as far as it goes, and no END */
	CHANNEL_CUT,        /* the file ends before END, or within a frame */
	CHANNEL_CORRUPT,    /* a bit is not as it was written */
	CHANNEL_DISORDER,   /* whole frames, but not those in that order */
	CHANNEL_OTHER_RUN,  /* left behind by another run */
	CHANNEL_STATES,
};

/* For people: "cut short". */
const char *channel_state_name(enum channel_state state);

struct channel_file {
	char *name;
	char *data; /* a NUL follows */
	size_t bytes;
};

struct channel {
	enum channel_state state;
	size_t n_frames; /* valid ones */
	size_t n_phases; /* "init" is the first, then each step */
	char *phase;     /* the last one; NULL before the first */
	struct channel_file *files;
	size_t n_files;
	char *log;              /* the FRAME_LOGs, joined; NULL without any */
	struct channel_end end; /* of CHANNEL_COMPLETE */
};

/* What came before a fault is kept in *ret, for diagnosis. */
void channel_parse(
	const unsigned char *data, size_t bytes, const char *run_id, struct channel *ret);
/* 0 whatever the state; -errno where the file cannot be read. */
int channel_read(
	const char *path, const char *run_id, struct channel *ret, struct err *err);
void channel_clear(struct channel *c);

/* The guest's side. The caller owns fd, a device of that many bytes. */
struct channel_writer {
	int fd;
	uint64_t bytes, offset;
	uint32_t sequence;
};

/* 0 or -errno; -ENOSPC while there is still room for END. */
int channel_begin(int fd, uint64_t bytes, const char *run_id, struct channel_writer *ret);
int channel_send(
	struct channel_writer *w, enum frame_type type, const void *data, size_t bytes);
int channel_send_text(struct channel_writer *w, enum frame_type type, const char *text);
int channel_send_file(
	struct channel_writer *w, const char *name, const void *data, size_t bytes);
int channel_finish(struct channel_writer *w, const struct channel_end *end);

#endif
