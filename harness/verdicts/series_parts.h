/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of series.h share. */
#ifndef VERDICTS_SERIES_PARTS_H
#define VERDICTS_SERIES_PARTS_H

#include "verdicts/compare_pair.h"
#include "verdicts/series.h"

/* "swap@1:size=4096,threads=1"; freed by the caller. */
char *series_run_name(const struct run *run);

/* The index of the setup of such a night; a new one if need be. */
size_t series_setup(struct machine *m, const struct record *reference, const char *allowed);

/* 0, or -ESTALE and the key in which the two differ. */
int series_check_identity(const struct fields *a, const struct fields *b,
	const char *allowed, struct err *err);

#endif
