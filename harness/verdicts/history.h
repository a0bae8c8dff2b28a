/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series night by night: alerts, what closed them, and the exit code. Pure.
 * shootdown-history(1) describes the procedure.
 */
#ifndef VERDICTS_HISTORY_H
#define VERDICTS_HISTORY_H

#include "verdicts/alert.h"
#include "verdicts/decision.h"

/* The walk along one series. */
struct verdict {
	const struct series *series;
	enum series_word word;
	struct alert *alerts; /* in the order in which they were found */
	size_t n_alerts, n_open;
	struct baseline now; /* the last nights of this segment, up to GATE_NIGHTS */
	double y;            /* the last one */
	bool suspect;        /* the last one is, and was not measured again */
	bool missing;        /* a value on the night before, and none on the newest */
	bool ended;          /* no value on either */
};

/* What people decided, as points of the series. */
struct marks {
	const size_t *opens; /* at which a new segment begins; ascending */
	size_t n_opens;
	size_t anchor; /* the release's; SIZE_MAX: none */
};

/* But for missing and ended. Freed by verdict_clear(). */
void verdict_of(const struct series *s, const struct marks *marks, struct verdict *ret);
void verdict_clear(struct verdict *v);

/* The open alert that the series' word stands for, or the suspect; NULL: none. */
const struct alert *verdict_telling_alert(const struct verdict *v);

struct history {
	struct machine *machines; /* by name */
	size_t n_machines;
	struct verdict **verdicts; /* of each machine's series; NULL: not judged yet */
	struct decisions decisions;
	/* Of a machine's newest night, or of one whose date cannot be. */
	bool unread; /* a file that is no result */
	bool lost;   /* nothing to compare: a result is missing, or of another machine */
	char **notes;
	size_t n_notes;
};

void history_add_note(struct history *h, char *text); /* takes the text */

/* Fills in verdicts, and notes what cut the series short. */
void history_judge(struct history *h);
void history_clear(struct history *h);

struct history_tally {
	size_t judged, learning; /* series that go on, of which learning */
	size_t regressions, improvements, changed; /* with such an open alert */
	size_t suspects, missing;
	size_t recovered, accepted, outliers; /* alerts of the past */
};

struct history_tally history_count(const struct history *h);

/*
 * 2: unread; 3: something is missing, or there is nothing to judge; 1: a regression
 * of a metric that decides is open; 4: a suspect waits for its second run; else 0.
 */
int history_exit_code(const struct history *h);

#endif
