// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "nights/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct night_status s = { 0 };
	struct err err = { "" };
	const int r = night_status_parse(text, &s, &err);

	if (r == 0)
		must(s.id[0] && !strpbrk(s.id, " \n") && !strchr(s.last, '\n'));
	else
		must_explain(r, &err);
	night_status_clear(&s);
	free(text);
	return 0;
}
