// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/vmstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct vmstat v = { 0 };
	struct err err = { "" };
	uint64_t n;
	int r = vmstat_parse(text, &v, &err);

	if (r == 0) {
		must(v.count > 0);
		for (size_t i = 0; i < v.count; i++) {
			must(vmstat_find(&v, v.items[i].name, &n) == 0);
			must(n == v.items[i].value);
		}
	} else {
		must_explain(r, &err);
		must(!v.items && !v.text);
	}
	vmstat_clear(&v);
	free(text);
	return 0;
}
