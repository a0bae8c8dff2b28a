// SPDX-License-Identifier: GPL-2.0-or-later
/* From a file to a record: the JSON text, and what is said of one that is none. */
#include "verdicts/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "verdicts/record_arena.h"
#include "verdicts/record_json.h"
#include "verdicts/record_tree.h"

/* Of a piece of memory for the tree of a text. */
#define ARENA_MAX ((size_t)4 << 20)

/* What jansson refused, in one line. */
static int refuse_json(const char *name, const json_error_t *error, struct err *err)
{
	enum json_error_code what = json_error_code(error);
	bool result =
		what == json_error_duplicate_key || what == json_error_numeric_overflow;
	bool short_file = what == json_error_premature_end_of_input;
	int code = result ? -EPROTO : -EBADMSG;

	if (what == json_error_out_of_memory)
		return err_set(err, -ENOMEM, "%s: too large for the memory", name);
	err_set(err, code, "%s:%d:%d: %s%s", name, error->line, error->column, error->text,
		short_file ? ": the file is cut short" : "");
	return reader_one_line(err, code);
}

/* In the arena. */
static int parse(const char *name, const char *text, size_t bytes, struct record *record,
	struct err *err)
{
	struct reader r = { .name = name, .err = err };
	json_error_t error;
	json_t *top = record_tree(text, bytes);

	/* A value of any kind is decoded, so that the line can say what it is. */
	if (!top)
		top = json_loadb(
			text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (!top)
		return refuse_json(name, &error, err);
	return reader_record(&r, top, record);
}

int record_parse(const char *name, const char *text, size_t bytes, struct record **ret,
	struct err *err)
{
	struct record *record;
	int code;

	if (bytes == 0)
		return err_set(err, -EBADMSG, "%s: the file is empty", name);
	record = record_new();
	/* A tree is some eight times as large as its text. */
	arena_open(bytes < ARENA_MAX / 9 ? 9 * bytes : ARENA_MAX);
	code = parse(name, text, bytes, record, err);
	arena_close();
	if (code == -ENOMEM)
		err_set(err, code, "%s: too large for the memory", name);
	if (code < 0)
		record_free(record);
	else
		*ret = record;
	return code;
}

int record_load(const char *path, struct record **ret, struct err *err)
{
	size_t bytes;
	char *text;
	int code = file_read("", path, &text, &bytes);

	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	code = record_parse(path, text, bytes, ret, err);
	free(text);
	return code;
}
