// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record_tree.h"

#include <stdbool.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define DEPTH_MAX 16
#define KEY_MAX 128

/* Where the next value goes: the innermost list or object that is open. */
struct tree {
	json_t *top;
	json_t *open[DEPTH_MAX];
	size_t depth;
	char key[KEY_MAX];
};

/* Takes value over, which may be NULL. 0 ends the parsing, for yajl. */
static int put(struct tree *t, json_t *value)
{
	json_t *in = t->depth ? t->open[t->depth - 1] : NULL;

	if (!value)
		return 0;
	if (!in) {
		t->top = value;
		return 1;
	}
	if (json_is_array(in))
		return json_array_append_new(in, value) == 0;
	if (json_object_get(in, t->key)) {
		json_decref(value);
		return 0;
	}
	return json_object_set_new_nocheck(in, t->key, value) == 0;
}

static int put_open(struct tree *t, json_t *value)
{
	if (t->depth == DEPTH_MAX || !put(t, value))
		return 0;
	t->open[t->depth++] = value;
	return 1;
}

static int on_null(void *t)
{
	return put(t, json_null());
}

static int on_boolean(void *t, int value)
{
	return put(t, json_boolean(value));
}

static int on_integer(void *t, long long value)
{
	return put(t, json_integer(value));
}

static int on_double(void *t, double value)
{
	return put(t, json_real(value));
}

static int on_string(void *t, const unsigned char *text, size_t bytes)
{
	return put(t, json_stringn_nocheck((const char *)text, bytes));
}

static int on_start_map(void *t)
{
	return put_open(t, json_object());
}

static int on_start_array(void *t)
{
	return put_open(t, json_array());
}

static int on_end(void *context)
{
	struct tree *t = context;

	t->depth--;
	return 1;
}

static int on_map_key(void *context, const unsigned char *key, size_t bytes)
{
	struct tree *t = context;

	if (bytes >= KEY_MAX)
		return 0;
	memcpy(t->key, key, bytes);
	t->key[bytes] = '\0';
	return 1;
}

/* In these two libraries differ: a byte beyond ASCII, or one given by its number. */
static bool is_plain(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((unsigned char)text[i] >= 0x80 || text[i] == '\0' ||
			(text[i] == '\\' && i + 1 < bytes && text[i + 1] == 'u'))
			return false;
	return true;
}

json_t *record_tree(const char *text, size_t bytes)
{
	static const yajl_callbacks callbacks = {
		.yajl_null = on_null,
		.yajl_boolean = on_boolean,
		.yajl_integer = on_integer,
		.yajl_double = on_double,
		.yajl_string = on_string,
		.yajl_start_map = on_start_map,
		.yajl_map_key = on_map_key,
		.yajl_end_map = on_end,
		.yajl_start_array = on_start_array,
		.yajl_end_array = on_end,
	};
	struct tree t = { 0 };
	yajl_handle parser;
	bool good;

	if (!is_plain(text, bytes))
		return NULL;
	parser = yajl_alloc(&callbacks, NULL, &t);
	if (!parser)
		return NULL;
	good = yajl_parse(parser, (const unsigned char *)text, bytes) == yajl_status_ok &&
	       yajl_complete_parse(parser) == yajl_status_ok;
	yajl_free(parser);
	if (good)
		return t.top;
	json_decref(t.top);
	return NULL;
}
