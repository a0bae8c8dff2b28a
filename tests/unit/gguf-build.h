/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GGUF files written by hand, right or wrong. */
#ifndef TESTS_UNIT_GGUF_BUILD_H
#define TESTS_UNIT_GGUF_BUILD_H

#include <stdint.h>
#include <string.h>

struct built {
	unsigned char data[4096];
	uint64_t bytes;
};

static inline void put(struct built *f, unsigned int bytes, uint64_t value)
{
	for (unsigned int i = 0; i < bytes; i++)
		f->data[f->bytes++] = (unsigned char)(value >> (8 * i));
}

static inline void put_text(struct built *f, const char *text)
{
	put(f, 8, strlen(text));
	memcpy(f->data + f->bytes, text, strlen(text));
	f->bytes += strlen(text);
}

static inline void put_head(
	struct built *f, uint64_t version, uint64_t tensors, uint64_t pairs)
{
	*f = (struct built){ .bytes = 4 };
	memcpy(f->data, "GGUF", 4);
	put(f, 4, version);
	put(f, 8, tensors);
	put(f, 8, pairs);
}

static inline void put_tensor(struct built *f, const char *name, uint64_t elements,
	uint64_t rows, uint64_t type, uint64_t offset)
{
	put_text(f, name);
	put(f, 4, 2);
	put(f, 8, elements);
	put(f, 8, rows);
	put(f, 4, type);
	put(f, 8, offset);
}

/* The data: bytes of it from the next multiple of alignment on, each another. */
static inline void put_data(struct built *f, uint64_t alignment, uint64_t bytes)
{
	f->bytes = (f->bytes + alignment - 1) / alignment * alignment;
	for (uint64_t i = 0; i < bytes; i++)
		f->data[f->bytes++] = (unsigned char)(i * 7 + 3);
}

#endif
