// SPDX-License-Identifier: GPL-2.0-or-later
/* Heads of GGUF files: what they say, and where a bad one is wrong. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

#include "bench/gguf.h"
#include "gguf-build.h"

/* Each kind of value, then three tensors out of order, with an alignment of 64. */
static struct built good(uint64_t version)
{
	struct built f;

	put_head(&f, version, 3, 5);
	put_text(&f, "general.alignment");
	put(&f, 4, 4);
	put(&f, 4, 64);
	put_text(&f, "a.text");
	put(&f, 4, 8);
	put_text(&f, "general.alignment");
	put_text(&f, "some.numbers");
	put(&f, 4, 9);
	put(&f, 4, 2);
	put(&f, 8, 3);
	put(&f, 6, 0x112233);
	put_text(&f, "some.texts");
	put(&f, 4, 9);
	put(&f, 4, 8);
	put(&f, 8, 2);
	put_text(&f, "x");
	put_text(&f, "");
	put_text(&f, "a.float");
	put(&f, 4, 12);
	put(&f, 8, 0);
	put_tensor(&f, "output.weight", 32, 2, 8, 64);
	put_tensor(&f, "blk.0.attn_q.weight", 4, 4, 0, 0);
	put_tensor(&f, "token_embd.weight", 16, 1, 1, 192);
	put_data(&f, 64, 224);
	return f;
}

Test(gguf, says_where_tensors_lie)
{
	static const struct {
		const char *name;
		uint64_t row_bytes, rows, offset;
	} wanted[] = {
		{ "token_embd.weight", 32, 1, 192 },
		{ "blk.0.attn_q.weight", 16, 4, 0 },
		{ "output.weight", 34, 2, 64 },
	};

	for (uint64_t version = 2; version <= 3; version++) {
		const struct built f = good(version);
		const uint64_t data = f.bytes - 224;
		struct gguf_fault fault = { 0 };
		struct gguf g;

		cr_assert_eq(gguf_parse(f.data, f.bytes, &g, &fault), 0, "%s", fault.text);
		cr_assert_eq(g.version, version);
		cr_assert_eq(g.alignment, 64);
		cr_assert_eq(g.n_tensors, 3);
		cr_assert_eq(g.bytes, 32 + 64 + 68);
		for (size_t i = 0; i < 3; i++) {
			const struct gguf_tensor *t = &g.tensors[i];

			cr_assert_str_eq(t->name, wanted[i].name);
			cr_assert_eq(t->row_bytes, wanted[i].row_bytes, "%s", t->name);
			cr_assert_eq(t->rows, wanted[i].rows, "%s", t->name);
			cr_assert_eq(t->offset, data + wanted[i].offset, "%s", t->name);
		}
		gguf_clear(&g);
	}
}

/* Whatever the file is cut to, it is refused, and nothing behind it is read. */
Test(gguf, is_never_read_beyond_its_end)
{
	const struct built f = good(3);
	const uint64_t end = f.bytes - 224 + 192 + 32; /* of the last tensor */

	for (uint64_t bytes = 0; bytes < end; bytes++) {
		unsigned char *copy = malloc(bytes ? bytes : 1);
		struct gguf_fault fault = { 0 };
		struct gguf g;

		memcpy(copy, f.data, bytes);
		cr_assert_eq(gguf_parse(copy, bytes, &g, &fault), -EBADMSG, "%llu bytes",
			(unsigned long long)bytes);
		cr_assert_leq(fault.offset, bytes);
		cr_assert_neq(fault.text[0], '\0');
		free(copy);
	}
}

static void refuse(
	const char *what, const struct built *f, uint64_t offset, const char *words)
{
	struct gguf_fault fault = { 0 };
	struct gguf g;

	cr_assert_eq(gguf_parse(f->data, f->bytes, &g, &fault), -EBADMSG, "%s", what);
	cr_assert_eq(fault.offset, offset, "%s: at %llu: %s", what,
		(unsigned long long)fault.offset, fault.text);
	cr_assert(strstr(fault.text, words), "%s: %s", what, fault.text);
}

Test(gguf, refuses_bad_heads)
{
	struct built f;

	put_head(&f, 3, 1, 0);
	f.data[3] = 'G';
	refuse("magic", &f, 0, "no GGUF file");
	for (uint64_t version = 0; version < 6; version++) {
		put_head(&f, version, 1, 0);
		if (version != 2 && version != 3)
			refuse("version", &f, 4, "2 and 3 are");
	}
	put_head(&f, 0x03000000, 1, 0);
	refuse("big endian", &f, 4, "big endian");
	put_head(&f, 3, UINT64_MAX, 0);
	refuse("many tensors", &f, 8, "too short for");
	put_head(&f, 3, 0, UINT64_MAX / 2);
	refuse("many pairs", &f, 8, "too short for");
	put_head(&f, 3, 0, 0);
	refuse("no tensors", &f, 8, "no tensors");
}

Test(gguf, refuses_bad_pairs)
{
	static const struct {
		const char *what;
		uint64_t type, element, count;
		uint64_t at; /* after the type */
		const char *words;
	} cases[] = {
		{ "type", 13, 0, 0, 0, "unknown type 13" },
		{ "text", 8, 0xffffffff, 0xffffffff, 8, "cut short" },
		{ "array of what", 9, 77, 1, 12, "unknown type 77" },
		{ "long array", 9, 10, UINT64_MAX / 8, 0, "too short for" },
		{ "many texts", 9, 8, 1 << 20, 0, "too short for" },
	};
	struct built f;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t start;

		put_head(&f, 3, 0, 1);
		put_text(&f, "key");
		put(&f, 4, cases[i].type);
		start = f.bytes;
		put(&f, 4, cases[i].element);
		put(&f, 8, cases[i].count);
		put(&f, 8, 0);
		refuse(cases[i].what, &f, start + cases[i].at, cases[i].words);
	}
	put_head(&f, 3, 0, 1);
	put_text(&f, "key");
	put(&f, 4, 9);
	for (int i = 0; i < 100; i++) {
		put(&f, 4, 9);
		put(&f, 8, 1);
	}
	refuse("arrays in arrays", &f, 24 + 15 + 4 * 12, "more than 4 deep");
}

