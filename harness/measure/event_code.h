/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the name of an event to what the kernel takes: the one wrapper of libpfm. */
#ifndef MEASURE_EVENT_CODE_H
#define MEASURE_EVENT_CODE_H

#include "measure/event_set.h"
#include "measure/pmu.h"

/*
 * The codes of an event: one, or one for each PMU that fits. 0; -ENOENT: this
 * machine has no such event; -ENOTSUP: this program was built without libpfm;
 * -EINVAL; each with a line. The caller frees with event_codes_clear().
 */
struct event_codes {
	struct event_code *items;
	size_t count;
};
int event_codes_find(const char *root, const struct event_name *event,
	struct event_codes *ret, struct err *err);
void event_codes_clear(struct event_codes *c);

/*
 * libpfm's code by one of its tables, as "skx", or "": that of this machine.
 * Another machine's only where the environment has LIBPFM_ENCODE_INACTIVE.
 */
int event_code_by_table(
	const char *table, const char *event, struct event_code *ret, struct err *err);

#endif
