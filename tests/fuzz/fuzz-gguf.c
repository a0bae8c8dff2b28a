// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/gguf.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct gguf_fault fault = { 0 };
	struct gguf g = { 0 };
	uint64_t sum = 0;

	if (gguf_parse(data, bytes, &g, &fault) < 0) {
		must(fault.offset <= bytes && fault.text[0] && !g.tensors);
		return 0;
	}
	must(g.n_tensors > 0);
	for (size_t i = 0; i < g.n_tensors; i++) {
		const struct gguf_tensor *t = &g.tensors[i];

		must(t->bytes > 0 && t->bytes == t->row_bytes * t->rows);
		must(t->offset <= bytes && t->bytes <= bytes - t->offset);
		must(i == 0 || g.tensors[i - 1].layer <= t->layer);
		sum += t->bytes;
	}
	must(sum == g.bytes && sum <= bytes);
	gguf_clear(&g);
	return 0;
}
