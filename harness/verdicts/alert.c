// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/alert.h"

#include <math.h>

double series_y(const struct series *s, const struct reading *r)
{
	return s->ratio ? r->log : r->difference;
}

bool series_matters(const struct series *s, const struct point *p, double from, double to)
{
	double reference = p->first.reference;

	if (!s->ratio)
		return fabs(to - from) >= s->effect.absolute;
	return fabs(to - from) >= log1p(s->effect.relative) &&
	       fabs(exp(to) - exp(from)) * reference >= s->effect.absolute;
}

enum series_word alert_word(const struct series *s, const struct alert *a)
{
	bool higher = a->level > a->before.level;

	if (s->better == BETTER_NONE || s->kind == KIND_SHARE)
		return SERIES_CHANGED;
	return higher == (s->better == BETTER_HIGHER) ? SERIES_IMPROVEMENT
						      : SERIES_REGRESSION;
}

const char *alert_kind_text(enum alert_kind kind)
{
	static const char *const texts[] = { [ALERT_GATE] = "gate",
		[ALERT_SHIFT] = "shift",
		[ALERT_EXACT] = "exact",
		[ALERT_CREEP] = "creep" };

	return texts[kind];
}

const char *alert_state_text(enum alert_state state)
{
	static const char *const texts[] = { [ALERT_OPEN] = "open",
		[ALERT_RECOVERED] = "recovered",
		[ALERT_ACCEPTED] = "accepted",
		[ALERT_SUSPECT] = "suspect",
		[ALERT_OUTLIER] = "outlier" };

	return texts[state];
}

const char *series_word_text(enum series_word word)
{
	static const char *const texts[] = { [SERIES_LEARNING] = "learning",
		[SERIES_STEADY] = "steady",
		[SERIES_SMALL] = "small",
		[SERIES_SUSPECT] = "suspect",
		[SERIES_CHANGED] = "changed",
		[SERIES_IMPROVEMENT] = "improvement",
		[SERIES_REGRESSION] = "regression" };

	return texts[word];
}
