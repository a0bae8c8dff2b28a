// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "kernels/variant.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct variant v = { 0 };
	struct err err = { "" };
	int r = variant_parse("fuzz", "fuzz.variant", text, &v, &err);

	if (r == 0) {
		must(v.summary[0] && v.source[0] && v.config.count > 0);
		must((v.kind == SOURCE_GIT) == (v.commit != NULL));
		for (size_t i = 0; i < v.config.count; i++)
			must(v.config.items[i][0] != '/' &&
				!strstr(v.config.items[i], ".."));
		for (size_t i = 0; i < v.sysctls.count; i++)
			must(strchr(v.sysctls.items[i], '=') != NULL);
	} else {
		must_explain(r, &err);
		must(strncmp(err.text, "fuzz.variant:", 13) == 0 && !v.name);
	}
	variant_clear(&v);
	free(text);
	return 0;
}
