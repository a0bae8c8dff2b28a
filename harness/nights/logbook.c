// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/logbook.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/mem.h"

#define CRC_CHARS 8

static uint32_t sum(const char *text, size_t bytes)
{
	return (uint32_t)crc32(crc32(0, NULL, 0), (const Bytef *)text, (uInt)bytes);
}

char *logbook_format(uint64_t number, uint64_t time_s, const char *event, const char *text)
{
	char *rest = mem_format("%" PRIu64 " %" PRIu64 " %s%s%s", number, time_s, event,
		*text ? " " : "", text);
	char *line = mem_format("%08" PRIx32 " %s\n", sum(rest, strlen(rest)), rest);

	free(rest);
	return line;
}

/* A line without its newline. False: it is not whole, or not the number-th. */
static bool parse_line(
	const char *line, size_t bytes, uint64_t number, struct logbook_record *ret)
{
	struct logbook_record r = { 0 };
	char *copy = mem_format("%.*s", (int)bytes, line), *text;
	uint64_t is;
	uint32_t crc;
	int at = 0;
	bool good = strlen(copy) == bytes && bytes > CRC_CHARS + 1 &&
		    sscanf(copy, "%8" SCNx32 " %" SCNu64 " %" SCNu64 " %15[a-z]%n", &crc,
			    &is, &r.time_s, r.event, &at) == 4 &&
		    is == number && (copy[at] == '\0' || copy[at] == ' ');

	good = good && sum(copy + CRC_CHARS + 1, bytes - CRC_CHARS - 1) == crc;
	if (good) {
		text = copy + at;
		r.text = mem_text(*text ? text + 1 : "");
		*ret = r;
	}
	free(copy);
	return good;
}

int logbook_parse(const char *text, size_t bytes, struct logbook *ret, struct err *err)
{
	struct logbook j = { 0 };
	const char *at = text, *end = text + bytes;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct logbook_record r;

		if (!newline || !parse_line(at, (size_t)(newline - at), j.count + 1, &r)) {
			if (newline && newline + 1 < end) {
				err_set(err, -EBADMSG,
					"record %zu is damaged, and others follow it: this is no "
					"torn end; move the journal away, and the night is lost",
					j.count + 1);
				logbook_clear(&j);
				return -EBADMSG;
			}
			break;
		}
		j.records = mem_resize(j.records, j.count + 1, sizeof(*j.records));
		j.records[j.count++] = r;
		at = newline + 1;
	}
	j.good_bytes = (size_t)(at - text);
	*ret = j;
	return 0;
}

void logbook_clear(struct logbook *j)
{
	for (size_t i = 0; i < j->count; i++)
		free(j->records[i].text);
	free(j->records);
	*j = (struct logbook){ 0 };
}

int logbook_load(const char *path, struct logbook *ret, struct err *err)
{
	struct err why;
	size_t bytes;
	char *text;
	int code = file_read("", path, &text, &bytes);

	if (code == -ENOENT) {
		*ret = (struct logbook){ 0 };
		return 0;
	}
	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	code = logbook_parse(text, bytes, ret, &why);
	free(text);
	return code < 0 ? err_set(err, code, "%s: %.900s", path, why.text) : 0;
}

/* A file's name is on the disk once its folder is. */
static int sync_folder(const char *path)
{
	char *copy = mem_text(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int code = fd < 0 || fsync(fd) < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	free(copy);
	return code;
}

static int write_line(const char *path, size_t at, const char *line)
{
	const size_t bytes = strlen(line);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644), code = 0;
	ssize_t written;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)at) < 0)
		code = -errno;
	if (code == 0) {
		written = pwrite(fd, line, bytes, (off_t)at);
		if (written < 0)
			code = -errno;
		else if ((size_t)written != bytes)
			code = -ENOSPC;
	}
	if (code == 0 && fsync(fd) < 0)
		code = -errno;
	/* Part of a record is a torn end, which the next one would only cut off. */
	if (code < 0 && ftruncate(fd, (off_t)at) < 0)
		code = -errno;
	close(fd);
	return code == 0 && at == 0 ? sync_folder(path) : code;
}

int logbook_append(const char *path, struct logbook *j, const char *event, const char *text,
	struct err *err)
{
	struct logbook_record r = { .time_s = (uint64_t)time(NULL) };
	char *line = logbook_format(j->count + 1, r.time_s, event, text);
	const size_t bytes = strlen(line);
	int code = write_line(path, j->good_bytes, line);

	free(line);
	if (code < 0)
		return err_set(err, code, "%s: %s", path, strerror(-code));
	snprintf(r.event, sizeof(r.event), "%s", event);
	r.text = mem_text(text);
	j->records = mem_resize(j->records, j->count + 1, sizeof(*j->records));
	j->records[j->count++] = r;
	j->good_bytes += bytes;
	return 0;
}
