// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/logbook.h"

/* Three records, as one text. */
static char *make_text(void)
{
	char *a = logbook_format(1, 1796000000, "night", "2026-11-30 7 3 12 3600");
	char *b = logbook_format(2, 1796000001, "intent", "1 abc");
	char *c = logbook_format(3, 1796000002, "done", "");
	char *all = mem_format("%s%s%s", a, b, c);

	free(a);
	free(b);
	free(c);
	return all;
}

Test(logbook, reads_what_it_writes)
{
	char *text = make_text();
	struct logbook j;
	struct err err = { "" };

	cr_assert_eq(logbook_parse(text, strlen(text), &j, &err), 0, "%s", err.text);
	cr_assert_eq(j.count, 3);
	cr_expect_eq(j.good_bytes, strlen(text));
	cr_expect_eq(j.records[1].time_s, 1796000001);
	cr_expect_str_eq(j.records[1].event, "intent");
	cr_expect_str_eq(j.records[1].text, "1 abc");
	cr_expect_str_eq(j.records[2].text, "");
	logbook_clear(&j);
	free(text);
}

/* A power cut leaves any number of the last record's bytes. */
Test(logbook, leaves_out_a_torn_end)
{
	char *text = make_text();
	const char *first_end = strchr(text, '\n') + 1;
	const size_t two = (size_t)(strchr(first_end, '\n') + 1 - text);

	for (size_t bytes = two; bytes < strlen(text); bytes++) {
		struct logbook j;
		struct err err = { "" };

		cr_assert_eq(logbook_parse(text, bytes, &j, &err), 0, "%zu: %s", bytes,
			err.text);
		cr_expect_eq(j.count, 2, "%zu", bytes);
		cr_expect_eq(j.good_bytes, two, "%zu", bytes);
		logbook_clear(&j);
	}
	free(text);
}

Test(logbook, any_flipped_bit_of_the_last_record_is_a_torn_end)
{
	char *text = make_text();
	const size_t bytes = strlen(text);
	size_t start = bytes - 1;

	while (text[start - 1] != '\n')
		start--;
	for (size_t i = start; i + 1 < bytes; i++) {
		struct logbook j;

		text[i] ^= 4;
		/* A line break in the middle makes two lines, and the first one is damaged. */
		if (text[i] != '\n') {
			cr_assert_eq(logbook_parse(text, bytes, &j, NULL), 0);
			cr_expect_eq(j.count, 2, "byte %zu", i);
			logbook_clear(&j);
		}
		text[i] ^= 4;
	}
	free(text);
}

Test(logbook, damage_before_the_end_is_refused)
{
	char *text = make_text();
	struct logbook j;
	struct err err = { "" };

	strstr(text, "abc")[0] = 'x';
	cr_assert_eq(logbook_parse(text, strlen(text), &j, &err), -EBADMSG);
	cr_expect(strstr(err.text, "record 2 is damaged"), "%s", err.text);
	free(text);
}

Test(logbook, appends_after_cutting_off_what_is_torn)
{
	char path[] = "/tmp/test-logbook-XXXXXX", *text;
	struct logbook j;
	struct err err = { "" };
	size_t bytes;

	close(mkstemp(path));
	unlink(path);
	cr_assert_eq(logbook_load(path, &j, &err), 0, "%s", err.text);
	cr_expect_eq(j.count, 0);
	cr_assert_eq(logbook_append(path, &j, "night", "one two", &err), 0, "%s", err.text);
	cr_assert_eq(logbook_append(path, &j, "intent", "1 id", &err), 0, "%s", err.text);
	logbook_clear(&j);
	cr_assert_eq(truncate(path, 60), 0);
	cr_assert_eq(logbook_load(path, &j, &err), 0, "%s", err.text);
	cr_expect_eq(j.count, 1);
	cr_assert_eq(logbook_append(path, &j, "done", "", &err), 0, "%s", err.text);
	logbook_clear(&j);
	cr_assert_eq(file_read("", path, &text, &bytes), 0);
	cr_assert_eq(logbook_parse(text, bytes, &j, &err), 0, "%s", err.text);
	cr_assert_eq(j.count, 2);
	cr_expect_str_eq(j.records[1].event, "done");
	cr_expect_eq(j.good_bytes, bytes);
	logbook_clear(&j);
	free(text);
	unlink(path);
}

Test(logbook, a_full_disk_leaves_what_was_there)
{
	struct logbook j = { 0 };
	struct err err = { "" };

	cr_assert_eq(logbook_append("/dev/full", &j, "night", "x", &err), -EINVAL);
	cr_expect_eq(j.count, 0);
}
