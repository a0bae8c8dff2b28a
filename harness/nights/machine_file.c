// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/machine_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/night.h"

#define SUFFIX ".machine"
#define BLANKS " \t"

const char *const boot_way_names[] = {
	[BOOT_KEXEC] = "kexec", [BOOT_EFI] = "efi", [BOOT_GRUB] = "grub", NULL
};

void machine_file_clear(struct machine_file *m)
{
	free(m->name);
	free(m->summary);
	free(m->arch);
	free(m->suite);
	free(m->results);
	free(m->state);
	free(m->images);
	free(m->initrd);
	free(m->variants[ARM_BASE]);
	free(m->variants[ARM_CAND]);
	free(m->governor);
	free(m->thp);
	free(m->watchdog);
	words_clear(&m->workloads);
	words_clear(&m->cmdline);
	words_clear(&m->sysctls);
	words_clear(&m->services);
	*m = (struct machine_file){ 0 };
}

enum kind { TEXT, WORDS, NUMBER, SECONDS, WAY };

/* Where a key's value goes, and what may stand there. */
static const struct key {
	const char *name;
	enum kind kind;
	size_t offset;
	const char *preset; /* NULL: required; "": none */
} keys[] = {
#define AT(member) offsetof(struct machine_file, member)
	{ "summary", TEXT, AT(summary), NULL },
	{ "name", TEXT, AT(name), "" },
	{ "arch", TEXT, AT(arch), NULL },
	{ "boot", WAY, AT(way), NULL },
	{ "reference", TEXT, AT(variants[ARM_BASE]), NULL },
	{ "tonight", TEXT, AT(variants[ARM_CAND]), NULL },
	{ "suite", TEXT, AT(suite), "quick" },
	{ "workloads", WORDS, AT(workloads), "" },
	{ "blocks", NUMBER, AT(n_blocks), "10" },
	{ "boots_max", NUMBER, AT(boots_max), "" },
	{ "budget", SECONDS, AT(budget_s), "8h" },
	{ "deadline", SECONDS, AT(deadline_s), "30m" },
	{ "results", TEXT, AT(results), "/var/lib/shootdown/results" },
	{ "state", TEXT, AT(state), "/var/lib/shootdown/night" },
	{ "images", TEXT, AT(images), "" },
	{ "initrd", TEXT, AT(initrd), "" },
	{ "cmdline", WORDS, AT(cmdline), "" },
	{ "governor", TEXT, AT(governor), "" },
	{ "thp", TEXT, AT(thp), "" },
	{ "sysctl", WORDS, AT(sysctls), "" },
	{ "stop", WORDS, AT(services), "" },
	{ "watchdog", TEXT, AT(watchdog), "" },
	{ "watchdog_timeout", SECONDS, AT(watchdog_s), "5m" },
#undef AT
};
#define N_KEYS (sizeof(keys) / sizeof(keys[0]))

static bool take_number(const char *value, unsigned int *ret)
{
	unsigned int number;
	int at = 0;

	if (!isdigit((unsigned char)*value) || sscanf(value, "%6u%n", &number, &at) != 1 ||
		value[at] || number < 1)
		return false;
	*ret = number;
	return true;
}

static bool take_seconds(const char *value, uint64_t *ret)
{
	unsigned int number;
	char unit;
	int at = 0;

	if (!isdigit((unsigned char)*value) ||
		sscanf(value, "%6u%c%n", &number, &unit, &at) != 2 || value[at] ||
		number < 1 || !strchr("smh", unit))
		return false;
	*ret = (uint64_t)number * (unit == 'h' ? 3600 : unit == 'm' ? 60 : 1);
	return true;
}

static bool take_way(const char *value, enum boot_way *ret)
{
	for (int i = 0; boot_way_names[i]; i++) {
		if (strcmp(boot_way_names[i], value) == 0) {
			*ret = (enum boot_way)i;
			return true;
		}
	}
	return false;
}

static void take_words(char *value, struct words *ret)
{
	char *rest = NULL;

	for (char *word = strtok_r(value, BLANKS, &rest); word;
		word = strtok_r(NULL, BLANKS, &rest))
		words_add(ret, word);
}

/* NULL, or what is wanted instead. */
static const char *take_value(struct machine_file *m, const struct key *key, char *value)
{
	void *to = (char *)m + key->offset;

	switch (key->kind) {
	case TEXT:
		free(*(char **)to);
		*(char **)to = mem_text(value);
		return NULL;
	case WORDS:
		take_words(value, to);
		return NULL;
	case NUMBER:
		return take_number(value, to) ? NULL : "a number from 1 on is wanted";
	case SECONDS:
		return take_seconds(value, to) ? NULL : "a time is wanted, as 90s, 20m, 6h";
	case WAY:
		return take_way(value, to) ? NULL : "kexec, efi or grub is wanted";
	}
	return NULL;
}

