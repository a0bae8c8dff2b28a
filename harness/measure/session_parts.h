/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of a session share. */
#ifndef MEASURE_SESSION_PARTS_H
#define MEASURE_SESSION_PARTS_H

#include "measure/machine.h"
#include "measure/session.h"

struct session {
	struct session_options options;
	struct topology *topology;
	struct cpulist online;
	int *nodes; /* of each of them; NULL: not known */
	struct spec_machine machine;
	struct spec *specs;
	size_t n_specs, current;
	char **notes;
	size_t n_notes;
	struct machine *changes;
	struct record *record;
	struct run_plan plan;
	char no_swap[256], no_cgroup[256], no_cold[256], no_trace[256], no_profile[256];
	char *cgroup;
	char *perf_data, *folded; /* of the workload that is profiled */
};

/* Bytes: the most that one workload needs, of memory and of swap. */
void session_needs(const struct session *s, uint64_t *ret_memory, uint64_t *ret_swap);

/*
 * Through s->changes, so that it is undone. 0; -ENOMEM, -ENOSPC; what machine_set()
 * returns. Swap and cgroup that cannot be had are no error: the plan says why.
 */
int session_change_machine(struct session *s, struct err *err);

#endif
