// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/effect.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool effect_is_duration(const char *unit)
{
	return strncmp(unit, "ns", 2) == 0 && (unit[2] == '\0' || unit[2] == '/');
}

/* One of "3%" and "0.1" from *text on, which moves behind it. */
static bool parse_part(const char **text, struct effect_rule *rule)
{
	char *end;
	double value = strtod(*text, &end);

	if (end == *text || !isfinite(value) || value < 0)
		return false;
	if (*end == '%') {
		end++;
		rule->effect.relative = value / 100;
		rule->has_relative = true;
	} else {
		rule->effect.absolute = value;
		rule->has_absolute = true;
	}
	*text = end;
	return true;
}

int effect_parse(const char *text, struct effect_rule *ret, struct err *err)
{
	const char *equals = strrchr(text, '=');
	const char *at = equals ? equals + 1 : text;
	struct effect_rule rule = { 0 };
	bool good = equals && equals > text && parse_part(&at, &rule);

	if (good && *at == ',') {
		at++;
		good = parse_part(&at, &rule) && rule.has_relative && rule.has_absolute;
	}
	if (!good || *at)
		return err_set(err, -EINVAL,
			"\"%s\" is no METRIC=3%%, METRIC=0.1 or METRIC=3%%,0.1", text);
	rule.metric = mem_format("%.*s", (int)(equals - text), text);
	*ret = rule;
	return 0;
}

struct effect effect_of(const struct effect_rule *rules, size_t n_rules, const char *metric,
	const char *unit, enum metric_kind kind)
{
	/* A twentieth of an event for each page; what a clock call resolves. */
	struct effect e = { .relative = 0.03, .absolute = 0.05 };

	if (kind == KIND_SHARE)
		e.absolute = strcmp(unit, "%") == 0 ? 1 : 0.01;
	else if (effect_is_duration(unit))
		e.absolute = 1;
	for (size_t i = 0; i < n_rules; i++) {
		if (fnmatch(rules[i].metric, metric, 0) != 0)
			continue;
		if (rules[i].has_relative)
			e.relative = rules[i].effect.relative;
		if (rules[i].has_absolute)
			e.absolute = rules[i].effect.absolute;
	}
	return e;
}
