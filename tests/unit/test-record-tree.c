// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <string.h>

#include "verdicts/record_tree.h"

/* What it takes is what jansson makes of it. */
Test(record_tree, is_as_jansson_has_it)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		" [1, -2, 9223372036854775806, -9223372036854775806] ",
		"{\"a\": [1, 2.5, 1e3, -0.0, true, false, null], \"b\": {\"c\": \"\"}}",
		"{\"text\": \"tab\\t, quote\\\", slash\\/, backslash\\\\\"}",
		"\"a text alone\"",
		"-0",
		"[[[[[[[[1]]]]]]]]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const size_t bytes = strlen(texts[i]);
		json_t *wanted = json_loadb(
			texts[i], bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
		json_t *is = record_tree(texts[i], bytes);

		cr_assert_not_null(wanted, "%s", texts[i]);
		cr_expect(is && json_equal(is, wanted), "%s", texts[i]);
		json_decref(is);
		json_decref(wanted);
	}
}

/* What jansson refuses, or may see in another way, it leaves to jansson. */
Test(record_tree, leaves_the_rest_to_jansson)
{
	static const char *const texts[] = {
		"",
		"{\"a\": 1, \"a\": 2}",
		"{\"a\": [{\"b\": 1, \"b\": 1}]}",
		"[9223372036854775808]",
		"[1e999]",
		"[\"\\u0041\"]",
		"[\"\\ud800\"]",
		"[\"\xc3\xa9\"]",
		"[\"\xff\"]",
		"[1] [2]",
		"[1] x",
		"[1,]",
		"[01]",
		"{\"a\"}",
		"[1",
		"[NaN]",
		"/* a comment */ [1]",
		"[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_expect_null(record_tree(texts[i], strlen(texts[i])), "%s", texts[i]);
	cr_expect_null(record_tree("[1]\0", 4));
}
