// SPDX-License-Identifier: GPL-2.0-or-later
#include "histogram.h"

#include <math.h>

static size_t cell_of(uint64_t number)
{
	unsigned int shift;

	if (number < HISTOGRAM_PARTS)
		return (size_t)number;
	if (number >> HISTOGRAM_BITS)
		return HISTOGRAM_CELLS - 1;
	/* So that five bits stay in front of the cell's own and one above them. */
	shift = 63 - 5 - (unsigned int)__builtin_clzll(number);
	return (size_t)shift * HISTOGRAM_PARTS + (size_t)(number >> shift);
}

static uint64_t middle_of(size_t cell)
{
	const size_t shift = cell < 2 * HISTOGRAM_PARTS ? 0 : cell / HISTOGRAM_PARTS - 1;
	const uint64_t low = (uint64_t)(cell - shift * HISTOGRAM_PARTS) << shift;

	return low + (((uint64_t)1 << shift) - 1) / 2;
}

static uint32_t count_in(const struct histogram *h, size_t cell)
{
	return atomic_load_explicit(&h->cells[cell], memory_order_relaxed);
}

static void set(struct histogram *h, size_t cell, uint32_t count)
{
	atomic_store_explicit(&h->cells[cell], count, memory_order_relaxed);
}

void histogram_add(struct histogram *h, uint64_t number)
{
	const size_t cell = cell_of(number);

	set(h, cell, count_in(h, cell) + 1);
}

void histogram_clear(struct histogram *h)
{
	for (size_t i = 0; i < HISTOGRAM_CELLS; i++)
		set(h, i, 0);
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	for (size_t i = 0; i < HISTOGRAM_CELLS; i++)
		set(to, i, count_in(to, i) + count_in(from, i));
}

uint64_t histogram_count(const struct histogram *h)
{
	uint64_t count = 0;

	for (size_t i = 0; i < HISTOGRAM_CELLS; i++)
		count += count_in(h, i);
	return count;
}

uint64_t histogram_quantile(const struct histogram *h, double share)
{
	const double rank = ceil(share * (double)histogram_count(h));
	uint64_t below = 0;
	size_t cell = 0;

	if (rank < 1 && histogram_count(h) == 0)
		return 0;
	for (; cell < HISTOGRAM_CELLS - 1; cell++) {
		below += count_in(h, cell);
		if (below > 0 && (double)below >= rank)
			break;
	}
	return middle_of(cell);
}
