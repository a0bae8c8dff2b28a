// SPDX-License-Identifier: GPL-2.0-or-later
/* Result files that are none: each is refused in one line that says what and where. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/record.h"

/*
 * A good file, with marks that the cases below replace: each case is one
 * change to it.
 */
static const char good[] =
	"{\"schema\": \"shootdown-result-1\", \"complete\": true,"
	" \"identity\": {\"cpu\": \"x\"}, \"subject\": {}, \"state\": {\"load\": 1},"
	" \"runs\": [{\"workload\": \"swap\", \"revision\": 1, \"unit\": \"page\","
	" \"status\": \"ok\", \"params\": {\"size\": 4096},"
	" \"samples\": {\"block\": [0, 0], \"boot\": [0, 0], \"process\": [0, 0],"
	" \"iteration\": [0, 1], \"warmup\": [1, 0]}, \"work\": [10, 20],"
	" \"metrics\": [{\"name\": \"ns\", \"unit\": \"ns/page\", \"source\": \"clock\","
	" \"better\": \"lower\", \"kind\": \"sample\", \"per_unit\": true,"
	" \"values\": [5, 6.5], \"enabled_ns\": [1, 2], \"running_ns\": [3, 4],"
	" \"by_cpu\": {\"cpus\": [0, 3], \"values\": [[1, 2], [3, 4]]}}]}]}";

