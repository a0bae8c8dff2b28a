/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fewest flushes that a kernel can do and be right. A kernel that does less
 * leaves translations behind, and must not pass for one that saves flushes. Pure.
 *
 * A rule is a word "WORKLOAD:NAME=NUMBER": in that workload at least NUMBER of
 * the metric NAME_per_UNIT (of the run's unit, so "tlbi" is tlbi_per_page). With
 * "NAME+NAME=NUMBER" it is their sum that counts: what another CPU is told and
 * what is flushed here, for one.
 */
#ifndef VERDICTS_LEAST_H
#define VERDICTS_LEAST_H

#include "verdicts/record.h"

/* NULL where the word is a rule, else what is wanted. */
const char *least_check(const char *rule);

/*
 * Makes a run RUN_FAILED, with the reason, where any of its boots has less than
 * one of the n_rules rules says. Its samples stay. A rule of which the run lacks a
 * metric says nothing: what counts flushes differs by architecture and machine.
 * Rules passed least_check(). 0, or -ENOMEM.
 */
int least_apply(struct record *r, char *const *rules, size_t n_rules);

#endif
