/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The smallest effect that matters, metric by metric. Pure.
 *
 * A change of a count or a duration matters when it is at least the relative
 * *and* at least the absolute threshold: what happens three times in 10,000 pages
 * instead of twice is 50 % more and nothing. Where a value is 0, and for
 * shares, only the absolute one is there to decide.
 */
#ifndef VERDICTS_EFFECT_H
#define VERDICTS_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "verdicts/record.h"

struct effect {
	double relative; /* 0.03: 3 % */
	double absolute; /* in the metric's unit */
};

/* What a user asked for, for the metrics that match. */
struct effect_rule {
	char *metric; /* glob; freed by the owner */
	bool has_relative, has_absolute;
	struct effect effect;
};

/* "METRIC=3%", "METRIC=0.1" or "METRIC=3%,0.1". 0, or -EINVAL and why. */
int effect_parse(const char *text, struct effect_rule *ret, struct err *err);

/* The defaults, with what the rules say; the last that matches wins. */
struct effect effect_of(const struct effect_rule *rules, size_t n_rules, const char *metric,
	const char *unit, enum metric_kind kind);

/* "ns", "ns/page". */
bool effect_is_duration(const char *unit);

#endif
