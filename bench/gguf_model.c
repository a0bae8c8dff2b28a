// SPDX-License-Identifier: GPL-2.0-or-later
/* What tensors of GGUF files are made of, and a model of our own. */
#include "gguf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types of tensors by number: elements and bytes of a block. */
static const struct {
	uint16_t elements, bytes;
} blocks[] = {
	[GGUF_F32] = { 1, 4 },
	[GGUF_F16] = { 1, 2 },
	[2] = { 32, 18 },   /* Q4_0 */
	[3] = { 32, 20 },   /* Q4_1 */
	[6] = { 32, 22 },   /* Q5_0 */
	[7] = { 32, 24 },   /* Q5_1 */
	[8] = { 32, 34 },   /* Q8_0 */
	[10] = { 256, 84 }, /* Q2_K and on */
	[11] = { 256, 110 },
	[12] = { 256, 144 },
	[13] = { 256, 176 },
	[14] = { 256, 210 },
	[15] = { 256, 292 },
	[16] = { 256, 66 }, /* IQ2_XXS and on */
	[17] = { 256, 74 },
	[18] = { 256, 98 },
	[19] = { 256, 50 },
	[20] = { 32, 18 },
	[21] = { 256, 110 },
	[22] = { 256, 82 },
	[23] = { 256, 136 },
	[24] = { 1, 1 }, /* I8 and on */
	[25] = { 1, 2 },
	[26] = { 1, 4 },
	[27] = { 1, 8 },
	[28] = { 1, 8 },    /* F64 */
	[29] = { 256, 56 }, /* IQ1_M */
	[30] = { 1, 2 },    /* BF16 */
	[34] = { 256, 54 }, /* TQ1_0 */
	[35] = { 256, 66 }, /* TQ2_0 */
	[39] = { 32, 17 },  /* MXFP4 */
};

unsigned int gguf_block_elements(uint32_t type)
{
	return type < sizeof(blocks) / sizeof(blocks[0]) ? blocks[type].elements : 0;
}

uint64_t gguf_row_bytes(uint32_t type, uint64_t elements)
{
	uint64_t bytes;

	if (gguf_block_elements(type) == 0 || elements % blocks[type].elements != 0 ||
		__builtin_mul_overflow(
			elements / blocks[type].elements, blocks[type].bytes, &bytes))
		return 0;
	return bytes;
}

uint64_t gguf_layer(const char *name)
{
	unsigned long long layer;
	char dot;

	if (strncmp(name, "token_embd", strlen("token_embd")) == 0)
		return 0;
	if (strncmp(name, "blk.", 4) == 0 && name[4] >= '0' && name[4] <= '9' &&
		sscanf(name + 4, "%9llu%c", &layer, &dot) == 2 && dot == '.')
		return layer + 1;
	return UINT64_MAX;
}

/* Rows of the matrices of our models: of F16. A vector of F32 takes two steps. */
#define ROW_ELEMENTS (GGUF_STEP / 2)
#define VECTOR_STEPS ((uint64_t)2)
#define LAYERS_MAX 80
#define LAYER_STEPS 128 /* of a small model's layer */

/* Matrices of a layer by their share of its rows; 0: a vector. */
static const struct {
	const char *name;
	unsigned int share;
} parts[] = {
	{ "attn_norm", 0 },
	{ "attn_q", 2 },
	{ "attn_k", 1 },
	{ "attn_v", 1 },
	{ "attn_output", 2 },
	{ "ffn_norm", 0 },
	{ "ffn_gate", 4 },
	{ "ffn_up", 4 },
	{ "ffn_down", 4 },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))
#define SHARES 18

static void add(struct gguf *g, const char *name, uint64_t steps, uint32_t type)
{
	struct gguf_tensor *t = &g->tensors[g->n_tensors++];

	snprintf(t->name, sizeof(t->name), "%s.weight", name);
	t->type = type;
	t->row_elements = ROW_ELEMENTS;
	t->row_bytes = (uint64_t)ROW_ELEMENTS * (type == GGUF_F32 ? 4 : 2);
	t->bytes = steps * GGUF_STEP;
	t->rows = t->bytes / t->row_bytes;
	t->layer = gguf_layer(t->name);
	t->offset = g->bytes;
	g->bytes += t->bytes;
}

