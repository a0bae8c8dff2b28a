/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sweep goes over, from what a user types. Pure.
 *
 *	swap:size=1M,threads=0,1,2	a parameter of a workload
 *	cpus=2,4,8			a property of guests
 *
 * A word between commas that has no "=" is one more value of the parameter
 * before it. Exactly one parameter has more than one value.
 */
#ifndef MEASURE_SWEEP_LIST_H
#define MEASURE_SWEEP_LIST_H

#include <stddef.h>

#include "base/err.h"

#define SWEEP_POINTS_MAX 100

struct sweep_list {
	char *workload; /* NULL: a property of guests */
	char *fixed;    /* "swap:size=1M": what does not change; NULL likewise */
	char *param;
	char **values; /* as typed, in that order */
	char **specs;  /* of a workload: one for each value, as for spec_parse() */
	size_t count;  /* at least 2 */
};

/* 0, or -EINVAL with a line: no list, two of them, an empty value or one twice. */
int sweep_list_parse(const char *text, struct sweep_list *ret, struct err *err);
void sweep_list_clear(struct sweep_list *l);

#endif
