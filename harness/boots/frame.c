// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

static const unsigned char magic[4] = { 'S', 'D', 'F', '1' };

uint32_t frame_get_u32(const unsigned char *from)
{
	return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
	       (uint32_t)from[3] << 24;
}

void frame_put_u32(unsigned char *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t checksum(const unsigned char *data, uint32_t bytes)
{
	return (uint32_t)crc32(0, data, bytes);
}

static bool all_zero(const unsigned char *data, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++) {
		if (data[i])
			return false;
	}
	return true;
}

uint64_t frame_size(uint32_t payload_bytes)
{
	uint64_t bytes = (uint64_t)FRAME_HEADER_BYTES + payload_bytes;

	return (bytes + FRAME_SECTOR_BYTES - 1) / FRAME_SECTOR_BYTES * FRAME_SECTOR_BYTES;
}

void frame_encode(const struct frame *f, unsigned char *ret)
{
	memset(ret, 0, frame_size(f->bytes));
	memcpy(ret, magic, sizeof(magic));
	frame_put_u32(ret + 4, f->type);
	frame_put_u32(ret + 8, f->sequence);
	frame_put_u32(ret + 12, f->bytes);
	if (f->bytes)
		memcpy(ret + FRAME_HEADER_BYTES, f->payload, f->bytes);
	frame_put_u32(ret + 16, checksum(ret + FRAME_HEADER_BYTES, f->bytes));
	frame_put_u32(ret + 20, checksum(ret, 20));
}

int frame_decode(const unsigned char *data, size_t bytes, size_t offset, struct frame *ret)
{
	const unsigned char *at = data + offset;
	uint64_t left = bytes - offset, used;
	uint32_t payload_bytes;

	if (left < FRAME_SECTOR_BYTES)
		return -ENOSPC;
	if (all_zero(at, FRAME_SECTOR_BYTES))
		return -ENODATA;
	if (memcmp(at, magic, sizeof(magic)) != 0 ||
		frame_get_u32(at + 20) != checksum(at, 20))
		return -EBADMSG;
	payload_bytes = frame_get_u32(at + 12);
	if (frame_size(payload_bytes) > left)
		return -ENOSPC;
	if (frame_get_u32(at + 16) != checksum(at + FRAME_HEADER_BYTES, payload_bytes))
		return -EBADMSG;
	used = (uint64_t)FRAME_HEADER_BYTES + payload_bytes;
	if (!all_zero(at + used, frame_size(payload_bytes) - used))
		return -EBADMSG;
	ret->type = frame_get_u32(at + 4);
	ret->sequence = frame_get_u32(at + 8);
	ret->payload = at + FRAME_HEADER_BYTES;
	ret->bytes = payload_bytes;
	return 0;
}
