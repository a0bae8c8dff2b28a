// SPDX-License-Identifier: GPL-2.0-or-later
#include "gguf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of arrays: none of these is known to exist. */
#define DEPTH_MAX 4
#define ALIGNMENT_MAX ((uint64_t)1 << 30)
/* The least bytes of a pair and of a tensor: what the numbers of them can be. */
#define PAIR_LEAST 13
#define TENSOR_LEAST 25

enum value_type { VALUE_U32 = 4, VALUE_TEXT = 8, VALUE_ARRAY = 9, VALUE_TYPES = 13 };
static const unsigned char value_bytes[VALUE_TYPES] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8,
	8 };

struct cursor {
	const unsigned char *data;
	uint64_t bytes, at;
	struct gguf_fault *fault;
};

static int __attribute__((format(printf, 3, 4)))
wrong(struct cursor *c, uint64_t offset, const char *fmt, ...)
{
	va_list args;

	c->fault->offset = offset;
	va_start(args, fmt);
	vsnprintf(c->fault->text, sizeof(c->fault->text), fmt, args);
	va_end(args);
	return -EBADMSG;
}

/* The next bytes; NULL with the fault where the file ends before they do. */
static const unsigned char *take(struct cursor *c, uint64_t bytes)
{
	const unsigned char *from = c->data + c->at;

	if (bytes > c->bytes - c->at) {
		wrong(c, c->at, "the file is cut short: its head goes on after its end");
		return NULL;
	}
	c->at += bytes;
	return from;
}

/* A number of that many bytes, at most 8. */
static int take_number(struct cursor *c, unsigned int bytes, uint64_t *ret)
{
	const unsigned char *from = take(c, bytes);
	uint64_t value = 0;

	if (!from)
		return -EBADMSG;
	for (unsigned int i = 0; i < bytes; i++)
		value |= (uint64_t)from[i] << (8 * i);
	*ret = value;
	return 0;
}

/* NULL as take(). */
static const unsigned char *take_text(struct cursor *c, uint64_t *ret_bytes)
{
	return take_number(c, 8, ret_bytes) < 0 ? NULL : take(c, *ret_bytes);
}

static int skip_value(struct cursor *c, uint64_t type, int depth);

static int skip_array(struct cursor *c, int depth)
{
	const uint64_t start = c->at;
	uint64_t type = 0, count = 0;
	int status = take_number(c, 4, &type);

	if (status == 0)
		status = take_number(c, 8, &count);
	if (status < 0)
		return status;
	if (depth == DEPTH_MAX)
		return wrong(
			c, start, "arrays within arrays, more than %d deep", DEPTH_MAX);
	if (type >= VALUE_TYPES)
		return skip_value(c, type, depth);
	/* A text takes 8 bytes at least, an array 12. */
	if (count > (c->bytes - c->at) / (value_bytes[type] ? value_bytes[type] : 8))
		return wrong(c, start,
			"an array of %llu values, which the file is too short for",
			(unsigned long long)count);
	if (value_bytes[type]) {
		c->at += count * value_bytes[type];
		return 0;
	}
	for (uint64_t i = 0; i < count && status == 0; i++)
		status = skip_value(c, type, depth + 1);
	return status;
}

static int skip_value(struct cursor *c, uint64_t type, int depth)
{
	uint64_t bytes;

	if (type >= VALUE_TYPES)
		return wrong(
			c, c->at, "a value of unknown type %llu", (unsigned long long)type);
	if (type == VALUE_ARRAY)
		return skip_array(c, depth);
	if (type == VALUE_TEXT)
		return take_text(c, &bytes) ? 0 : -EBADMSG;
	return take(c, value_bytes[type]) ? 0 : -EBADMSG;
}

