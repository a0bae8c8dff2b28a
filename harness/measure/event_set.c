// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/event_set.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"

#define BLANKS " \t"

/* The next word of *line, or NULL. */
static char *next_word(char **line)
{
	char *word;

	while ((word = strsep(line, BLANKS)) != NULL)
		if (*word)
			return word;
	return NULL;
}

static void add_words(char ***list, size_t *n, char *line)
{
	char *word;

	while ((word = next_word(&line)) != NULL) {
		*list = mem_resize(*list, *n + 1, sizeof(**list));
		(*list)[(*n)++] = mem_text(word);
	}
}

/* "NAME pfm EVENT", "NAME sysfs PMU EVENT"; NULL, or what is wrong. */
static const char *add_event(struct event_set *s, char *line, const char *tells)
{
	const char *name = next_word(&line), *source = next_word(&line), *pmu = NULL,
		   *event;

	if (!name || !source)
		return "an event needs a name and a source";
	if (strcmp(source, "sysfs") == 0)
		pmu = next_word(&line);
	else if (strcmp(source, "pfm") != 0)
		return "the source of an event is pfm or sysfs";
	event = next_word(&line);
	if (!event || next_word(&line))
		return "an event is NAME pfm EVENT, or NAME sysfs PMU EVENT";
	if (pmu && strchr(pmu, '/'))
		return "a PMU is one folder";
	if (strchr(event, '/'))
		return "an event is one file";
	if (!tells)
		return "an event needs a comment on what it tells";
	if (s->n_events == EVENT_SET_MAX)
		return "too many events";
	for (size_t i = 0; i < s->n_events; i++)
		if (strcmp(s->events[i].name, name) == 0)
			return "a second event of that name";
	s->events = mem_resize(s->events, s->n_events + 1, sizeof(*s->events));
	s->events[s->n_events++] = (struct event_name){
		.name = mem_text(name),
		.pmu = mem_text(pmu),
		.event = mem_text(event),
		.tells = mem_text(tells),
	};
	return NULL;
}

/* What stands behind the first '#', without it; NULL: there is none. */
static const char *cut_comment(char *line)
{
	char *comment = strchr(line, '#');

	if (!comment)
		return NULL;
	*comment++ = '\0';
	comment += strspn(comment, BLANKS);
	return *comment ? comment : NULL;
}

static const char *parse_line(struct event_set *s, char *line)
{
	const char *tells = cut_comment(line), *word = next_word(&line);
	char none[] = "";

	if (!line)
		line = none;
	if (!word)
		return NULL;
	if (strcmp(word, "event") == 0)
		return add_event(s, line, tells);
	if (strcmp(word, "cpu") == 0)
		add_words(&s->cpus, &s->n_cpus, line);
	else if (strcmp(word, "pfm") == 0)
		add_words(&s->tables, &s->n_tables, line);
	else
		return "it begins with none of cpu, pfm, event";
	return NULL;
}

int event_set_parse(
	const char *name, const char *text, struct event_set *ret, struct err *err)
{
	struct event_set s = { .name = mem_text(name) };
	char *copy = mem_text(text), *rest = copy, *line;
	const char *wrong = NULL;
	unsigned int number = 0;

	while (!wrong && (line = strsep(&rest, "\n")) != NULL) {
		number++;
		wrong = parse_line(&s, line);
	}
	free(copy);
	if (!wrong && (s.n_cpus == 0 || s.n_events == 0))
		wrong = "the file names no CPU, or no event";
	if (wrong) {
		event_set_clear(&s);
		return err_set(err, -EINVAL, "%s: line %u: %s", name, number, wrong);
	}
	*ret = s;
	return 0;
}

static void free_list(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void event_set_clear(struct event_set *s)
{
	free(s->name);
	free_list(s->cpus, s->n_cpus);
	free_list(s->tables, s->n_tables);
	for (size_t i = 0; i < s->n_events; i++) {
		free(s->events[i].name);
		free(s->events[i].pmu);
		free(s->events[i].event);
		free(s->events[i].tells);
	}
	free(s->events);
	*s = (struct event_set){ 0 };
}

/* The value of the first "key : value"; freed by the caller, or NULL. */
static char *find_value(const char *text, const char *key)
{
	const size_t length = strlen(key);

	for (const char *at = text; at; at = strchr(at, '\n'), at += at != NULL) {
		const char *colon = at + length;

		if (strncmp(at, key, length) != 0)
			continue;
		colon += strspn(colon, BLANKS);
		if (*colon != ':')
			continue;
		colon += 1 + strspn(colon + 1, BLANKS);
		return mem_format("%.*s", (int)strcspn(colon, " ,\n"), colon);
	}
	return NULL;
}

char *event_set_identity(const char *cpuinfo)
{
	char *vendor = find_value(cpuinfo, "vendor_id");
	char *family = find_value(cpuinfo, "cpu family"), *model, *part, *identity = NULL;

	model = find_value(cpuinfo, "model");
	if (vendor && family && model)
		identity = mem_format("%s-%s-%s", vendor, family, model);
	free(vendor);
	free(family);
	free(model);
	if (identity)
		return identity;
	vendor = find_value(cpuinfo, "CPU implementer");
	part = find_value(cpuinfo, "CPU part");
	identity = vendor && part ? mem_format("%s-%s", vendor, part)
				  : find_value(cpuinfo, "cpu");
	free(vendor);
	free(part);
	return identity;
}

bool event_set_fits(const struct event_set *s, const char *identity)
{
	for (size_t i = 0; i < s->n_cpus; i++)
		if (fnmatch(s->cpus[i], identity, 0) == 0)
			return true;
	return false;
}

static int is_set(const struct dirent *entry)
{
	return fnmatch("*.events", entry->d_name, FNM_PERIOD) == 0;
}

static int load(
	const char *folder, const char *name, struct event_set *ret, struct err *err)
{
	char *path = mem_format("/%s", name), *text;
	int code = file_read(folder, path, &text, NULL);

	free(path);
	if (code < 0)
		return err_set(err, code, "%s/%s: %s", folder, name, strerror(-code));
	code = event_set_parse(name, text, ret, err);
	free(text);
	return code;
}

/* The first by name that fits; -ENOENT without a line. */
static int find_in(
	const char *folder, const char *identity, struct event_set *ret, struct err *err)
{
	struct dirent **entries;
	const int n = scandir(folder, &entries, is_set, alphasort);
	int code = -ENOENT;

	for (int i = 0; i < n; i++) {
		struct event_set s;

		if (code == -ENOENT) {
			code = load(folder, entries[i]->d_name, &s, err);
			if (code == 0 && event_set_fits(&s, identity)) {
				*ret = s;
			} else if (code == 0) {
				event_set_clear(&s);
				code = -ENOENT;
			}
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return code;
}

int event_set_find(const char *root, struct event_set *ret, struct err *err)
{
	char *text, *identity = NULL, *folder = NULL;
	int code = -ENOENT;

	if (file_read(root, "/proc/cpuinfo", &text, NULL) == 0) {
		identity = event_set_identity(text);
		free(text);
	}
	if (identity && data_path("events", &folder) == 0)
		code = find_in(folder, identity, ret, err);
	if (code == -ENOENT)
		err_set(err, code, "there is no set of events for this CPU (%s) in %s",
			identity ? identity : "which does not tell what it is",
			folder ? folder : "events, which was not found");
	free(identity);
	free(folder);
	return code;
}
