// SPDX-License-Identifier: GPL-2.0-or-later
#include "counting/counts.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct counts counts = { 0 };

	if (counts_parse(text, &counts, NULL) == 0) {
		must(counts.n_vcpus > 0 && counts.n_classes > 0);
		for (size_t w = 0; w < counts.n_windows; w++) {
			must(counts_find(&counts, counts.windows[w].number) != NULL);
			for (size_t p = 0; p < counts.windows[w].n_places; p++)
				must(counts.windows[w].places[p].class < counts.n_classes);
		}
	} else {
		must(!counts.text && !counts.windows);
	}
	counts_clear(&counts);
	free(text);
	return 0;
}
