// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/event_set.h"
#include "measure/pmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes), *identity = event_set_identity(text);
	struct event_code code = { 0 };
	struct event_set s = { 0 };
	struct err err = { "" };
	int r = event_set_parse("x", text, &s, &err);

	if (r == 0) {
		must(s.n_events > 0 && s.n_events <= EVENT_SET_MAX && s.n_cpus > 0);
		for (size_t i = 0; i < s.n_events; i++)
			must(s.events[i].name[0] && s.events[i].event[0]);
		event_set_fits(&s, identity ? identity : "");
	} else {
		must_explain(r, &err);
		must(!s.events);
	}
	r = pmu_place(text, 5, &code);
	must(r == 0 || (code.config == 0 && code.config1 == 0 && code.config2 == 0));
	event_set_clear(&s);
	free(identity);
	free(text);
	return 0;
}
