/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form in which a guest hands over its results: frames, one after the
 * other on a raw block device. Pure.
 *
 * A frame starts on a sector of its own:
 *
 *	offset  bytes  all numbers little endian
 *	0       4      magic "SDF1"
 *	4       4      type, enum frame_type
 *	8       4      sequence: 0, 1, 2 ...
 *	12      4      bytes of payload
 *	16      4      CRC32 of the payload
 *	20      4      CRC32 of the 20 bytes above
 *	24             the payload, then zeros to the end of the sector
 */
#ifndef BOOTS_FRAME_H
#define BOOTS_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_SECTOR_BYTES 512
#define FRAME_HEADER_BYTES 24

enum frame_type {
	FRAME_BEGIN = 1, /* the run's id: all is incomplete from here to END */
	FRAME_PHASE,     /* text: what starts now, "init" or the name of a step */
	FRAME_HEARTBEAT, /* empty: still alive */
	FRAME_FILE,      /* a name, NUL, the content */
	FRAME_LOG,       /* text for people */
	FRAME_END,       /* frames before it, cause, status (4 bytes each), reason */
};

struct frame {
	uint32_t type, sequence;
	const unsigned char *payload; /* neither aligned nor terminated */
	uint32_t bytes;
};

uint32_t frame_get_u32(const unsigned char *from);
void frame_put_u32(unsigned char *to, uint32_t value);

/* The whole sectors that a frame takes, in bytes. */
uint64_t frame_size(uint32_t payload_bytes);

/* Fills frame_size(f->bytes) bytes at ret. */
void frame_encode(const struct frame *f, unsigned char *ret);

/*
 * The frame at offset, a multiple of the sector's size. 0 with ret->payload
 * within data; -ENODATA where nothing was written yet; -ENOSPC where the data
 * ends before the frame does; -EBADMSG for what was never written like this.
 */
int frame_decode(const unsigned char *data, size_t bytes, size_t offset, struct frame *ret);

#endif
