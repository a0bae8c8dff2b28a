// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a result file: refused in one line, or read into a record that
 * can be compared with itself and rendered.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "verdicts/compare.h"
#include "verdicts/compare_render.h"
#include "verdicts/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void render(const struct comparison *c)
{
	struct render_options options = {.base_name = "a", .cand_name = "b", .width = 80};
	char *text;

	if (compare_render_text(c, &options, &text) == 0)
		free(text);
	if (compare_render_csv(c, &text) == 0)
		free(text);
	if (compare_render_json(c, &options, &text) < 0)
		abort();
	free(text);
}

static void use(const struct record *r)
{
	struct compare_options options = {.show = SHOW_ALL};
	struct comparison *c;

	if (compare_records(r, r, &options, &c) < 0)
		abort();
	if (!c->comparable || c->n_missing > 0)
		abort(); /* of a record and itself */
	render(c);
	comparison_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct record *r = NULL;
	struct err err = {.text = ""};
	int ret = record_parse("fuzz", (const char *)data, bytes, &r, &err);

	if (ret < 0 && (r || strncmp(err.text, "fuzz:", 5) != 0 || strchr(err.text, '\n')))
		abort();
	if (ret == 0)
		use(r);
	record_free(r);
	return 0;
}
