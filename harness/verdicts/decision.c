// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/decision.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "verdicts/record_json.h"
#include "verdicts/series.h"

static const char *const kind_words[] = { "accept", "anchor", NULL };

void decision_clear(struct decision *d)
{
	free(d->time);
	free(d->by);
	free(d->why);
	free(d->night);
	free(d->series);
	free(d->commit);
	free(d->machine);
	*d = (struct decision){ 0 };
}

static int check(struct reader *r, const struct decision *d)
{
	long day;

	if (!night_day(d->night, &day))
		return reader_wrong(r, "\"night\" is no day, as 2026-11-30");
	if (d->kind == DECISION_ACCEPT && !d->series)
		return reader_wrong(r, "without \"series\"");
	return 0;
}

static int read_decision(struct reader *r, json_t *object, struct decision *d)
{
	static const char *const keys[] = { "decision", "time", "by", "why", "night",
		"series", "commit", "machine", NULL };
	unsigned int kind;
	int ret;

	if (!json_is_object(object))
		return reader_wrong(r, "%s, not an object", reader_type(object));
	if ((ret = reader_keys(r, object, keys)) < 0 ||
		(ret = reader_word(r, object, "decision", kind_words, &kind)) < 0 ||
		(ret = reader_name(r, object, "time", &d->time)) < 0 ||
		(ret = reader_name(r, object, "by", &d->by)) < 0 ||
		(ret = reader_name(r, object, "why", &d->why)) < 0 ||
		(ret = reader_name(r, object, "night", &d->night)) < 0 ||
		(ret = reader_name_if(r, object, "series", &d->series)) < 0 ||
		(ret = reader_name_if(r, object, "commit", &d->commit)) < 0 ||
		(ret = reader_name_if(r, object, "machine", &d->machine)) < 0)
		return ret;
	d->kind = kind;
	return check(r, d);
}

int decision_parse(const char *line, struct decision *ret, struct err *err)
{
	struct reader r = { .name = "decision", .err = err };
	struct decision d = { 0 };
	json_error_t error;
	json_t *object = json_loads(line, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	int code;

	if (!object) {
		err_set(err, -EPROTO, "decision: %s", error.text);
		return reader_one_line(err, -EPROTO);
	}
	code = read_decision(&r, object, &d);
	json_decref(object);
	if (code < 0)
		decision_clear(&d);
	else
		*ret = d;
	return code;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, record_text_json(text));
}

char *decision_format(const struct decision *d)
{
	json_t *object = json_object();
	char *line;

	set_text(object, "decision", kind_words[d->kind]);
	set_text(object, "time", d->time);
	set_text(object, "by", d->by);
	set_text(object, "why", d->why);
	set_text(object, "night", d->night);
	set_text(object, "series", d->series);
	set_text(object, "commit", d->commit);
	set_text(object, "machine", d->machine);
	line = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
	json_decref(object);
	if (!line)
		abort();
	return line;
}

void decisions_add(struct decisions *list, struct decision *d)
{
	list->items = mem_resize(list->items, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = *d;
	*d = (struct decision){ 0 };
}

void decisions_clear(struct decisions *list)
{
	for (size_t i = 0; i < list->count; i++)
		decision_clear(&list->items[i]);
	free(list->items);
	*list = (struct decisions){ 0 };
}

int decisions_load(const char *folder, struct decisions *ret,
	void (*on_bad)(void *context, const char *text), void *context, struct err *err)
{
	char *path = mem_format("%s/" DECISIONS_FILE, folder), *text, *rest, *line;
	struct decisions list = { 0 };
	int code = file_read("", path, &text, NULL);

	if (code < 0 && code != -ENOENT)
		err_set(err, code, "%s: %s", path, strerror(-code));
	rest = code == 0 ? text : NULL;
	for (size_t n = 1; (line = strsep(&rest, "\n")); n++) {
		struct err wrong;
		struct decision d;

		if (*line == '\0')
			continue;
		if (decision_parse(line, &d, &wrong) < 0) {
			char *where = mem_format("%s:%zu: %s", path, n, wrong.text);

			on_bad(context, where);
			free(where);
		} else {
			decisions_add(&list, &d);
		}
	}
	if (code == 0)
		free(text);
	free(path);
	if (code < 0 && code != -ENOENT)
		return code;
	*ret = list;
	return 0;
}

/* A line that a crash left without its end must not take the next one along. */
static bool ends_in_line(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char last;

	return end <= 0 || pread(fd, &last, 1, end - 1) != 1 || last == '\n';
}

static int append(int fd, const struct decision *items, size_t n)
{
	char *all, *more, *line;
	size_t bytes;
	int code = 0;

	if (flock(fd, LOCK_EX) < 0)
		return -errno;
	all = mem_text(ends_in_line(fd) ? "" : "\n");
	for (size_t i = 0; i < n; i++) {
		line = decision_format(&items[i]);
		more = mem_format("%s%s\n", all, line);
		free(all);
		free(line);
		all = more;
	}
	bytes = strlen(all);
	for (size_t done = 0; code == 0 && done < bytes;) {
		ssize_t put = write(fd, all + done, bytes - done);

		if (put < 0 && errno != EINTR)
			code = -errno;
		done += put > 0 ? (size_t)put : 0;
	}
	free(all);
	if (code == 0 && fsync(fd) < 0)
		code = -errno;
	return code;
}

int decisions_append(
	const char *folder, const struct decision *items, size_t n, struct err *err)
{
	char *path = mem_format("%s/" DECISIONS_FILE, folder);
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644), code;

	code = fd < 0 ? -errno : append(fd, items, n);
	if (fd >= 0 && close(fd) < 0 && code == 0)
		code = -errno;
	if (code < 0)
		err_set(err, code, "%s: %s", path, strerror(-code));
	free(path);
	return code;
}
