/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series of nights, for tests, given by its y: reference 100, tonight by y. */
#ifndef SAMPLE_NIGHTS_H
#define SAMPLE_NIGHTS_H

#include <math.h>
#include <stdint.h>

#include "verdicts/history.h"

enum { NIGHTS_MAX = 400 };

struct nights {
	struct point points[NIGHTS_MAX];
	struct series s;
};

static const struct marks no_marks = { .anchor = SIZE_MAX };

/* Of a duration, of which 3 % matter; more the better where higher is. */
static inline void nights_init(struct nights *n)
{
	*n = (struct nights){ .s = { .points = n->points,
				      .kind = KIND_SAMPLE,
				      .better = BETTER_LOWER,
				      .ratio = true,
				      .declared = true,
				      .effect = { .relative = 0.03 } } };
}

static inline struct reading nights_reading(double y)
{
	return (struct reading){ .known = true,
		.reference = 100,
		.tonight = 100 * exp(y),
		.log = y,
		.difference = 100 * exp(y) - 100 };
}

static inline void nights_add(struct nights *n, double y)
{
	n->points[n->s.n_points] =
		(struct point){ .night = n->s.n_points, .first = nights_reading(y) };
	n->s.n_points++;
}

/* The last night was measured again. */
static inline void nights_again(struct nights *n, double y)
{
	n->points[n->s.n_points - 1].again = nights_reading(y);
}

/* count nights around level, with a noise of 1 % that is the same every time. */
static inline void nights_fill(struct nights *n, size_t count, double level)
{
	static const double noise[] = { 0.3, -0.8, 1.1, -0.2, 0.6, -1.3, 0.1, 0.9, -0.5,
		-1.0, 0.4, 1.4, -0.7, 0.2, -0.1, 0.8, -1.2, -0.4, 1.0, -0.6, 0.5 };

	for (size_t i = 0; i < count; i++)
		nights_add(n, level + 0.01 * noise[n->s.n_points % 21]);
}

#endif
