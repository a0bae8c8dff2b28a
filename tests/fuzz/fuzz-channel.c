// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clang -fsanitize=fuzzer,address,undefined: the channel's reader, which takes
 * whatever a guest wrote. A checksum is out of a fuzzer's reach, so that each
 * sector that begins with the magic is given the right ones first; odd inputs
 * are left as they are.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "boots/channel.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes);

static void repair(unsigned char *data, size_t bytes)
{
	for (size_t at = 0; at + FRAME_SECTOR_BYTES <= bytes; at += FRAME_SECTOR_BYTES) {
		unsigned char *header = data + at;
		uint32_t payload = frame_get_u32(header + 12);

		if (memcmp(header, "SDF1", 4) != 0)
			continue;
		if (payload <= bytes - at - FRAME_HEADER_BYTES)
			frame_put_u32(header + 16,
				(uint32_t)crc32(0, header + FRAME_HEADER_BYTES, payload));
		frame_put_u32(header + 20, (uint32_t)crc32(0, header, 20));
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t bytes)
{
	unsigned char *copy = malloc(bytes + 1);
	struct channel c;

	memcpy(copy, data, bytes);
	if (bytes % 2 == 0)
		repair(copy, bytes);
	channel_parse(copy, bytes, "run", &c);
	if (c.state == CHANNEL_COMPLETE && (c.n_frames < 2 || !c.end.reason))
		abort();
	channel_clear(&c);
	free(copy);
	return 0;
}