static const struct {
	const char *from, *to; /* the change */
	int code;
	const char *line; /* part of it, after "f: " or "f:" */
} cases[] = {
	{ "{", "", -EBADMSG, "1:9: end of file expected near ':'" },
	{ "shootdown-result-1", "shootdown-result-9", -EPROTO,
		"schema is \"shootdown-result-9\", this program reads "
		"\"shootdown-result-1\"" },
	{ "\"schema\"", "\"shema\"", -EPROTO, "key \"schema\" is missing" },
	{ "\"shootdown-result-1\"", "1", -EPROTO,
		"\"schema\" must be a text, is an integer" },
	{ "\"complete\": true", "\"complete\": 1", -EPROTO,
		"\"complete\" must be true or false, is an integer" },
	{ "\"complete\": true,", "", -EPROTO, "key \"complete\" is missing" },
	{ "\"state\"", "\"State\"", -EPROTO, "unknown key \"State\"" },
	{ "\"subject\": {}", "\"subject\": []", -EPROTO, "\"subject\" must be an object" },
	{ "\"cpu\": \"x\"", "\"cpu\": 1.5", -EPROTO,
		"identity.cpu must be a text or an integer, is a number with a fraction" },
	{ "\"cpu\": \"x\"", "\"cpu\": null", -EPROTO, "is null" },
	{ "\"cpu\": \"x\"", "\"cpu\": \"x\", \"cpu\": \"y\"", -EPROTO,
		"duplicate object key near '\"cpu\"'" },
	{ "\"cpu\": \"x\"", "\"cpu\": \"x\\u0000y\"", -EBADMSG, "\\u0000" },
	{ "\"cpu\": \"x\"", "\"cpu\": \"\xff\"", -EBADMSG, "unable to decode byte 0xff" },
	{ "\"cpu\": \"x\"", "\"cpu\": 9223372036854775808", -EPROTO, "too big integer" },
	{ "\"cpu\": \"x\"", "\"cpu\": -99999999999999999999", -EPROTO,
		"too big negative integer" },
	{ "5, 6.5", "5, 1e999", -EPROTO, "real number overflow" },
	{ "5, 6.5", "5, NaN", -EBADMSG, "invalid token near 'NaN'" },
	{ "\"workload\": \"swap\"", "\"workload\": \"\"", -EPROTO,
		"runs[0]: \"workload\" is empty" },
	{ "\"revision\": 1", "\"revision\": -1", -EPROTO,
		"runs[0]: \"revision\" is out of range" },
	{ "\"revision\": 1", "\"revision\": 4294967296", -EPROTO, "out of range" },
	{ "\"revision\": 1,", "\"revision\": 1, \"rev\": 1,", -EPROTO,
		"runs[0]: unknown key \"rev\"" },
	{ "\"ok\"", "\"good\"", -EPROTO, "runs[0]: \"status\" has unknown word \"good\"" },
	{ "\"ok\"", "\"invalid\"", -EPROTO, "status \"invalid\" without a \"reason\"" },
	{ "\"ok\"", "\"skipped\", \"reason\": \"r\"", -EPROTO, "and yet with samples" },
	{ "\"ok\"", "\"ok\", \"fix\": 3", -EPROTO,
		"\"fix\" must be a text, is an integer" },
	{ "\"block\": [0, 0]", "\"block\": [0]", -EPROTO,
		"runs[0].samples: \"boot\" has 2 entries for 1 samples" },
	{ "\"iteration\": [0, 1]", "\"iteration\": [0, 1, 2]", -EPROTO,
		"runs[0].samples: \"iteration\" has 3 entries for 2 samples" },
	{ "\"iteration\": [0, 1]", "\"iteration\": [0, -1]", -EPROTO,
		"iteration[1] is -1, not in 0 to 4294967295" },
	{ "\"iteration\": [0, 1]", "\"iteration\": [1, 1]", -EPROTO,
		"runs[0].samples: two samples of boot 0, block 0, process 0, iteration 1: "
		"one result taken in twice" },
	{ "\"warmup\": [1, 0]", "\"warmup\": [1, 2]", -EPROTO,
		"warmup[1] is 2, not in 0 to 1" },
	{ "\"warmup\": [1, 0]", "\"warmup\": [true, false]", -EPROTO,
		"must be an integer" },
	{ "\"work\": [10, 20]", "\"work\": [10]", -EPROTO,
		"runs[0]: \"work\" has 1 entries" },
	{ "\"work\": [10, 20]", "\"work\": [10, 2.0]", -EPROTO,
		"work[1] must be an integer" },
	{ "\"metrics\": [{", "\"metrics\": [7, {", -EPROTO,
		"runs[0].metrics[0]: must be an object, is an integer" },
	{ "\"name\": \"ns\"", "\"name\": \"\"", -EPROTO, "metrics[0]: \"name\" is empty" },
	{ "\"name\": \"ns\",", "", -EPROTO, "metrics[0]: key \"name\" is missing" },
	{ "\"better\": \"lower\"", "\"better\": \"less\"", -EPROTO,
		"unknown word \"less\"" },
	{ "\"kind\": \"sample\"", "\"kind\": \"\x1b[2J\"", -EBADMSG, "control character" },
	{ "\"kind\": \"sample\"", "\"kind\": \"\\u001b[2J\"", -EPROTO,
		"unknown word \"?[2J\"" },
	{ "\"values\": [5, 6.5]", "\"unavailable\": \"no\", \"values\": []", -EPROTO,
		"metrics[0]: unavailable, and yet with \"values\"" },
	{ "\"values\": [5, 6.5],", "", -EPROTO, "metrics[0]: key \"values\" is missing" },
	{ "\"values\": [5, 6.5]", "\"values\": [5]", -EPROTO, "\"values\" has 1 entries" },
	{ "5, 6.5", "5, \"6\"", -EPROTO, "values[1] must be a number, is a text" },
	{ "\"enabled_ns\": [1, 2],", "", -EPROTO, "key \"enabled_ns\" is missing" },
	{ "\"running_ns\": [3, 4]", "\"running_ns\": [3, -4]", -EPROTO,
		"running_ns[1] is -4" },
	{ "\"cpus\": [0, 3]", "\"cpus\": [0]", -EPROTO,
		"metrics[0].by_cpu: values[0] must be a list of 1 entries" },
	{ "\"cpus\": [0, 3]", "\"cpus\": [0, 2147483648]", -EPROTO,
		"cpus[1] is 2147483648" },
	{ "\"cpus\": [0, 3]", "\"cpus\": [0, 3], \"nodes\": [0]", -EPROTO,
		"by_cpu: \"nodes\" has 1 entries" },
	{ "\"cpus\": [0, 3]", "\"cpus\": [0, 3], \"nodes\": [0, -1]", -EPROTO,
		"by_cpu: nodes[1] is -1" },
	{ "[[1, 2], [3, 4]]", "[[1, 2]]", -EPROTO, "by_cpu: \"values\" has 1 entries" },
	{ "[[1, 2], [3, 4]]", "[[1, 2], 7]", -EPROTO, "by_cpu: values[1] must be a list" },
	{ "[[1, 2], [3, 4]]", "[[1, 2], [3, 4.5]]", -EPROTO,
		"runs[0].metrics[0].by_cpu.values[1]: [1] must be an integer" },
};

