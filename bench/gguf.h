/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of a GGUF file, versions 2 and 3: which tensors it holds, and where
 * their bytes lie. Pure. Numbers are little endian:
 *
 *	"GGUF", version (4 bytes), number of tensors, number of pairs (8 each)
 *	pairs: key, type (4), value           a text: its bytes (8), then these
 *	tensors: name, number of dimensions (4), each dimension (8), type (4),
 *	         offset from the start of the data (8)
 *	the data, at the next multiple of general.alignment (32 if not given)
 */
#ifndef BENCH_GGUF_H
#define BENCH_GGUF_H

#include <stddef.h>
#include <stdint.h>

#define GGUF_DIMS_MAX 4
#define GGUF_NAME_MAX 64

enum { GGUF_F32 = 0, GGUF_F16 = 1 }; /* types of the models that we write */

struct gguf_tensor {
	char name[GGUF_NAME_MAX + 1];
	uint32_t type;
	uint64_t row_elements, rows;
	uint64_t row_bytes;
	uint64_t offset; /* in the file */
	uint64_t bytes;  /* row_bytes * rows, above 0 */
	uint64_t layer;  /* see gguf_layer() */
	uint64_t entry;  /* offset in the file of its line in the table */
};

struct gguf {
	uint32_t version;
	uint64_t alignment;
	struct gguf_tensor *tensors; /* in the order of layers, then of offsets */
	size_t n_tensors;
	uint64_t bytes; /* of all tensors */
};

/* Where a file is wrong, and how. */
struct gguf_fault {
	uint64_t offset;
	char text[192];
};

/*
 * data: the whole file. 0; -EBADMSG with *ret_fault for what is no such file:
 * every tensor of *ret is aligned, lies within the file and in no other one.
 * -ENOMEM.
 */
int gguf_parse(const unsigned char *data, uint64_t bytes, struct gguf *ret,
	struct gguf_fault *ret_fault);
void gguf_clear(struct gguf *g);

/*
 * Where a tensor comes in a pass: 0 for the embedding of tokens, N + 1 for
 * "blk.N.", and last what follows the layers.
 */
uint64_t gguf_layer(const char *name);

/* Elements of a block of that type; 0: it is unknown. */
unsigned int gguf_block_elements(uint32_t type);

/* Bytes of a row of that many elements; 0 for an unknown type or part of a block. */
uint64_t gguf_row_bytes(uint32_t type, uint64_t elements);

/*
 * A small model whose tensors take bytes (a multiple of GGUF_STEP, at least
 * GGUF_LEAST): embedding, layers and output, of F16 and F32, each aligned to
 * GGUF_STEP. *ret_head is what stands before the data, freed by the caller.
 * 0 or -ENOMEM.
 */
#define GGUF_STEP 4096
#define GGUF_LEAST ((uint64_t)1 << 20)
int gguf_compose(
	uint64_t bytes, struct gguf *ret, unsigned char **ret_head, size_t *ret_head_bytes);

#endif