/* NULL, or what is wrong with the line. seen is by index of keys. */
static const char *take_line(struct machine_file *m, char *line, bool *seen)
{
	char *equals = strchr(line, '='), *end, *value;

	if (!equals)
		return "a line \"key = value\" is wanted";
	for (end = equals; end > line && strchr(BLANKS, end[-1]); end--)
		;
	*end = '\0';
	value = equals + 1 + strspn(equals + 1, BLANKS);
	for (end = value + strlen(value); end > value && strchr(BLANKS "\r", end[-1]);
		end--)
		;
	*end = '\0';
	for (size_t i = 0; i < N_KEYS; i++) {
		if (strcmp(keys[i].name, line) != 0)
			continue;
		if (seen[i])
			return "this key stands twice";
		seen[i] = true;
		return *value ? take_value(m, &keys[i], value) : "the value is empty";
	}
	return "unknown key; shootdown-nightly(1) lists them";
}

static int complete(
	struct machine_file *m, const bool *seen, const char *file_name, struct err *err)
{
	if (m->suite && m->workloads.count)
		return err_set(
			err, -EINVAL, "%s: suite or workloads: one of them", file_name);
	for (size_t i = 0; i < N_KEYS; i++) {
		char *preset = mem_text(keys[i].preset);

		if (!seen[i] && !preset)
			return err_set(err, -EINVAL, "%s: no line \"%s = ...\"", file_name,
				keys[i].name);
		if (!seen[i] && *preset)
			take_value(m, &keys[i], preset);
		free(preset);
	}
	if (!m->images)
		m->images = mem_format("%s/images", m->state);
	if (m->boots_max == 0)
		m->boots_max = 4 * m->n_blocks;
	if (m->n_blocks > NIGHT_BLOCKS_MAX)
		return err_set(err, -EINVAL, "%s: blocks = %u: at most %d", file_name,
			m->n_blocks, NIGHT_BLOCKS_MAX);
	for (size_t i = 0; i < m->sysctls.count; i++)
		if (!strchr(m->sysctls.items[i], '='))
			return err_set(err, -EINVAL,
				"%s: sysctl = %s: NAME=VALUE is wanted", file_name,
				m->sysctls.items[i]);
	return 0;
}

int machine_file_parse(const char *name, const char *file_name, const char *text,
	struct machine_file *ret, struct err *err)
{
	struct machine_file m = { .name = mem_text(name) };
	bool seen[N_KEYS] = { false };
	char *copy = mem_text(text), *rest = copy, *line;
	int number = 0, code = 0;

	while (code == 0 && (line = strsep(&rest, "\n")) != NULL) {
		const char *wrong;

		number++;
		line += strspn(line, BLANKS "\r");
		wrong = *line == '\0' || *line == '#' ? NULL : take_line(&m, line, seen);
		if (wrong)
			code = err_set(err, -EINVAL, "%s:%d: %s", file_name, number, wrong);
	}
	free(copy);
	if (code == 0)
		code = complete(&m, seen, file_name, err);
	if (code < 0)
		machine_file_clear(&m);
	else
		*ret = m;
	return code;
}

int machine_file_load(const char *path, struct machine_file *ret, struct err *err)
{
	const char *last = strrchr(path, '/');
	char *name = mem_text(last ? last + 1 : path), *text;
	char *suffix = strstr(name, SUFFIX);
	size_t bytes;
	int code = file_read("", path, &text, &bytes);

	if (suffix)
		*suffix = '\0';
	if (code < 0) {
		err_set(err, code, "%s: %s", path, strerror(-code));
	} else {
		code = strlen(text) == bytes
			       ? machine_file_parse(name, path, text, ret, err)
			       : err_set(err, -EINVAL, "%s: a NUL byte in it", path);
		free(text);
	}
	free(name);
	return code;
}

/* The key of a line, which ends with the text or a newline; 0 characters: it has none. */
static const char *key_of(const char *line, size_t *ret_chars)
{
	const char *start = line + strspn(line, BLANKS "\r");
	size_t n = strcspn(start, "=\n");

	if (start[n] != '=' || *start == '#')
		n = 0;
	while (n && strchr(BLANKS, start[n - 1]))
		n--;
	*ret_chars = n;
	return start;
}

/* The line after this one, or the end of the text. */
static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool has_key(const char *text, const char *key, size_t chars)
{
	for (const char *line = text; *line && chars; line = next_line(line)) {
		size_t n;
		const char *other = key_of(line, &n);

		if (n == chars && strncmp(other, key, n) == 0)
			return true;
	}
	return false;
}

static bool has_value(const char *line)
{
	size_t chars;
	const char *key = key_of(line, &chars), *value = key + strcspn(key, "=\n");

	value += *value == '=';
	value += strspn(value, BLANKS "\r");
	return *value && *value != '\n';
}

char *machine_file_change(const char *text, const char *changes)
{
	char *all = mem_zeroed(strlen(text) + strlen(changes) + 2, 1), *to = all;
	const char *line;

	for (line = text; *line; line = next_line(line)) {
		size_t n;
		const char *key = key_of(line, &n);

		if (!has_key(changes, key, n))
			to = mempcpy(to, line, (size_t)(next_line(line) - line));
	}
	if (to > all && to[-1] != '\n')
		*to++ = '\n';
	for (line = changes; *line; line = next_line(line))
		if (has_value(line))
			to = mempcpy(to, line, (size_t)(next_line(line) - line));
	*to = '\0';
	return all;
}