static void expect_refusal(const char *text, size_t bytes, int code, const char *line)
{
	struct record *r = NULL;
	struct err err = { .text = "" };
	int ret = record_parse("f", text, bytes, &r, &err);

	cr_expect_eq(ret, code, "%.300s: %d, %s", text, ret, err.text);
	cr_expect_null(r, "untouched");
	cr_expect_eq(strncmp(err.text, "f:", 2), 0, "%s", err.text);
	cr_expect_not_null(strstr(err.text, line), "\"%s\" lacks \"%s\"", err.text, line);
	for (const char *c = err.text; *c; c++)
		cr_expect_not(iscntrl((unsigned char)*c), "%s", err.text);
	if (ret == 0)
		record_free(r);
}

Test(hostile, the_good_file_is_good)
{
	struct record *r = NULL;
	struct err err;

	cr_assert_eq(record_parse("f", good, strlen(good), &r, &err), 0, "%s", err.text);
	cr_expect_eq(r->runs[0].metrics[0].by_cpu->values[2], 3);
	record_free(r);
}

Test(hostile, one_change_each)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *at = strstr(good, cases[i].from);
		char *text;

		cr_assert_not_null(at, "%s", cases[i].from);
		text = mem_format("%.*s%s%s", (int)(at - good), good, cases[i].to,
			at + strlen(cases[i].from));
		expect_refusal(text, strlen(text), cases[i].code, cases[i].line);
		free(text);
	}
}

Test(hostile, cut_anywhere)
{
	for (size_t bytes = 0; bytes < strlen(good); bytes++) {
		char *cut = mem_format("%.*s", (int)bytes, good);

		expect_refusal(cut, bytes, -EBADMSG, bytes ? "" : "the file is empty");
		free(cut);
	}
	expect_refusal(good, strlen(good) - 1, -EBADMSG, "the file is cut short");
}

Test(hostile, no_json)
{
	expect_refusal("\n \n", 3, -EBADMSG, "cut short");
	expect_refusal("ELF\0\1\2", 6, -EBADMSG, "1:");
	expect_refusal("[]", 2, -EPROTO, "no result: a list, not an object");
	expect_refusal("7", 1, -EPROTO, "no result: an integer");
	expect_refusal("{}", 2, -EPROTO, "key \"schema\" is missing");
	expect_refusal("{}{}", 4, -EBADMSG, "end of file expected");
	expect_refusal("{}\0", 3, -EBADMSG, "end of file expected");
}

Test(hostile, deep_nesting)
{
	size_t depth = 1 << 20;
	char *text = mem_zeroed(depth + 1, 1);

	memset(text, '[', depth);
	expect_refusal(text, depth, -EBADMSG, "maximum parsing depth reached");
	free(text);
}

Test(hostile, second_metric_of_a_name_and_too_many)
{
	const char *from = strstr(good, "[{\"name\"") + 1, *end = strstr(good, "]}]}");
	char *text = mem_format(
		"%.*s, %.*s%s", (int)(end - good), good, (int)(end - from), from, end);

	expect_refusal(text, strlen(text), -EPROTO,
		"runs[0].metrics[1]: second metric of the name \"ns\"");
	free(text);
	text = mem_zeroed(1 << 16, 1);
	strcpy(text,
		"{\"schema\": \"shootdown-result-1\", \"complete\": true, \"identity\": {},"
		"\"subject\": {}, \"state\": {}, \"runs\": [0");
	for (int i = 0; i < 4096; i++)
		strcat(text, ",0");
	strcat(text, "]}");
	expect_refusal(text, strlen(text), -EPROTO, "\"runs\" has 4097 entries, more than");
	free(text);
}

Test(hostile, no_file)
{
	struct record *r = NULL;
	struct err err;

	cr_expect_eq(record_load("/nonexistent.json", &r, &err), -ENOENT);
	cr_expect_str_eq(err.text, "/nonexistent.json: No such file or directory");
	cr_expect_eq(record_load("/tmp", &r, &err), -EISDIR);
	cr_expect_str_eq(err.text, "/tmp: Is a directory");
	cr_expect_eq(record_load("/dev/null", &r, &err), -EBADMSG);
	cr_expect_str_eq(err.text, "/dev/null: the file is empty");
	cr_expect_null(r);
}
