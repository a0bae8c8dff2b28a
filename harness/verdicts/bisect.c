// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/bisect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool has_both(const struct compare_row *row)
{
	return row->base.known && row->cand.known && row->word != WORD_MISFIT;
}

static char *list_metrics(const struct comparison *c)
{
	char *all = mem_text("");

	for (size_t i = 0; i < c->n_rows; i++) {
		char *longer;

		if (!has_both(&c->rows[i]) || !compare_is_primary(c->rows[i].metric))
			continue;
		longer = mem_format("%s%s%s", all, *all ? ", " : "", c->rows[i].metric);
		free(all);
		all = longer;
	}
	return all;
}

int bisect_find_row(const struct comparison *c, const char *metric,
	const struct compare_row **ret, struct err *err)
{
	char *all;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		if (strcmp(row->metric, metric) != 0 || !has_both(row))
			continue;
		if (row->word == WORD_EMULATED)
			return err_set(err, -EINVAL,
				"%s: a duration of an emulator is not time: name a count",
				metric);
		*ret = row;
		return 0;
	}
	all = list_metrics(c);
	err_set(err, -ENOENT, "%s: not measured on both sides; there are %s", metric,
		*all ? all : "no metrics");
	free(all);
	return -ENOENT;
}

bool bisect_ends_differ(const struct judgement *ends, double *ret_difference)
{
	if (!ends->tested || (ends->differences.low <= 0 && ends->differences.high >= 0))
		return false;
	*ret_difference = ends->differences.mean;
	return true;
}

enum bisect_answer bisect_judge(const struct judgement *step, double ends_difference)
{
	/* Of a metric that falls, all is turned round. */
	const double sign = ends_difference < 0 ? -1 : 1;
	const double middle = sign * ends_difference / 2;
	double low, high;

	if (!step->tested)
		return BISECT_UNDECIDED;
	low = sign * (sign < 0 ? step->differences.high : step->differences.low);
	high = sign * (sign < 0 ? step->differences.low : step->differences.high);
	if (low > middle)
		return BISECT_BAD;
	return high < middle ? BISECT_GOOD : BISECT_UNDECIDED;
}
