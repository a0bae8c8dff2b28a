// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/manifest.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "verdicts/compare_pair.h"

#define FILE_NAME "manifest.json"
#define BOOTS_MAX 100000

static void make_plan(struct manifest *m)
{
	plan_make(m->one_image, m->n_boots, m->n_blocks, m->seed, &m->plan);
	m->entries = mem_zeroed(m->plan.n_boots, sizeof(*m->entries));
}

void manifest_new(struct fields *options, uint64_t seed, bool one_image,
	unsigned int n_boots, unsigned int n_blocks, struct manifest *ret)
{
	struct manifest m = {
		.options = *options,
		.seed = seed,
		.one_image = one_image,
		.n_boots = n_boots,
		.n_blocks = n_blocks,
	};

	*options = (struct fields){ 0 };
	make_plan(&m);
	*ret = m;
}

void manifest_clear(struct manifest *m)
{
	for (size_t i = 0; m->entries && i < m->plan.n_boots; i++) {
		free(m->entries[i].result);
		free(m->entries[i].phase);
		free(m->entries[i].reason);
		free(m->entries[i].console_tail);
	}
	free(m->entries);
	plan_clear(&m->plan);
	fields_clear(&m->options);
	*m = (struct manifest){ 0 };
}

static json_t *options_json(const struct fields *f)
{
	json_t *object = json_object();

	for (size_t i = 0; i < f->count; i++)
		json_object_set_new(object, f->items[i].name,
			f->items[i].text ? json_string(f->items[i].text)
					 : json_integer(f->items[i].number));
	return object;
}

static json_t *steps_json(const struct plan_boot *boot)
{
	json_t *list = json_array();

	for (size_t i = 0; i < boot->n_steps; i++)
		json_array_append_new(
			list, json_pack("{ss si}", "arm",
				      boot->steps[i].arm == ARM_BASE ? "base" : "cand",
				      "block", (int)boot->steps[i].block));
	return list;
}

/* A console may hold any byte; what is no UTF-8 is not worth losing the rest for. */
static json_t *text_json(const char *text)
{
	json_t *j = json_string(text);

	return j ? j : json_string("(not readable as text)");
}

static json_t *boot_json(const struct plan_boot *boot, const struct boot_entry *e)
{
	json_t *object =
		json_pack("{si so}", "boot", (int)boot->boot, "steps", steps_json(boot));

	if (!e->result)
		return object;
	json_object_set_new(object, "result", text_json(e->result));
	json_object_set_new(object, "phase", text_json(e->phase));
	json_object_set_new(object, "reason", text_json(e->reason));
	json_object_set_new(object, "attempts", json_integer(e->attempts));
	json_object_set_new(
		object, "duration_ms", json_integer((json_int_t)e->duration_ms));
	if (strcmp(e->result, "ok") != 0)
		json_object_set_new(object, "console_tail", text_json(e->console_tail));
	return object;
}

int manifest_save(const struct manifest *m, const char *folder, struct err *err)
{
	char *path = mem_format("%s/" FILE_NAME, folder), *text;
	json_t *boots = json_array(), *root;
	int ret = -ENOMEM;

	for (size_t i = 0; i < m->plan.n_boots; i++)
		json_array_append_new(boots, boot_json(&m->plan.boots[i], &m->entries[i]));
	root = json_pack("{ss so sI sb si si so}", "schema", MANIFEST_SCHEMA, "options",
		options_json(&m->options), "seed", (json_int_t)m->seed, "one_image",
		m->one_image, "n_boots", (int)m->n_boots, "n_blocks", (int)m->n_blocks,
		"boots", boots);
	text = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	if (text)
		ret = file_replace(path, text, strlen(text));
	free(text);
	if (ret < 0)
		err_set(err, ret, "%s: %s", path, strerror(-ret));
	free(path);
	return ret;
}

static int wrong(const char *path, const char *what, struct err *err)
{
	return err_set(err, -EPROTO,
		"%s: %s: it is no manifest of an experiment: give another "
		"folder, or remove it",
		path, what);
}

