/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A history as text: for people, and for other programs. Pure. */
#ifndef VERDICTS_HISTORY_TEXT_H
#define VERDICTS_HISTORY_TEXT_H

#include "verdicts/history.h"

struct history_options {
	const char *folder; /* as the user gave it, for the commands that are shown */
	size_t width;       /* of the terminal; 0: no limit */
	bool color, utf8;
	bool bisect; /* print the commits between which each change is */
};

/* Each returns 0 and a text that the caller frees, or -ENOMEM. */
int history_text(
	const struct history *h, const struct history_options *options, char **ret);
int history_json(const struct history *h, char **ret);

/* Of each machine's newest night only. */
int history_openmetrics(const struct history *h, char **ret);

/* origin: who reports, by KCIDB's name of it; see history_is_origin(). */
int history_kcidb(const struct history *h, const char *origin, char **ret);
bool history_is_origin(const char *text);

/* "+5.1 %" or "+0.25 interrupts/page"; freed by the caller. */
char *format_move(const struct series *s, double from, double to);

/*
 * "swap:threads=1": the workload with the parameters in which the machine's series
 * of it differ; freed by the caller.
 */
char *series_label(const struct machine *m, const struct series *s);

#endif
