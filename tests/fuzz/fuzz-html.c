// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz.h"
#include "plots/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = fuzz_text(data, bytes), *clean = html_clean(text), *again,
	     *html = NULL;
	size_t length;
	FILE *out = open_memstream(&html, &length);

	must(out != NULL);
	/* What is clean stays as it is, and no markup is left once it is escaped. */
	again = html_clean(clean);
	must(strcmp(again, clean) == 0);
	html_put(out, text);
	fclose(out);
	must(!strpbrk(html, "<>\"'"));
	free(html);
	free(again);
	free(clean);
	free(text);
	return 0;
}
