// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "verdicts/decision.h"

#define ACCEPT                                                                             \
	"{\"decision\":\"accept\",\"time\":\"2026-11-30T20:00:00Z\",\"by\":\"a\",\"why\":" \
	"\"b\","
#define NIGHT "\"night\":\"2026-11-30\""

Test(decision, refused)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "", "" },
		{ "{", "" },
		{ "[]", "not an object" },
		{ "{\"decision\":\"accept\"}", "time" },
		{ ACCEPT NIGHT "}", "series" },
		{ ACCEPT NIGHT ",\"series\":\"\"}", "series" },
		{ ACCEPT NIGHT ",\"series\":1}", "series" },
		{ ACCEPT NIGHT ",\"series\":\"s\",\"x\":1}", "x" },
		{ ACCEPT NIGHT ",\"series\":\"s\",\"series\":\"s\"}", "duplicate" },
		{ ACCEPT "\"night\":\"2026-02-30\",\"series\":\"s\"}", "night" },
		{ "{\"decision\":\"forget\",\"time\":\"t\"}", "forget" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct decision d;
		struct err err = { "" };
		int ret = decision_parse(cases[i].line, &d, &err);

		cr_expect_eq(ret, -EPROTO, "case %zu: %d", i, ret);
		cr_expect(strstr(err.text, cases[i].why), "case %zu: %s", i, err.text);
		cr_expect(err.text[0] && !strchr(err.text, '\n'));
	}
}

Test(decision, there_and_back)
{
	static const char *const lines[] = {
		ACCEPT NIGHT ",\"series\":\"m/1/w@1/x\",\"commit\":\"abc\"}",
		ACCEPT NIGHT ",\"series\":\"m/1/w@1/x\"}",
		"{\"decision\":\"anchor\",\"time\":\"t\",\"by\":\"a\",\"why\":\"\\\"v6.13\\\"\\n\"," NIGHT
		",\"machine\":\"m\"}",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct decision d;
		struct err err;
		char *line;

		cr_assert_eq(decision_parse(lines[i], &d, &err), 0, "%s", err.text);
		line = decision_format(&d);
		cr_expect_str_eq(line, lines[i]);
		free(line);
		decision_clear(&d);
	}
}

static void count_bad(void *context, const char *text)
{
	cr_expect(strstr(text, "decisions.jsonl:3: "), "%s", text);
	++*(int *)context;
}

/* A line that was torn off loses itself, and nothing before or after it. */
Test(decision, a_file_that_grows)
{
	char folder[] = "/tmp/shootdown-test-XXXXXX", *path, *text;
	struct decision d = { .kind = DECISION_ACCEPT,
		.time = mem_text("t"),
		.by = mem_text("b"),
		.why = mem_text("w"),
		.night = mem_text("2026-11-30"),
		.series = mem_text("s") };
	const struct decision two[] = { d, d };
	struct decisions list;
	struct err err;
	FILE *file;
	int bad = 0;

	cr_assert(mkdtemp(folder));
	path = mem_format("%s/" DECISIONS_FILE, folder);
	cr_assert_eq(decisions_load(folder, &list, count_bad, &bad, &err), 0);
	cr_expect_eq(list.count, 0);
	cr_assert_eq(decisions_append(folder, two, 2, &err), 0);
	file = fopen(path, "a");
	fputs("{\"decision\":\"acc", file);
	fclose(file);
	cr_assert_eq(decisions_append(folder, two, 1, &err), 0);
	cr_assert_eq(decisions_load(folder, &list, count_bad, &bad, &err), 0);
	cr_expect_eq(list.count, 3);
	cr_expect_eq(bad, 1);
	decisions_clear(&list);
	cr_assert_eq(file_read("", path, &text, NULL), 0);
	cr_expect(strstr(text, "{\"decision\":\"acc\n{"));
	free(text);
	unlink(path);
	rmdir(folder);
	cr_expect_eq(decisions_append(folder, two, 1, &err), -ENOENT);
	cr_expect(strstr(err.text, folder));
	free(path);
	decision_clear(&d);
}
