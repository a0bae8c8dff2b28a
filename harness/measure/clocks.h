/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two clocks side by side: CLOCK_MONOTONIC, by which samples are timed, and the
 * architecture's counter (bench/cycles.h), which no one steps. A clock that jumps
 * forward makes a sample look slow; next to the counter it is seen.
 */
#ifndef MEASURE_CLOCKS_H
#define MEASURE_CLOCKS_H

#include <stdint.h>

struct moment {
	uint64_t ns;           /* CLOCK_MONOTONIC, between the two readings of */
	uint64_t ticks, until; /* the counter */
};

struct moment moment_now(void);

/* Of the clocks' common history, less than this tells no rate. */
#define CLOCKS_HISTORY_NS 10000000u

/*
 * Did both clocks go on at the rate of before from begin to end? What lay before
 * begins at origin. Allowed are 2 %, which is 40 times what ntpd may slew, and what
 * the readings leave open. Returns by how many ns CLOCK_MONOTONIC went too far (less
 * than 0: not far enough); 0: they agree, or there is no history.
 */
int64_t clocks_disagree(
	const struct moment *origin, const struct moment *begin, const struct moment *end);

#endif
