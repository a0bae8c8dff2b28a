// SPDX-License-Identifier: GPL-2.0-or-later
#include "nearest.h"

#include <string.h>

#define WORD_MAX 63

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
	const size_t na = strlen(a), nb = strlen(b);
	size_t rows[WORD_MAX + 1][WORD_MAX + 1];

	if (na > WORD_MAX || nb > WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= na; i++) {
		for (size_t j = 0; j <= nb; j++) {
			size_t best;

			if (i == 0 || j == 0) {
				rows[i][j] = i + j;
				continue;
			}
			best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			best = least(best, rows[i - 1][j] + 1);
			best = least(best, rows[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = least(best, rows[i - 2][j - 2] + 1);
			rows[i][j] = best;
		}
	}
	return rows[na][nb];
}

int nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t best = strlen(word) / 3 + 2;
	int found = -1;

	for (size_t i = 0; i < count; i++) {
		const size_t d = distance(word, candidates[i]);

		if (d < best) {
			best = d;
			found = (int)i;
		}
	}
	return found;
}
