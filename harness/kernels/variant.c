// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/variant.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "verdicts/least.h"

#define SUFFIX ".variant"
#define BLANKS " \t"
#define BESIDE "./"

void words_add(struct words *w, const char *word)
{
	w->items = mem_resize(w->items, w->count + 1, sizeof(*w->items));
	w->items[w->count++] = mem_text(word);
}

void words_clear(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
	*w = (struct words){ 0 };
}

void variant_clear(struct variant *v)
{
	free(v->name);
	free(v->summary);
	free(v->source);
	free(v->commit);
	words_clear(&v->patches);
	words_clear(&v->config);
	words_clear(&v->cmdline);
	words_clear(&v->sysctls);
	words_clear(&v->least);
	free(v->sysctls_if);
	*v = (struct variant){ 0 };
}

/* Each takes a value that is not empty, and returns NULL or what is wrong with it. */
static const char *take_words(struct words *w, char *value)
{
	char *rest = NULL;

	for (char *word = strtok_r(value, BLANKS, &rest); word;
		word = strtok_r(NULL, BLANKS, &rest))
		words_add(w, word);
	return NULL;
}

static const char *take_files(struct words *w, char *value)
{
	take_words(w, value);
	for (size_t i = 0; i < w->count; i++)
		if (w->items[i][0] == '/' || strstr(w->items[i], ".."))
			return "a file below kconfigs/ is wanted, without \"..\"";
	return NULL;
}

static const char *take_summary(struct variant *v, char *value)
{
	v->summary = mem_text(value);
	return NULL;
}

static const char *take_source(struct variant *v, char *value)
{
	static const struct {
		const char *word;
		size_t words;
	} kinds[] = {
		[SOURCE_PACKAGE] = { "package", 2 },
		[SOURCE_GIT] = { "git", 3 },
		[SOURCE_TREE] = { "tree", 2 },
	};
	struct words words = { 0 };
	const char *wrong =
		"\"package NAME\", \"git DIR COMMIT\" or \"tree DIR\" is wanted";

	take_words(&words, value);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(words.items[0], kinds[i].word) != 0 ||
			words.count != kinds[i].words)
			continue;
		if (i == SOURCE_PACKAGE && strchr(words.items[1], '/'))
			continue;
		v->kind = (enum source_kind)i;
		v->source = mem_text(words.items[1]);
		v->commit = words.count == 3 ? mem_text(words.items[2]) : NULL;
		wrong = NULL;
	}
	words_clear(&words);
	return wrong;
}

static const char *take_patches(struct variant *v, char *value)
{
	return take_files(&v->patches, value);
}

static const char *take_config(struct variant *v, char *value)
{
	return take_files(&v->config, value);
}

static const char *take_cmdline(struct variant *v, char *value)
{
	return take_words(&v->cmdline, value);
}

/* Cuts "if SYMBOL" off the end. */
static void take_condition(struct variant *v)
{
	struct words *w = &v->sysctls;

	if (w->count < 3 || strcmp(w->items[w->count - 2], "if") != 0)
		return;
	v->sysctls_if = w->items[--w->count];
	free(w->items[--w->count]);
}

static const char *take_sysctl(struct variant *v, char *value)
{
	take_words(&v->sysctls, value);
	take_condition(v);
	for (size_t i = 0; i < v->sysctls.count; i++) {
		const char *word = v->sysctls.items[i];
		const char *equals = strchr(word, '=');

		if (!equals || equals == word || !equals[1] || strchr(word, '/') ||
			strstr(word, ".."))
			return "NAME=VALUE is wanted, as vm.swappiness=60, and may be "
			       "followed by \"if SYMBOL\"";
	}
	return NULL;
}

static const char *take_least(struct variant *v, char *value)
{
	const char *wrong = NULL;

	take_words(&v->least, value);
	for (size_t i = 0; i < v->least.count && !wrong; i++)
		wrong = least_check(v->least.items[i]);
	return wrong;
}

static const struct {
	const char *name;
	bool required;
	const char *(*take)(struct variant *v, char *value);
} keys[] = {
	{ "summary", true, take_summary },
	{ "source", true, take_source },
	{ "patches", false, take_patches },
	{ "config", true, take_config },
	{ "cmdline", false, take_cmdline },
	{ "sysctl", false, take_sysctl },
	{ "least", false, take_least },
};
#define N_KEYS (sizeof(keys) / sizeof(keys[0]))

