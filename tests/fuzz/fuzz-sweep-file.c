// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "plots/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct sweep s = { 0 };
	struct err err = { "" };
	const int ret = sweep_parse("input", text, &s, &err);

	if (ret < 0) {
		must_explain(ret, &err);
		must(!s.points);
	} else {
		must(s.what && s.names[0] && s.json);
		for (size_t i = 0; i < s.n_points; i++)
			must(s.points[i].label != NULL);
		sweep_clear(&s);
	}
	free(text);
	return 0;
}
