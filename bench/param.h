/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Part of the contract (bench.h): what a user may set. */
#ifndef BENCH_PARAM_H
#define BENCH_PARAM_H

#include <stdint.h>

enum param_type {
	PARAM_COUNT,   /* whole number */
	PARAM_BYTES,   /* bytes with an optional K, M or G (powers of 1024); whole pages */
	PARAM_CHOICE,  /* one of choices; its value is the index */
	PARAM_CPU,     /* number of an online CPU, or "auto" */
	PARAM_THREADS, /* 0 to the number of other CPUs, which "max" stands for */
	PARAM_NODE,    /* number of a memory node, or "auto": BENCH_NODE_AUTO */
	PARAM_FILES,   /* paths joined by colons, or the preset; its value is the text */
};
#define BENCH_NODE_AUTO UINT64_MAX
#define BENCH_NODES_MAX 1024 /* nodes are numbered below this */

struct param {
	const char *name; /* NULL ends a table */
	enum param_type type;
	const char *preset;         /* the default, as a user would type it */
	const char *unit;           /* shown to people; NULL where there is none */
	uint64_t min, max;          /* both allowed; for COUNT and BYTES */
	const char *const *choices; /* for CHOICE, ended by NULL */
	const char *help;
};

#endif
