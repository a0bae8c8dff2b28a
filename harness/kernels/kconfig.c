// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/kconfig.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define PREFIX "CONFIG_"
#define NOT_SET " is not set"

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static void add(struct kconfig *config, const char *symbol, size_t symbol_length,
	const char *value, size_t value_length, int number)
{
	struct kconfig_line *line;

	/* Doubled in size whenever the count is a power of two. */
	if ((config->count & (config->count - 1)) == 0)
		config->lines = mem_resize(config->lines,
			config->count ? config->count * 2 : 1, sizeof(*config->lines));
	line = &config->lines[config->count++];
	line->symbol = mem_format("%.*s", (int)symbol_length, symbol);
	line->value = mem_format("%.*s", (int)value_length, value);
	line->number = number;
}

/* False where the line is none that a configuration has. */
static bool take_line(struct kconfig *config, const char *line, size_t length, int number)
{
	const char *symbol = line, *value;
	size_t blanks = strspn(line, " \t"), used;

	if (blanks >= length)
		return true;
	if (line[0] == '#') {
		if (strncmp(line, "# " PREFIX, strlen("# " PREFIX)) != 0)
			return true;
		symbol += strlen("# " PREFIX);
		used = name_length(symbol);
		value = symbol + used;
		/* Other comments may well begin with a symbol. */
		if (used && (size_t)(line + length - value) == strlen(NOT_SET) &&
			strncmp(value, NOT_SET, strlen(NOT_SET)) == 0)
			add(config, symbol, used, "n", 1, number);
		return true;
	}
	if (strncmp(line, PREFIX, strlen(PREFIX)) != 0)
		return false;
	symbol += strlen(PREFIX);
	used = name_length(symbol);
	value = symbol + used + 1;
	if (!used || symbol[used] != '=' || value >= line + length)
		return false;
	add(config, symbol, used, value, (size_t)(line + length - value), number);
	return true;
}

static int by_symbol(const void *a, const void *b)
{
	const struct kconfig_line *x = a, *y = b;
	int order = strcmp(x->symbol, y->symbol);

	return order ? order : x->number - y->number;
}

/* Of lines with the same symbol only the last stays. */
static void keep_last(struct kconfig *config)
{
	size_t kept = 0;

	for (size_t i = 0; i < config->count; i++) {
		struct kconfig_line *line = &config->lines[i];

		if (i + 1 < config->count && strcmp(line->symbol, line[1].symbol) == 0) {
			free(line->symbol);
			free(line->value);
			continue;
		}
		config->lines[kept++] = *line;
	}
	config->count = kept;
}

int kconfig_parse(
	const char *file_name, const char *text, struct kconfig *ret, struct err *err)
{
	struct kconfig config = { 0 };
	int number = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		number++;
		if (!take_line(&config, text, length, number)) {
			kconfig_clear(&config);
			return err_set(err, -EINVAL,
				"%s:%d: CONFIG_NAME=VALUE or \"# CONFIG_NAME is not set\" "
				"is wanted",
				file_name, number);
		}
		text += length + (text[length] == '\n');
	}
	if (config.count)
		qsort(config.lines, config.count, sizeof(*config.lines), by_symbol);
	keep_last(&config);
	*ret = config;
	return 0;
}

int kconfig_load(const char *path, struct kconfig *ret, struct err *err)
{
	char *text;
	int code = file_read("", path, &text, NULL);

	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	code = kconfig_parse(path, text, ret, err);
	free(text);
	return code;
}

void kconfig_clear(struct kconfig *config)
{
	for (size_t i = 0; i < config->count; i++) {
		free(config->lines[i].symbol);
		free(config->lines[i].value);
	}
	free(config->lines);
	*config = (struct kconfig){ 0 };
}

static int match_symbol(const void *key, const void *line)
{
	return strcmp(key, ((const struct kconfig_line *)line)->symbol);
}

const char *kconfig_value(const struct kconfig *config, const char *symbol)
{
	const struct kconfig_line *line =
		config->count ? bsearch(symbol, config->lines, config->count, sizeof(*line),
					match_symbol)
			      : NULL;

	return line ? line->value : "n";
}

const struct kconfig_line *kconfig_next_unmet(
	const struct kconfig *fragment, const struct kconfig *final, size_t *start)
{
	for (; *start < fragment->count; ++*start) {
		const struct kconfig_line *line = &fragment->lines[*start];

		if (strcmp(line->value, kconfig_value(final, line->symbol)) != 0)
			return line;
	}
	return NULL;
}

char *kconfig_diff(const struct kconfig *a, const struct kconfig *b)
{
	char *text = NULL;
	size_t bytes, i = 0, k = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	while (i < a->count || k < b->count) {
		int order = i == a->count ? 1
			    : k == b->count
				    ? -1
				    : strcmp(a->lines[i].symbol, b->lines[k].symbol);
		const char *symbol = order <= 0 ? a->lines[i].symbol : b->lines[k].symbol;
		const char *old = order <= 0 ? a->lines[i].value : "n";
		const char *new = order >= 0 ? b->lines[k].value : "n";

		if (strcmp(old, new) != 0)
			fprintf(out, "%s %s -> %s\n", symbol, old, new);
		i += order <= 0;
		k += order >= 0;
	}
	if (fclose(out) == EOF)
		abort();
	return text;
}