static int take_alignment(struct cursor *c, uint64_t type, struct gguf *g)
{
	const uint64_t start = c->at;
	int status;

	if (type != VALUE_U32)
		return wrong(c, start,
			"general.alignment is of type %llu and not a 32-bit number",
			(unsigned long long)type);
	status = take_number(c, 4, &g->alignment);
	if (status == 0 && (g->alignment == 0 || g->alignment > ALIGNMENT_MAX ||
				   (g->alignment & (g->alignment - 1)) != 0))
		status = wrong(c, start, "general.alignment is %llu and not a power of two",
			(unsigned long long)g->alignment);
	return status;
}

static int take_pair(struct cursor *c, struct gguf *g)
{
	static const char alignment[] = "general.alignment";
	uint64_t key_bytes, type;
	const unsigned char *key = take_text(c, &key_bytes);

	if (!key || take_number(c, 4, &type) < 0)
		return -EBADMSG;
	if (key_bytes == strlen(alignment) && memcmp(key, alignment, key_bytes) == 0)
		return take_alignment(c, type, g);
	return skip_value(c, type, 0);
}

static int take_name(struct cursor *c, struct gguf_tensor *t)
{
	uint64_t bytes;
	const unsigned char *name = take_text(c, &bytes);

	if (!name)
		return -EBADMSG;
	if (bytes == 0 || bytes > GGUF_NAME_MAX)
		return wrong(c, t->entry,
			"a tensor's name of %llu bytes: 1 to %d are allowed",
			(unsigned long long)bytes, GGUF_NAME_MAX);
	for (uint64_t i = 0; i < bytes; i++)
		t->name[i] = name[i] > ' ' && name[i] < 127 ? (char)name[i] : '?';
	return 0;
}

static int take_dimensions(struct cursor *c, struct gguf_tensor *t)
{
	uint64_t count = 0;
	int status = take_number(c, 4, &count);

	if (status < 0)
		return status;
	if (count > GGUF_DIMS_MAX)
		return wrong(c, t->entry,
			"tensor %s has %llu dimensions: at most %d are allowed", t->name,
			(unsigned long long)count, GGUF_DIMS_MAX);
	t->row_elements = t->rows = 1;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t *to = i == 0 ? &t->row_elements : &t->rows, size = 0;

		status = take_number(c, 8, &size);
		if (status < 0)
			return status;
		if (size == 0)
			return wrong(
				c, t->entry, "tensor %s has a dimension of 0", t->name);
		if (__builtin_mul_overflow(*to, size, to))
			return wrong(
				c, t->entry, "the size of tensor %s overflows", t->name);
	}
	return 0;
}

static int take_tensor(struct cursor *c, struct gguf_tensor *t)
{
	uint64_t type = 0;
	int status;

	t->entry = c->at;
	status = take_name(c, t);
	if (status == 0)
		status = take_dimensions(c, t);
	if (status == 0)
		status = take_number(c, 4, &type);
	if (status == 0)
		status = take_number(c, 8, &t->offset);
	if (status < 0)
		return status;
	t->type = (uint32_t)type;
	t->layer = gguf_layer(t->name);
	t->row_bytes = gguf_row_bytes(t->type, t->row_elements);
	if (gguf_block_elements(t->type) == 0)
		return wrong(c, t->entry, "tensor %s is of unknown type %llu", t->name,
			(unsigned long long)type);
	if (t->row_elements % gguf_block_elements(t->type) != 0)
		return wrong(c, t->entry,
			"tensor %s has rows of %llu elements, which are no whole blocks of %u",
			t->name, (unsigned long long)t->row_elements,
			gguf_block_elements(t->type));
	if (t->row_bytes == 0 || __builtin_mul_overflow(t->row_bytes, t->rows, &t->bytes))
		return wrong(c, t->entry, "the size of tensor %s overflows", t->name);
	return 0;
}

