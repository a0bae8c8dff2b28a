/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share. A target is one parser of text: it must come
 * back, leave its output alone when it refuses, say why in one line, and give
 * values that keep what its header promises.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Unlike assert(), also with NDEBUG. */
static inline void must(int is_true)
{
	if (!is_true)
		abort();
}

/* The input as a NUL-terminated text, freed by the caller. */
static inline char *fuzz_text(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);

	must(text != NULL);
	if (bytes > 0)
		memcpy(text, data, bytes);
	text[bytes] = '\0';
	return text;
}

static inline void must_explain(int r, const struct err *err)
{
	must(r < 0 && err->text[0] && !strchr(err->text, '\n'));
}

#endif
