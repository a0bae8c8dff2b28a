// SPDX-License-Identifier: GPL-2.0-or-later
#include "counting/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void tally_add(struct tally *t, const char *function, uint64_t count)
{
	for (size_t i = 0; i < t->count; i++) {
		if (strcmp(t->items[i].function, function) == 0) {
			t->items[i].count += count;
			return;
		}
	}
	t->items = mem_resize(t->items, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = (struct tally_entry){ function, count };
}

static int most_first(const void *a, const void *b)
{
	const struct tally_entry *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->function, y->function);
}

void tally_sort(struct tally *t)
{
	if (t->count)
		qsort(t->items, t->count, sizeof(*t->items), most_first);
}