/* From offsets within the data to those in the file. */
static int place(struct cursor *c, struct gguf *g)
{
	const uint64_t data = (c->at + g->alignment - 1) & ~(g->alignment - 1);

	for (size_t i = 0; i < g->n_tensors; i++) {
		struct gguf_tensor *t = &g->tensors[i];

		if (t->offset % g->alignment != 0)
			return wrong(c, t->entry,
				"tensor %s is unaligned: at %llu of the data, and the alignment is %llu",
				t->name, (unsigned long long)t->offset,
				(unsigned long long)g->alignment);
		if (data > c->bytes || t->offset > c->bytes - data ||
			t->bytes > c->bytes - data - t->offset)
			return wrong(c, t->entry,
				"the file is cut short: tensor %s of %llu bytes ends after its %llu bytes",
				t->name, (unsigned long long)t->bytes,
				(unsigned long long)c->bytes);
		t->offset += data;
		g->bytes += t->bytes; /* overlaps are refused: cannot overflow for long */
	}
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct gguf_tensor *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_layer(const void *a, const void *b)
{
	const struct gguf_tensor *x = a, *y = b;

	return x->layer != y->layer ? (x->layer > y->layer) - (x->layer < y->layer)
				    : by_offset(a, b);
}

static int check_overlaps(struct cursor *c, struct gguf *g)
{
	qsort(g->tensors, g->n_tensors, sizeof(*g->tensors), by_offset);
	for (size_t i = 1; i < g->n_tensors; i++) {
		const struct gguf_tensor *before = &g->tensors[i - 1], *t = &g->tensors[i];

		if (t->offset < before->offset + before->bytes)
			return wrong(c, t->entry,
				"tensor %s overlaps with tensor %s at %llu", t->name,
				before->name, (unsigned long long)t->offset);
	}
	return 0;
}

static int take_head(struct cursor *c, struct gguf *g, uint64_t *ret_pairs)
{
	const unsigned char *magic = take(c, 4);
	uint64_t version = 0, count = 0;
	int status;

	if (!magic || memcmp(magic, "GGUF", 4) != 0)
		return wrong(c, 0, "this is no GGUF file");
	status = take_number(c, 4, &version);
	if (status == 0 && version != 2 && version != 3)
		return wrong(c, 4, "version %llu is not known: 2 and 3 are%s",
			(unsigned long long)version,
			version & 0xffff ? "" : " (is the file big endian?)");
	if (status == 0)
		status = take_number(c, 8, &count);
	if (status == 0)
		status = take_number(c, 8, ret_pairs);
	if (status < 0)
		return status;
	if (*ret_pairs > (c->bytes - c->at) / PAIR_LEAST ||
		count > (c->bytes - c->at) / TENSOR_LEAST)
		return wrong(c, 8,
			"%llu tensors and %llu pairs, which the file is too short for",
			(unsigned long long)count, (unsigned long long)*ret_pairs);
	g->version = (uint32_t)version;
	g->n_tensors = count;
	return 0;
}

static int take_all(struct cursor *c, struct gguf *g)
{
	uint64_t pairs = 0;
	int status = take_head(c, g, &pairs);

	for (uint64_t i = 0; i < pairs && status == 0; i++)
		status = take_pair(c, g);
	if (status < 0)
		return status;
	if (g->n_tensors == 0)
		return wrong(c, 8, "the file holds no tensors (a vocabulary alone?)");
	g->tensors = calloc(g->n_tensors, sizeof(*g->tensors));
	if (!g->tensors)
		return -ENOMEM;
	for (size_t i = 0; i < g->n_tensors && status == 0; i++)
		status = take_tensor(c, &g->tensors[i]);
	if (status == 0)
		status = place(c, g);
	if (status == 0)
		status = check_overlaps(c, g);
	return status;
}

int gguf_parse(const unsigned char *data, uint64_t bytes, struct gguf *ret,
	struct gguf_fault *ret_fault)
{
	struct gguf_fault fault = { 0 };
	struct cursor c = { .data = data, .bytes = bytes, .fault = &fault };
	struct gguf g = { .alignment = 32 };
	const int status = take_all(&c, &g);

	if (status < 0) {
		gguf_clear(&g);
		*ret_fault = fault;
		return status;
	}
	qsort(g.tensors, g.n_tensors, sizeof(*g.tensors), by_layer);
	*ret = g;
	return 0;
}

void gguf_clear(struct gguf *g)
{
	free(g->tensors);
	*g = (struct gguf){ 0 };
}
