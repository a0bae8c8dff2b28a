/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of shootdown sweep share. */
#ifndef COMMANDS_SWEEP_PARTS_H
#define COMMANDS_SWEEP_PARTS_H

#include "commands/ab_parts.h"
#include "measure/sweep_list.h"

struct sweep_arguments {
	/* Of guests; names and workloads as given, own_folder is the sweep's. */
	struct ab_arguments ab;
	struct sweep_list list;
	const char *text;   /* what list was made from */
	const char *metric; /* or NULL */
};

/*
 * Each measures what is to be measured, prints, and writes what it has into the
 * folder. *ret_code is the exit code where it returns 0. -EINTR: stopped.
 */
int sweep_native(const struct sweep_arguments *a, int *ret_code, struct err *err);
int sweep_guests(const struct sweep_arguments *a, int *ret_code, struct err *err);

/* Whether the folder holds a sweep that went to its end. */
bool sweep_is_done(const char *folder);

/*
 * The table, and in the folder sweep.json and the picture. cand: NULL for one
 * side. Returns an exit code.
 */
int sweep_report(const struct sweep_arguments *a, const struct record *base,
	const struct record *cand);

#endif
