// SPDX-License-Identifier: GPL-2.0-or-later
/* No two samples of a run stand in the same place: else one was given twice. */
#include <errno.h>
#include <stdlib.h>

#include "verdicts/record.h"
#include "verdicts/record_json.h"

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->boot != b->boot)
		return ORDER(a->boot, b->boot);
	if (a->block != b->block)
		return ORDER(a->block, b->block);
	if (a->process != b->process)
		return ORDER(a->process, b->process);
	return ORDER(a->iteration, b->iteration);
}

/* As the suite writes them. */
static bool in_order(const struct run *run)
{
	for (size_t i = 1; i < run->n_samples; i++)
		if (by_place(&run->places[i - 1], &run->places[i]) >= 0)
			return false;
	return true;
}

int reader_places(struct reader *r, const struct run *run)
{
	struct place *sorted;
	int ret = 0;

	if (in_order(run))
		return 0;
	sorted = calloc(run->n_samples + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < run->n_samples; i++)
		sorted[i] = run->places[i];
	qsort(sorted, run->n_samples, sizeof(*sorted), by_place);
	for (size_t i = 1; ret == 0 && i < run->n_samples; i++) {
		const struct place *p = &sorted[i];

		if (by_place(&sorted[i - 1], &sorted[i]) == 0)
			ret = reader_wrong(r,
				"two samples of boot %u, block %u, process %u, iteration "
				"%u: one result taken in twice",
				p->boot, p->block, p->process, p->iteration);
	}
	free(sorted);
	return ret;
}
