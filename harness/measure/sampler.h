/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring process does. */
#ifndef MEASURE_SAMPLER_H
#define MEASURE_SAMPLER_H

#include "measure/run.h"
#include "measure/sheet.h"

/*
 * Pins the calling thread, sets the workload up, finds how many operations
 * make a sample, and fills the sheet until it has all samples or is told to
 * stop. What went wrong stands in sheet->status and ->reason.
 */
void sampler_run(const struct spec *spec, const struct run_plan *plan, struct sheet *sheet);

#endif
