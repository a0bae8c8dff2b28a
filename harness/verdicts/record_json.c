// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record_json.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* More than any machine yields. */
#define LIST_MAX 4096

const char *const record_status_words[] = { "ok", "skipped", "invalid", "failed",
	"incomplete", NULL };
const char *const record_better_words[] = { "lower", "higher", "none", NULL };
const char *const record_kind_words[] = { "sample", "exact", "share", NULL };

json_t *record_text_json(const char *text)
{
	json_t *j = json_string(text);
	char *wide, *to;

	if (j)
		return j;
	wide = to = mem_zeroed(strlen(text) * 2 + 1, 1);
	for (const unsigned char *from = (const unsigned char *)text; *from; from++) {
		if (*from < 0x80) {
			*to++ = (char)*from;
			continue;
		}
		*to++ = (char)(0xc0 | *from >> 6);
		*to++ = (char)(0x80 | (*from & 0x3f));
	}
	j = json_string(wide);
	free(wide);
	return j;
}

/* Words of the file stand in the line: they must not break it or steer a terminal. */
int reader_one_line(struct err *err, int code)
{
	if (err)
		for (char *c = err->text; *c; c++)
			if (iscntrl((unsigned char)*c))
				*c = '?';
	return code;
}

int reader_wrong(struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	err_set(r->err, -EPROTO, "%s: %s%s%s", r->name, r->where, *r->where ? ": " : "",
		text);
	return reader_one_line(r->err, -EPROTO);
}

size_t reader_enter(struct reader *r, const char *fmt, ...)
{
	size_t length = strlen(r->where);
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->where + length, sizeof(r->where) - length, fmt, args);
	va_end(args);
	return length;
}

void reader_leave(struct reader *r, size_t length)
{
	r->where[length] = '\0';
}

const char *reader_type(const json_t *j)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "a list",
		[JSON_STRING] = "a text",
		[JSON_INTEGER] = "an integer",
		[JSON_REAL] = "a number with a fraction",
		[JSON_TRUE] = "true",
		[JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	return names[json_typeof(j)];
}

int reader_keys(struct reader *r, json_t *object, const char *const *known)
{
	const char *key;
	json_t *value;

	if (!json_is_object(object))
		return reader_wrong(r, "must be an object, is %s", reader_type(object));
	json_object_foreach(object, key, value)
	{
		size_t i = 0;

		while (known[i] && strcmp(known[i], key) != 0)
			i++;
		if (!known[i])
			return reader_wrong(r, "unknown key \"%.80s\"", key);
	}
	return 0;
}

int reader_get(
	struct reader *r, json_t *object, const char *key, json_type type, json_t **ret)
{
	static const char *const wanted[] = {
		[JSON_OBJECT] = "an object",
		[JSON_ARRAY] = "a list",
		[JSON_STRING] = "a text",
		[JSON_INTEGER] = "an integer",
		[JSON_TRUE] = "true or false",
	};
	json_t *j = json_object_get(object, key);

	if (!j)
		return reader_wrong(r, "key \"%s\" is missing", key);
	if (json_typeof(j) != type && !(type == JSON_TRUE && json_is_boolean(j)))
		return reader_wrong(
			r, "\"%s\" must be %s, is %s", key, wanted[type], reader_type(j));
	*ret = j;
	return 0;
}

int reader_text(struct reader *r, json_t *object, const char *key, char **ret)
{
	json_t *j = NULL;
	int err = reader_get(r, object, key, JSON_STRING, &j);

	if (err == 0)
		*ret = mem_text(json_string_value(j));
	return err;
}

int reader_name(struct reader *r, json_t *object, const char *key, char **ret)
{
	int err = reader_text(r, object, key, ret);

	if (err == 0 && **ret == '\0')
		return reader_wrong(r, "\"%s\" is empty", key);
	return err;
}

int reader_name_if(struct reader *r, json_t *object, const char *key, char **ret)
{
	return json_object_get(object, key) ? reader_name(r, object, key, ret) : 0;
}

int reader_bool_if(struct reader *r, json_t *object, const char *key, bool *ret)
{
	json_t *j = json_object_get(object, key);
	int err = j ? reader_get(r, object, key, JSON_TRUE, &j) : 0;

	if (err == 0)
		*ret = json_is_true(j);
	return err;
}

int reader_word(struct reader *r, json_t *object, const char *key, const char *const *words,
	unsigned int *ret)
{
	json_t *j = NULL;
	int err = reader_get(r, object, key, JSON_STRING, &j);

	if (err < 0)
		return err;
	for (unsigned int i = 0; words[i]; i++) {
		if (strcmp(words[i], json_string_value(j)) == 0) {
			*ret = i;
			return 0;
		}
	}
	return reader_wrong(
		r, "\"%s\" has unknown word \"%.80s\"", key, json_string_value(j));
}

int reader_list(struct reader *r, json_t *object, const char *key, json_t **ret)
{
	int err = reader_get(r, object, key, JSON_ARRAY, ret);

	if (err == 0 && json_array_size(*ret) > LIST_MAX)
		return reader_wrong(r, "\"%s\" has %zu entries, more than %d", key,
			json_array_size(*ret), LIST_MAX);
	return err;
}

int reader_column(struct reader *r, json_t *object, const char *key, size_t n, json_t **ret)
{
	int err = reader_get(r, object, key, JSON_ARRAY, ret);

	if (err == 0 && json_array_size(*ret) != n)
		return reader_wrong(r, "\"%s\" has %zu entries for %zu samples", key,
			json_array_size(*ret), n);
	return err;
}

int reader_entry(struct reader *r, json_t *list, const char *key, size_t i, int64_t min,
	int64_t max, int64_t *ret)
{
	json_t *j = json_array_get(list, i);

	if (!json_is_integer(j))
		return reader_wrong(
			r, "%s[%zu] must be an integer, is %s", key, i, reader_type(j));
	if (json_integer_value(j) < min || json_integer_value(j) > max)
		return reader_wrong(r,
			"%s[%zu] is %" JSON_INTEGER_FORMAT ", not in %lld to %lld", key, i,
			json_integer_value(j), (long long)min, (long long)max);
	*ret = json_integer_value(j);
	return 0;
}
