// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "verdicts/record_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	json_t *is = record_tree(text, bytes);
	json_t *wanted;

	if (is) {
		wanted = json_loadb(
			text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
		must(wanted && json_equal(is, wanted));
		json_decref(wanted);
	}
	json_decref(is);
	free(text);
	return 0;
}
