// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "nights/machine_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes);
	struct machine_file m = { 0 };
	struct err err = { "" };
	int r = machine_file_parse("fuzz", "fuzz.machine", text, &m, &err);

	if (r == 0) {
		must(m.name[0] && m.summary[0] && m.arch[0] && m.images[0]);
		must(m.n_blocks > 0 && m.boots_max > 0 && m.budget_s > 0);
		for (size_t i = 0; i < m.sysctls.count; i++)
			must(strchr(m.sysctls.items[i], '=') != NULL);
	} else {
		must_explain(r, &err);
		must(strncmp(err.text, "fuzz.machine:", 13) == 0 && !m.name);
	}
	machine_file_clear(&m);
	if (r == 0) {
		char *changed = machine_file_change(text, "blocks = 7\nboots_max = 28\n");

		must(machine_file_parse("fuzz", "fuzz.machine", changed, &m, &err) == 0);
		must(m.n_blocks == 7 && m.boots_max == 28);
		machine_file_clear(&m);
		free(changed);
	}
	free(text);
	return 0;
}