static void add_layer(struct gguf *g, uint64_t layer, uint64_t steps)
{
	const uint64_t matrices = steps - 2 * VECTOR_STEPS;
	uint64_t left = matrices;

	for (size_t i = 0; i < PARTS; i++) {
		uint64_t take = matrices * parts[i].share / SHARES;
		char name[48];

		if (parts[i].share == 0)
			take = VECTOR_STEPS;
		else if (i == PARTS - 1)
			take = left;
		left -= parts[i].share ? take : 0;
		snprintf(name, sizeof(name), "blk.%llu.%s", (unsigned long long)layer,
			parts[i].name);
		add(g, name, take, parts[i].share ? GGUF_F16 : GGUF_F32);
	}
}

struct head {
	unsigned char *data;
	size_t bytes;
};

static void put_number(struct head *h, unsigned int bytes, uint64_t value)
{
	for (unsigned int i = 0; i < bytes; i++)
		h->data[h->bytes++] = (unsigned char)(value >> (8 * i));
}

static void put_text(struct head *h, const char *text)
{
	put_number(h, 8, strlen(text));
	memcpy(h->data + h->bytes, text, strlen(text));
	h->bytes += strlen(text);
}

static void put_pairs(struct head *h, uint64_t layers)
{
	put_text(h, "general.architecture");
	put_number(h, 4, 8);
	put_text(h, "shootdown");
	put_text(h, "general.alignment");
	put_number(h, 4, 4);
	put_number(h, 4, GGUF_STEP);
	put_text(h, "shootdown.block_count");
	put_number(h, 4, 4);
	put_number(h, 4, layers);
}

static void put_tensor(struct head *h, struct gguf_tensor *t)
{
	t->entry = h->bytes;
	put_text(h, t->name);
	put_number(h, 4, 2);
	put_number(h, 8, t->row_elements);
	put_number(h, 8, t->rows);
	put_number(h, 4, t->type);
	put_number(h, 8, t->offset);
}

/* The end is filled up with zeros to the start of the data. */
static int write_head(struct gguf *g, uint64_t layers, struct head *ret)
{
	const size_t room = 512 + g->n_tensors * (GGUF_NAME_MAX + 40);
	struct head h = { .data = calloc(1, room + GGUF_STEP) };

	if (!h.data)
		return -ENOMEM;
	memcpy(h.data, "GGUF", 4);
	h.bytes = 4;
	put_number(&h, 4, g->version);
	put_number(&h, 8, g->n_tensors);
	put_number(&h, 8, 3);
	put_pairs(&h, layers);
	for (size_t i = 0; i < g->n_tensors; i++)
		put_tensor(&h, &g->tensors[i]);
	h.bytes = (h.bytes + GGUF_STEP - 1) / GGUF_STEP * GGUF_STEP;
	for (size_t i = 0; i < g->n_tensors; i++)
		g->tensors[i].offset += h.bytes;
	*ret = h;
	return 0;
}

int gguf_compose(
	uint64_t bytes, struct gguf *ret, unsigned char **ret_head, size_t *ret_head_bytes)
{
	const uint64_t steps = bytes / GGUF_STEP, most = steps / LAYER_STEPS;
	const uint64_t layers = most < LAYERS_MAX ? most : LAYERS_MAX;
	const uint64_t layer_steps = (steps - steps / 8) / layers;
	const uint64_t ends = steps - layers * layer_steps - VECTOR_STEPS;
	struct gguf g = { .version = 3, .alignment = GGUF_STEP };
	struct head head;

	g.tensors = calloc(layers * PARTS + 3, sizeof(*g.tensors));
	if (!g.tensors)
		return -ENOMEM;
	add(&g, "token_embd", ends / 2, GGUF_F16);
	for (uint64_t i = 0; i < layers; i++)
		add_layer(&g, i, layer_steps);
	add(&g, "output_norm", VECTOR_STEPS, GGUF_F32);
	add(&g, "output", ends - ends / 2, GGUF_F16);
	if (write_head(&g, layers, &head) < 0) {
		gguf_clear(&g);
		return -ENOMEM;
	}
	*ret = g;
	*ret_head = head.data;
	*ret_head_bytes = head.bytes;
	return 0;
}
