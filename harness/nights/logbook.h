/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of a night: what was intended and what happened, in a file that
 * is only ever appended to, and that power cuts may tear at its end.
 *
 * A line is a record: CRC-32 (zlib's, eight hexadecimal digits) of the rest of
 * the line, its number from 1 on, the time (seconds of CLOCK_REALTIME, for
 * people: clocks are set back), an event, and the event's text. All are
 * separated by one blank.
 */
#ifndef NIGHTS_LOGBOOK_H
#define NIGHTS_LOGBOOK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LOGBOOK_EVENT_MAX 15 /* characters: lower-case letters */

struct logbook_record {
	uint64_t time_s;
	char event[LOGBOOK_EVENT_MAX + 1];
	char *text; /* one line; may be empty */
};

struct logbook {
	struct logbook_record *records;
	size_t count;
	size_t good_bytes; /* of the file; more is a torn record */
};

/*
 * Pure. A last line that is torn (cut short, or with a wrong sum) is left out,
 * and *good_bytes says where it starts. 0; -EBADMSG: a record before the last
 * is damaged, which no power cut does; the line names it.
 */
int logbook_parse(const char *text, size_t bytes, struct logbook *ret, struct err *err);
void logbook_clear(struct logbook *j);

/* Pure. The line of a record with its newline, freed by the caller. */
char *logbook_format(uint64_t number, uint64_t time_s, const char *event, const char *text);

/* Reads the file. One that is not there is an empty journal. */
int logbook_load(const char *path, struct logbook *ret, struct err *err);

/*
 * Appends to the file and to j, and returns when it is on the disk. What is
 * torn at the end is cut off first. text has no newline.
 */
int logbook_append(const char *path, struct logbook *j, const char *event, const char *text,
	struct err *err);

#endif
