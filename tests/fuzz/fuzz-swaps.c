// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/swaps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct swaps s = { 0 };
	struct err err = { "" };
	int r = swaps_parse(text, &s, &err);

	if (r == 0) {
		for (size_t i = 0; i < s.count; i++) {
			must(s.areas[i].path[0] && s.areas[i].size_bytes % 1024 == 0);
			must(strcmp(s.areas[i].type, "file") == 0 ||
				strcmp(s.areas[i].type, "partition") == 0);
		}
	} else {
		must_explain(r, &err);
		must(!s.areas);
	}
	swaps_clear(&s);
	free(text);
	return 0;
}
