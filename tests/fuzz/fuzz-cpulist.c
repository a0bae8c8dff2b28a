// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/cpulist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes), *again;
	struct cpulist list = { 0 }, copy = { 0 };

	if (cpulist_parse(text, &list) == 0) {
		for (size_t i = 1; i < list.count; i++)
			must(list.ids[i - 1] < list.ids[i]);
		again = cpulist_format(&list);
		must(cpulist_parse(again, &copy) == 0 && copy.count == list.count);
		for (size_t i = 0; i < list.count; i++)
			must(copy.ids[i] == list.ids[i]);
		free(again);
	} else {
		must(!list.ids && list.count == 0);
	}
	cpulist_clear(&copy);
	cpulist_clear(&list);
	free(text);
	return 0;
}
