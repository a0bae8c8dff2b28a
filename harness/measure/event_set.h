/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events of a CPU tell something of a flush: data files, events/NAME.events,
 * one for each family of CPUs.
 *
 *	cpu GenuineIntel-6-85 0x41-0xd0c	globs of identities; may be repeated
 *	pfm skx clx				tables of libpfm that have the events
 *	event NAME pfm EVENT			# what it tells
 *	event NAME sysfs PMU EVENT		# PMU: a glob; each that fits is counted
 */
#ifndef MEASURE_EVENT_SET_H
#define MEASURE_EVENT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct event_name {
	char *name;  /* of the metric */
	char *pmu;   /* NULL: libpfm encodes it; else a glob below event_source/devices */
	char *event; /* in its words */
	char *tells;
};

#define EVENT_SET_MAX 16 /* events of a set */

struct event_set {
	char *name; /* of its file, without the folder: "amd-zen.events" */
	char **cpus, **tables;
	size_t n_cpus, n_tables;
	struct event_name *events;
	size_t n_events;
};

/* 0, or -EINVAL and the line that is wrong. Pure. */
int event_set_parse(
	const char *name, const char *text, struct event_set *ret, struct err *err);
void event_set_clear(struct event_set *s);

/*
 * "GenuineIntel-6-85", "0x41-0xd0c" (of the first core), "POWER9"; freed by the
 * caller. NULL: the text of /proc/cpuinfo does not tell. Pure.
 */
char *event_set_identity(const char *cpuinfo);
bool event_set_fits(const struct event_set *s, const char *identity);

/*
 * The set of the machine below root. 0; -ENOENT: none is for this CPU, or it
 * cannot be told; -EINVAL: a file is wrong; each with a line.
 */
int event_set_find(const char *root, struct event_set *ret, struct err *err);

#endif
