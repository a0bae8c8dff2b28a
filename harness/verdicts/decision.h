/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people decided about a history, one JSON object a line, in the order in
 * which they did. Lines are only ever added; results/README.md has the keys.
 */
#ifndef VERDICTS_DECISION_H
#define VERDICTS_DECISION_H

#include <stddef.h>

#include "base/err.h"

#define DECISIONS_FILE "decisions.jsonl"

enum decision_kind {
	DECISION_ACCEPT, /* from this night on, the series is judged by its new level */
	DECISION_ANCHOR, /* this night's kernel is the release that creep is measured from */
};

struct decision {
	enum decision_kind kind;
	char *time; /* when it was made, UTC: "2026-11-30T20:00:00Z" */
	char *by, *why;
	char *night;   /* "2026-11-30" */
	char *series;  /* accept: its key; else NULL */
	char *commit;  /* accept: that is to blame; or NULL */
	char *machine; /* anchor: its name, or NULL for all; else NULL */
};

struct decisions {
	struct decision *items;
	size_t count;
};

/* 0, or -EPROTO and what is wrong. *ret is freed by decision_clear(). */
int decision_parse(const char *line, struct decision *ret, struct err *err);
void decision_clear(struct decision *d);

/* One line without its end, freed by the caller. */
char *decision_format(const struct decision *d);

/* Takes it over; *d is cleared. */
void decisions_add(struct decisions *list, struct decision *d);
void decisions_clear(struct decisions *list);

/*
 * FOLDER/decisions.jsonl; none is an empty list. A line that is no decision does
 * not hide the others: on_bad gets a line about it. 0, or -errno and why.
 */
int decisions_load(const char *folder, struct decisions *ret,
	void (*on_bad)(void *context, const char *text), void *context, struct err *err);

/* At the end of that file, whole and on disk. 0, or -errno and why. */
int decisions_append(
	const char *folder, const struct decision *items, size_t n, struct err *err);

#endif
