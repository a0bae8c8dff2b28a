// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "measure/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct kallsyms k = { 0 };
	struct err err = { "" };
	int r = kallsyms_parse(fuzz_text(data, bytes), &k, &err);

	if (r == 0) {
		for (size_t i = 0; i < k.symbols.count; i++)
			must(!strpbrk(k.symbols.items[i].name, "\t\n"));
		kallsyms_has(&k, k.symbols.items[0].name);
		symbols_find(&k.symbols, k.symbols.items[0].address);
	} else {
		must_explain(r, &err);
		must(!k.text && !k.symbols.items);
	}
	return kallsyms_clear(&k), 0;
}
