// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Before this, nobody wonders what is going on, and an estimate is a guess. */
#define QUIET_NS 1000000000u

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_start(struct progress *p)
{
	p->shown = isatty(STDERR_FILENO);
	p->started_ns = now_ns();
}

void progress_show(const struct progress *p, double fraction, const char *fmt, ...)
{
	const uint64_t spent_ns = now_ns() - p->started_ns;
	va_list args;

	if (!p->shown || spent_ns < QUIET_NS)
		return;
	fprintf(stderr, "\r\033[K%3.0f %%  ", 100 * fraction);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	if (fraction > 0.02 && fraction < 1) {
		const unsigned long left_s =
			(unsigned long)((double)spent_ns * (1 - fraction) / fraction / 1e9);

		fprintf(stderr, "  %lu:%02lu left", left_s / 60, left_s % 60);
	}
	fflush(stderr);
}

void progress_clear(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}
