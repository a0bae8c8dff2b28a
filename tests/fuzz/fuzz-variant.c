// SPDX-License-Identifier: GPL-2.0-or-later
/* libFuzzer target: any text is parsed, or refused with a line that says where. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kernels/variant.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = mem_zeroed(bytes + 1, 1);
	struct variant v;
	struct err err = {""};

	memcpy(text, data, bytes);
	if (variant_parse("fuzz", "fuzz.variant", text, &v, &err) == 0) {
		if (!v.summary || !v.source || !v.config.count)
			abort();
		variant_clear(&v);
	} else if (strncmp(err.text, "fuzz.variant:", 13) != 0) {
		abort();
	}
	free(text);
	return 0;
}
