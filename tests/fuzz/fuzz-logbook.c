// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "nights/night.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct logbook j = { 0 };
	struct night n = { 0 };
	struct err err = { "" };
	int r = logbook_parse(text, bytes, &j, &err);

	if (r < 0) {
		must_explain(r, &err);
		must(j.count == 0);
	} else {
		must(j.good_bytes <= bytes);
		for (size_t i = 0; i < j.count; i++)
			must(!strchr(j.records[i].text, '\n') && j.records[i].event[0]);
		r = night_fold(&j, &n, &err);
		if (r < 0)
			must_explain(r, &err);
		else
			must(n.pending < (int)n.plan.n_boots && n.id[0]);
	}
	night_clear(&n);
	logbook_clear(&j);
	free(text);
	return 0;
}
