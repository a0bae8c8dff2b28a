/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The series of all machines side by side: what was measured, by machine. Pure. */
#ifndef VERDICTS_FLEET_H
#define VERDICTS_FLEET_H

#include "verdicts/history.h"

/* One metric of one workload. */
struct fleet_row {
	char *label;                  /* see fleet_label() */
	const struct series *like;    /* one of the series: metric and unit are theirs */
	const struct verdict **cells; /* by machine; NULL: not measured there */
};

struct fleet {
	const struct history *history;
	struct fleet_row *rows; /* those of a workload follow one another */
	size_t n_rows;
	long newest; /* day of the newest night of all machines; 0: there is none */
};

/* Of a history that was judged, and outlives it. Freed by fleet_clear(). */
void fleet_make(const struct history *h, struct fleet *ret);
void fleet_clear(struct fleet *f);

/*
 * "swap:threads=1": the workload with those of its parameters that differ on any one
 * machine in one state. What differs only between machines, as the CPU that measures,
 * is no other workload. Freed by the caller.
 */
char *fleet_label(const struct history *h, const struct series *s);

/* Its newest night is older than that of another machine, or it has none. */
bool fleet_is_silent(const struct fleet *f, const struct machine *m);

#endif
