/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One `shootdown run`: a list of workloads on this machine, which is prepared
 * for them and put back afterwards.
 */
#ifndef MEASURE_SESSION_H
#define MEASURE_SESSION_H

#include <stdbool.h>

#include "measure/run.h"
#include "measure/spec.h"
#include "verdicts/record.h"

struct session;

/* What the user asked for. Texts are borrowed. */
struct session_options {
	const char *governor; /* cpufreq governor meanwhile; NULL: as it is */
	const char *thp;      /* transparent huge pages, likewise */
	unsigned int n_samples, n_warmup;
	bool no_trace;         /* leave out the samples whose flushes are traced */
	bool no_profile;       /* leave out the sample that is profiled */
	bool whole_machine;    /* profile all CPUs, not only the measuring thread */
	const char *perf_data; /* a folder for files that perf report reads; or NULL */
	const char *folded;    /* likewise for call chains */
	uint64_t budget_ns;    /* for the samples of one workload */
	/* done of the whole, from 0 to 1, and what is running; may be NULL */
	void (*progress)(void *arg, double done, const char *what);
	bool (*stop)(void *arg); /* true: end as soon as possible; may be NULL */
	void *arg;
};

/* What is taken when the user did not say. */
extern const struct session_options session_preset;

/* Looks at the machine; changes nothing. 0 or -errno. */
int session_open(
	const struct session_options *options, struct session **ret, struct err *err);
void session_close(struct session *s); /* accepts NULL */

/*
 * Adds a workload, or all of a suite; one that is there already is not added
 * again. -EINVAL and -ENODEV as spec_parse(); -ENOENT: no such suite. What a
 * suite asks for and this machine has not is left out with a note.
 */
int session_add(struct session *s, const char *spec, struct err *err);
int session_add_suite(struct session *s, const char *name, struct err *err);
const char *const *session_notes(const struct session *s, size_t *ret_count);

/* What the workloads so far will take. */
struct session_cost {
	size_t n_workloads;
	uint64_t time_ns; /* of their samples: all passes, if this machine has them */
	size_t n_endless; /* of fixed iterations: only they know how long, not in time_ns */
	uint64_t memory_bytes, swap_bytes; /* the most that one needs at a time */
};
void session_cost(const struct session *s, struct session_cost *ret);

/*
 * Takes the machine's lock, makes swap if a workload needs it, measures, and
 * undoes its changes. 0; -EINTR where stop() said so: record holds what there
 * is; -EBUSY, -EUCLEAN as machine_open(); -ENOMEM, -ENOSPC: a workload needs
 * more memory or swap than there is.
 */
int session_run(struct session *s, struct record *record, struct err *err);

#endif
