// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a line of decisions.jsonl: refused in one line, or a decision that
 * is the same after it was written and read again.
 */
#include "fuzz.h"
#include "verdicts/decision.h"
#include "verdicts/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *line = fuzz_text(data, bytes), *first, *second;
	struct decision d, again;
	struct err err = { "" };
	int ret = decision_parse(line, &d, &err);
	long day;

	free(line);
	if (ret < 0) {
		must_explain(ret, &err);
		return 0;
	}
	must(night_day(d.night, &day) && (d.kind != DECISION_ACCEPT || d.series));
	first = decision_format(&d);
	must(!strchr(first, '\n') && decision_parse(first, &again, &err) == 0);
	second = decision_format(&again);
	must(strcmp(first, second) == 0);
	free(first);
	free(second);
	decision_clear(&d);
	decision_clear(&again);
	return 0;
}