/* Cuts blanks off both ends, in place. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, BLANKS);
	length = strlen(text);
	while (length && strchr(BLANKS, text[length - 1]))
		text[--length] = '\0';
	return text;
}

static bool is_text(const char *line)
{
	for (; *line; line++)
		if ((unsigned char)*line < ' ' && *line != '\t')
			return false;
	return true;
}

/* Returns NULL or what is wrong with the line. */
static const char *take_line(struct variant *v, char *line, bool *seen)
{
	char *equals, *key, *value;

	if (!is_text(line))
		return "a control character (the file must be text with Unix line ends)";
	line = trim(line);
	if (!*line || *line == '#')
		return NULL;
	equals = strchr(line, '=');
	if (!equals)
		return "\"key = value\" is wanted";
	*equals = '\0';
	key = trim(line);
	value = trim(equals + 1);
	for (size_t i = 0; i < N_KEYS; i++) {
		if (strcmp(key, keys[i].name) != 0)
			continue;
		if (seen[i])
			return "this key stands twice";
		seen[i] = true;
		return *value ? keys[i].take(v, value) : "the value is empty";
	}
	return "unknown key; there are summary, source, patches, config, cmdline, sysctl, least";
}

int variant_parse(const char *name, const char *file_name, const char *text,
	struct variant *ret, struct err *err)
{
	struct variant v = { .name = mem_text(name) };
	char *copy = mem_text(text), *rest = copy, *line;
	bool seen[N_KEYS] = { false };
	int number = 0, code = 0;

	while (code == 0 && (line = strsep(&rest, "\n"))) {
		const char *wrong;

		number++;
		wrong = take_line(&v, line, seen);
		if (wrong)
			code = err_set(err, -EINVAL, "%s:%d: %s", file_name, number, wrong);
	}
	for (size_t i = 0; code == 0 && i < N_KEYS; i++)
		if (keys[i].required && !seen[i])
			code = err_set(err, -EINVAL, "%s:%d: no line \"%s = ...\"",
				file_name, number, keys[i].name);
	free(copy);
	if (code < 0)
		variant_clear(&v);
	else
		*ret = v;
	return code;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int variant_list(struct words *ret, struct err *err)
{
	struct words names = { 0 };
	struct dirent *entry;
	char *path;
	DIR *dir;

	if (data_path("kconfigs/variants", &path) < 0)
		return err_set(err, -ENOENT, "kconfigs/variants is not found; %s",
			"SHOOTDOWN_DATA may name the folder with kconfigs/");
	dir = opendir(path);
	if (!dir) {
		int code = err_set(err, -errno, "%s: %m", path);

		free(path);
		return code;
	}
	while ((entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || length <= strlen(SUFFIX) ||
			strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) != 0)
			continue;
		entry->d_name[length - strlen(SUFFIX)] = '\0';
		words_add(&names, entry->d_name);
	}
	closedir(dir);
	free(path);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	*ret = names;
	return 0;
}

static int say_unknown(const char *name, struct err *err)
{
	struct words names = { 0 };
	int code = variant_list(&names, err);
	char *all = mem_text("");

	if (code < 0)
		return code;
	for (size_t i = 0; i < names.count; i++) {
		char *more = mem_format("%s%s%s", all, i ? ", " : "", names.items[i]);

		free(all);
		all = more;
	}
	err_set(err, -ENOENT, "%s: no such variant; there are %s", name, all);
	free(all);
	words_clear(&names);
	return -ENOENT;
}

/* Makes the files that lie beside the variant's own ("./x") absolute. */
static void place_beside(struct words *w, const char *folder)
{
	for (size_t i = 0; i < w->count; i++) {
		char *item = w->items[i];

		if (strncmp(item, BESIDE, strlen(BESIDE)) != 0)
			continue;
		w->items[i] = mem_format("%s/%s", folder, item + strlen(BESIDE));
		free(item);
	}
}

static int load_file(
	const char *name, const char *path, struct variant *ret, struct err *err)
{
	char *folder = realpath(path, NULL), *text;
	size_t bytes;
	int code = folder ? file_read("", path, &text, &bytes) : -errno;

	if (code < 0) {
		free(folder);
		return err_set(err, code, "%s: %s", path, strerror(-code));
	}
	code = strlen(text) == bytes ? variant_parse(name, path, text, ret, err)
				     : err_set(err, -EINVAL, "%s: a NUL byte in it", path);
	if (code == 0) {
		*strrchr(folder, '/') = '\0';
		place_beside(&ret->patches, folder);
	}
	free(text);
	free(folder);
	return code;
}

/* The last part of path, without the suffix. */
static char *name_of(const char *path)
{
	char *name = mem_text(strrchr(path, '/') + 1);
	const size_t length = strlen(name);

	if (length > strlen(SUFFIX) && strcmp(name + length - strlen(SUFFIX), SUFFIX) == 0)
		name[length - strlen(SUFFIX)] = '\0';
	return name;
}

int variant_load(const char *name, struct variant *ret, struct err *err)
{
	char *owned, *path;
	int code;

	if (strchr(name, '/')) {
		owned = name_of(name);
		code = load_file(owned, name, ret, err);
		free(owned);
		return code;
	}
	owned = mem_format("kconfigs/variants/%s" SUFFIX, name);
	code = data_path(owned, &path);
	free(owned);
	if (code < 0)
		return say_unknown(name, err);
	code = load_file(name, path, ret, err);
	free(path);
	return code;
}