static int read_options(json_t *object, struct fields *ret)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		if (json_is_string(value))
			fields_set_text(ret, name, json_string_value(value));
		else if (json_is_integer(value))
			fields_set_number(ret, name, json_integer_value(value));
		else
			return -EPROTO;
	}
	return 0;
}

static char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return mem_text(text ? text : "");
}

static void read_entry(json_t *object, struct boot_entry *e)
{
	if (!json_is_string(json_object_get(object, "result")))
		return;
	e->result = text_of(object, "result");
	e->phase = text_of(object, "phase");
	e->reason = text_of(object, "reason");
	e->console_tail = text_of(object, "console_tail");
	e->attempts = (unsigned int)json_integer_value(json_object_get(object, "attempts"));
	e->duration_ms =
		(uint64_t)json_integer_value(json_object_get(object, "duration_ms"));
}

static int read_manifest(
	json_t *root, const char *path, struct manifest *m, struct err *err)
{
	const char *schema;
	json_t *options, *boots;
	json_int_t seed;
	int one_image, n_boots, n_blocks;

	if (json_unpack(root, "{s:s s:o s:I s:b s:i s:i s:o}", "schema", &schema, "options",
		    &options, "seed", &seed, "one_image", &one_image, "n_boots", &n_boots,
		    "n_blocks", &n_blocks, "boots", &boots) < 0)
		return wrong(path, "a key is missing or of another type", err);
	if (strcmp(schema, MANIFEST_SCHEMA) != 0)
		return wrong(path, "its schema is another", err);
	if (n_boots < 1 || n_blocks < 1 || n_boots > BOOTS_MAX ||
		n_blocks > BOOTS_MAX / n_boots)
		return wrong(path, "the number of boots or blocks is out of range", err);
	m->seed = (uint64_t)seed;
	m->one_image = one_image;
	m->n_boots = (unsigned int)n_boots;
	m->n_blocks = (unsigned int)n_blocks;
	make_plan(m);
	if (read_options(options, &m->options) < 0)
		return wrong(path, "an option is neither text nor integer", err);
	if (json_array_size(boots) != m->plan.n_boots)
		return wrong(path, "the boots are not those of the plan", err);
	for (size_t i = 0; i < m->plan.n_boots; i++)
		read_entry(json_array_get(boots, i), &m->entries[i]);
	return 0;
}

int manifest_load(const char *folder, struct manifest *ret, struct err *err)
{
	char *path = mem_format("%s/" FILE_NAME, folder), *text;
	struct manifest m = { 0 };
	json_error_t json_err;
	json_t *root;
	size_t bytes;
	int status = file_read("", path, &text, &bytes);

	if (status < 0) {
		err_set(err, status, "%s: %s", path, strerror(-status));
		free(path);
		return status;
	}
	root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &json_err);
	free(text);
	status =
		root ? read_manifest(root, path, &m, err) : wrong(path, json_err.text, err);
	json_decref(root);
	free(path);
	if (status < 0)
		manifest_clear(&m);
	else
		*ret = m;
	return status;
}

int manifest_check_options(const struct manifest *m, const struct fields *options,
	const char *folder, struct err *err)
{
	for (size_t i = 0; i < options->count; i++) {
		const struct field *now = &options->items[i];
		const struct field *then = fields_find(&m->options, now->name);
		char *was, *is;

		if (then && field_equal(then, now))
			continue;
		was = then ? field_format(then) : mem_text("not recorded");
		is = field_format(now);
		err_set(err, -EEXIST,
			"%s holds another experiment (%s is %s there, and %s now): give another "
			"folder with -o",
			folder, now->name, was, is);
		free(was);
		free(is);
		return -EEXIST;
	}
	return 0;
}

size_t manifest_n_done(const struct manifest *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->plan.n_boots; i++)
		n += m->entries[i].result != NULL;
	return n;
}
