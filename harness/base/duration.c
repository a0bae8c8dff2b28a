// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/duration.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NS 1e14

bool duration_parse(const char *text, uint64_t *ret_ns)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = { { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 } };
	char *end;
	const double value = strtod(text, &end);

	if (!isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].suffix) != 0)
			continue;
		if (!(value * units[i].ns >= 1 && value * units[i].ns <= MAX_NS))
			return false;
		*ret_ns = (uint64_t)(value * units[i].ns);
		return true;
	}
	return false;
}
