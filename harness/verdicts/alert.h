/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be said of a series, and its words. Pure. */
#ifndef VERDICTS_ALERT_H
#define VERDICTS_ALERT_H

#include "verdicts/gate.h"
#include "verdicts/series.h"

enum alert_kind {
	ALERT_GATE,  /* one night, measured twice */
	ALERT_SHIFT, /* the slow path: a level that moved */
	ALERT_EXACT, /* a count that does not vary is another */
	ALERT_CREEP, /* away from the anchor, too slowly for the others */
};

enum alert_state {
	ALERT_OPEN,
	ALERT_RECOVERED,
	ALERT_ACCEPTED,
	ALERT_SUSPECT, /* not measured again: no alert yet */
	ALERT_OUTLIER, /* measured again, and not confirmed: no alert */
};

/* Indices are those of the series' points. */
struct alert {
	enum alert_kind kind;
	enum alert_state state;
	size_t good, bad;     /* the change is after good, and bad has it */
	size_t first;         /* the night that is likeliest to be the first with it */
	size_t found, closed; /* closed: unless open */
	struct baseline before;
	double level; /* y since then */
	double score; /* sigmas (gate, creep), or t of the ranks (shift); 0: exact */
};

enum series_word {
	SERIES_LEARNING,
	SERIES_STEADY,
	SERIES_SMALL,   /* its level moved, by less than matters */
	SERIES_SUSPECT, /* tonight; to be measured again */
	SERIES_CHANGED, /* an open alert of a metric without a good direction */
	SERIES_IMPROVEMENT,
	SERIES_REGRESSION,
};

/* y of a reading, on the scale of its series; and whether such a move matters. */
double series_y(const struct series *s, const struct reading *r);
bool series_matters(const struct series *s, const struct point *p, double from, double to);

/* By goodness, of an alert that is or was open. */
enum series_word alert_word(const struct series *s, const struct alert *a);

/* "gate", "open", "regression" and the like, as all outputs print them. */
const char *alert_kind_text(enum alert_kind kind);
const char *alert_state_text(enum alert_state state);
const char *series_word_text(enum series_word word);

#endif
