/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two sides of the file format share, and the checked steps down a
 * JSON text. For the files beside it only: the one header that shows jansson.
 *
 * Every function that returns int returns 0, or -EPROTO with a line that names
 * the place, as "runs[2].metrics[0]: ...".
 */
#ifndef VERDICTS_RECORD_JSON_H
#define VERDICTS_RECORD_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct record;
struct run;

/* By the enums of record.h, each ended by NULL. */
extern const char *const record_status_words[];
extern const char *const record_better_words[];
extern const char *const record_kind_words[];

/*
 * A text as JSON. The kernel's own words (a command line, a device's name) may
 * hold any byte, and JSON is UTF-8: what is none is taken for Latin-1, which
 * loses nothing.
 */
json_t *record_text_json(const char *text);

struct reader {
	const char *name; /* of the file */
	struct err *err;
	char where[200];
};

int reader_wrong(struct reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Goes one step down; reader_leave() takes what it returned. */
size_t reader_enter(struct reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void reader_leave(struct reader *r, size_t length);

/* Cuts control characters out of a line that quotes the file. Returns code. */
int reader_one_line(struct err *err, int code);

/* An object with no key but the known ones, which end with NULL. */
int reader_keys(struct reader *r, json_t *object, const char *const *known);

/* "a text", for a line. */
const char *reader_type(const json_t *j);

/* A value of that type; JSON_TRUE stands for both booleans. */
int reader_get(
	struct reader *r, json_t *object, const char *key, json_type type, json_t **ret);

/* Of at least one character; freed by the caller. */
int reader_name(struct reader *r, json_t *object, const char *key, char **ret);
int reader_text(struct reader *r, json_t *object, const char *key, char **ret);
/* As above, for keys that may be left out: then *ret stays. */
int reader_name_if(struct reader *r, json_t *object, const char *key, char **ret);
int reader_bool_if(struct reader *r, json_t *object, const char *key, bool *ret);

/* A word of a table that ends with NULL; *ret is its index. */
int reader_word(struct reader *r, json_t *object, const char *key, const char *const *words,
	unsigned int *ret);

/* A list of things that are looked up one by one, so not of any length. */
int reader_list(struct reader *r, json_t *object, const char *key, json_t **ret);
/* A list of exactly n. */
int reader_column(
	struct reader *r, json_t *object, const char *key, size_t n, json_t **ret);
/* Its entry i, from min to max. */
int reader_entry(struct reader *r, json_t *list, const char *key, size_t i, int64_t min,
	int64_t max, int64_t *ret);

/* That no two samples of the run stand in the same place. Also -ENOMEM. */
int reader_places(struct reader *r, const struct run *run);

/* The whole of a file; fills the record as far as it comes. Also -ENOMEM. */
int reader_record(struct reader *r, json_t *top, struct record *record);

#endif
