/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many results of one arm of an experiment made into one. Pure. */
#ifndef VERDICTS_MERGE_H
#define VERDICTS_MERGE_H

#include "verdicts/record.h"

/*
 * Appends the samples of from to into, as those of this block and boot. An
 * empty into takes over identity, subject and state. Runs are matched by
 * workload, revision and parameters; a metric that one of them has not is
 * unavailable in the whole, but for a part of a count that is known there
 * (NAME:DETAIL_per_UNIT of NAME_per_UNIT), which is 0. Runs of from that are not RUN_OK give no samples;
 * where none is, their status and reason stay.
 * 0, or -ESTALE and the identity key that differs: another machine.
 */
int record_merge(struct record *into, const struct record *from, unsigned int block,
	unsigned int boot, struct err *err);

/*
 * Moves the runs of from to the end of into, as they are but for one more
 * parameter: what told their records apart. An empty into takes over the rest of
 * from; of another one it stays as it is.
 */
void record_take_runs(
	struct record *into, struct record *from, const char *param, int64_t value);

#endif