Test(gguf, refuses_bad_alignments)
{
	static const uint64_t cases[][3] = {
		{ 4, 0, 1 },
		{ 4, 48, 1 },
		{ 4, 0x80000000, 1 },
		{ 10, 64, 0 },
		{ 5, 32, 0 },
	};
	struct built f;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_head(&f, 3, 0, 1);
		put_text(&f, "general.alignment");
		put(&f, 4, cases[i][0]);
		put(&f, 8, cases[i][1]);
		refuse("alignment", &f, 24 + 25 + 4,
			cases[i][2] ? "not a power of two" : "not a 32-bit number");
	}
}

/* The second of two tensors: what it says, and what is wrong with that. */
Test(gguf, refuses_bad_tensors)
{
	static const struct {
		const char *name;
		uint64_t elements, rows, type, offset;
		const char *words;
	} cases[] = {
		{ "", 8, 1, 0, 32, "name of 0 bytes" },
		{ "0123456789012345678901234567890123456789012345678901234567890123x", 8, 1,
			0, 32, "name of 65 bytes" },
		{ "b", 0, 1, 0, 32, "dimension of 0" },
		{ "b", 8, 0, 0, 32, "dimension of 0" },
		{ "b", 8, 1, 4, 32, "unknown type 4" },
		{ "b", 8, 1, 9999, 32, "unknown type 9999" },
		{ "b", 8, 1, 8, 32, "no whole blocks of 32" },
		{ "b", 8, 1, 0, 16, "unaligned: at 16" },
		{ "b", 8, 1, 0, 33, "unaligned: at 33" },
		{ "b", 8, 1, 0, 0, "overlaps with tensor a" },
		{ "b", 8, 2, 0, 64, "cut short: tensor b of 64 bytes" },
		{ "b", 8, 1, 0, 96, "cut short" },
		{ "b", 8, 1, 0, UINT64_MAX - 31, "cut short" },
		{ "b", 8, (uint64_t)1 << 40, 0, 32, "cut short" },
		{ "b", (uint64_t)1 << 62, 1, 0, 32, "overflows" },
		{ "b", (uint64_t)1 << 40, (uint64_t)1 << 40, 0, 32, "overflows" },
		{ "b", (uint64_t)1 << 61, 2, 28, 32, "overflows" },
		{ "b", 8, UINT64_MAX, 0, 32, "overflows" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct built f;
		uint64_t start;

		put_head(&f, 3, 2, 0);
		put_tensor(&f, "a", 8, 1, 0, 0);
		start = f.bytes;
		put_tensor(&f, cases[i].name, cases[i].elements, cases[i].rows,
			cases[i].type, cases[i].offset);
		put_data(&f, 32, 96);
		refuse(cases[i].words, &f, start, cases[i].words);
	}
}

Test(gguf, refuses_many_dimensions)
{
	struct built f;

	put_head(&f, 3, 1, 0);
	put_text(&f, "t");
	put(&f, 4, 5);
	for (int i = 0; i < 5; i++)
		put(&f, 8, 1);
	put(&f, 4, 0);
	put(&f, 8, 0);
	put_data(&f, 32, 32);
	refuse("dimensions", &f, 24, "5 dimensions");
}

Test(gguf, finds_layers)
{
	static const struct {
		const char *name;
		uint64_t layer;
	} cases[] = {
		{ "token_embd.weight", 0 },
		{ "blk.0.attn_q.weight", 1 },
		{ "blk.79.ffn_up.weight", 80 },
		{ "blk.x.ffn_up.weight", UINT64_MAX },
		{ "blk.7", UINT64_MAX },
		{ "blk.-1.a", UINT64_MAX },
		{ "output_norm.weight", UINT64_MAX },
		{ "", UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_eq(
			gguf_layer(cases[i].name), cases[i].layer, "%s", cases[i].name);
}

/* What we write is what we read, for every size, with no byte left over. */
Test(gguf, composes_models_of_a_size)
{
	for (uint64_t bytes = GGUF_LEAST; bytes < GGUF_LEAST * 24;
		bytes += 53 * GGUF_STEP) {
		struct gguf made, read;
		struct gguf_fault fault = { 0 };
		unsigned char *head, *file;
		size_t head_bytes;

		cr_assert_eq(gguf_compose(bytes, &made, &head, &head_bytes), 0);
		cr_assert_eq(made.bytes, bytes);
		file = calloc(1, head_bytes + bytes);
		memcpy(file, head, head_bytes);
		cr_assert_eq(gguf_parse(file, head_bytes + bytes, &read, &fault), 0,
			"%llu: %s", (unsigned long long)bytes, fault.text);
		cr_assert_eq(read.bytes, bytes);
		cr_assert_eq(read.n_tensors, made.n_tensors);
		cr_assert_gt(read.n_tensors, 12, "embedding, a layer, output");
		for (size_t i = 0; i < read.n_tensors; i++) {
			cr_assert_str_eq(read.tensors[i].name, made.tensors[i].name);
			cr_assert_eq(read.tensors[i].offset, made.tensors[i].offset);
			cr_assert_eq(read.tensors[i].bytes, made.tensors[i].bytes);
			cr_assert_eq(read.tensors[i].entry, made.tensors[i].entry);
		}
		gguf_clear(&made);
		gguf_clear(&read);
		free(head);
		free(file);
	}
}
