// SPDX-License-Identifier: GPL-2.0-or-later
/* The words for series and their moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_format.h"
#include "verdicts/history_text.h"

char *format_move(const struct series *s, double from, double to)
{
	char *number, *text;

	if (s->ratio) {
		double percent = 100 * expm1(to - from);

		return mem_format(fabs(percent) < 100 ? "%+.1f %%" : "%+.0f %%", percent);
	}
	number = format_number(to - from, true);
	text = mem_format("%s %s", number, s->unit);
	free(number);
	return text;
}

/* "swap@1" and "swap@2" are one workload. */
static bool same_workload(const char *a, const char *b)
{
	size_t n = strcspn(a, "@");

	return n == strcspn(b, "@") && strncmp(a, b, n) == 0;
}

/* Whether a part (",threads=1," without its commas) is in a list of such. */
static bool has_part(const char *list, const char *part, size_t length)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == length && strncmp(list, part, n) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

static const char *params_of(const char *workload)
{
	const char *colon = strchr(workload, ':');

	return colon ? colon + 1 : "";
}

static bool all_have(
	const struct machine *m, const char *workload, const char *part, size_t length)
{
	for (size_t i = 0; i < m->n_series; i++)
		if (same_workload(m->series[i].workload, workload) &&
			!has_part(params_of(m->series[i].workload), part, length))
			return false;
	return true;
}

static bool revision_varies(const struct machine *m, const char *workload)
{
	size_t n = strcspn(workload, ":");

	for (size_t i = 0; i < m->n_series; i++)
		if (same_workload(m->series[i].workload, workload) &&
			(strcspn(m->series[i].workload, ":") != n ||
				strncmp(m->series[i].workload, workload, n) != 0))
			return true;
	return false;
}

char *series_label(const struct machine *m, const struct series *s)
{
	bool revision = revision_varies(m, s->workload), any = false;
	int name = (int)strcspn(s->workload, revision ? ":" : "@:");
	char *label = mem_format("%.*s", name, s->workload), *longer;
	const char *part = params_of(s->workload);

	while (*part) {
		size_t n = strcspn(part, ",");

		if (!all_have(m, s->workload, part, n)) {
			longer = mem_format(
				"%s%c%.*s", label, any ? ',' : ':', (int)n, part);
			free(label);
			label = longer;
			any = true;
		}
		part += n + (part[n] == ',');
	}
	return label;
}
