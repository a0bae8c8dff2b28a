// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/cpuinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct cpuinfo c = { 0 };
	struct err err = { "" };
	int r = cpuinfo_parse(text, &c, &err);

	if (r == 0) {
		must(c.n_cpus > 0 && c.model && c.stepping && c.microcode);
	} else {
		must_explain(r, &err);
		must(!c.model);
	}
	cpuinfo_clear(&c);
	free(text);
	return 0;
}
