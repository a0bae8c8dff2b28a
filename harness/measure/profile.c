// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/kallsyms.h"
#include "measure/sampling.h"

struct profile {
	struct sampling *sampling;
	struct kallsyms kallsyms;
	bool has[HOTSPOTS_WATCHED];
	bool whole_machine;
	struct profile_counts counts;
	struct profile_function *functions; /* in no order */
	size_t n_functions;
};

int profile_open(
	const char *root, const struct cpulist *cpus, struct profile **ret, struct err *err)
{
	const struct sampling_options options = {
		.cpus = cpus,
		.hz = SAMPLING_HZ,
		.bytes = cpus ? SAMPLING_BYTES_MIN : SAMPLING_BYTES,
		.bytes_min = SAMPLING_BYTES_MIN,
	};
	struct profile *p = mem_zeroed(1, sizeof(*p));
	int code = kallsyms_read(root, &p->kallsyms, err);

	if (code == 0)
		code = sampling_open(&options, &p->sampling, err);
	if (code < 0) {
		profile_close(p);
		return code;
	}
	p->whole_machine = cpus != NULL;
	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++)
		p->has[i] = kallsyms_has(&p->kallsyms, hotspots_watched[i]);
	*ret = p;
	return 0;
}

static void forget(struct profile *p)
{
	for (size_t i = 0; i < p->n_functions; i++)
		free((void *)p->functions[i].name);
	free(p->functions);
	p->functions = NULL;
	p->n_functions = 0;
	memset(&p->counts, 0, sizeof(p->counts));
}

void profile_close(struct profile *p)
{
	if (!p)
		return;
	forget(p);
	sampling_close(p->sampling);
	kallsyms_clear(&p->kallsyms);
	free(p);
}

void profile_source(const struct profile *p, char *ret, size_t bytes)
{
	snprintf(ret, bytes, "perf %s %u Hz, %s", sampling_event(p->sampling),
		sampling_hz(p->sampling), p->whole_machine ? "all CPUs" : "thread");
}

bool profile_has(const struct profile *p, size_t watched)
{
	return p->has[watched];
}

static void count_function(struct profile *p, const char *symbol)
{
	struct profile_function *f;

	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++) {
		if (hotspot_is_named(symbol, hotspots_watched[i])) {
			p->counts.watched[i]++;
			return;
		}
	}
	for (size_t i = 0; i < p->n_functions; i++) {
		if (hotspot_is_named(symbol, p->functions[i].name)) {
			p->functions[i].hits++;
			return;
		}
	}
	p->functions = mem_resize(p->functions, p->n_functions + 1, sizeof(*p->functions));
	f = &p->functions[p->n_functions++];
	f->name = mem_format("%.*s", (int)strcspn(symbol, "."), symbol);
	f->hits = 1;
}

static void count_hit(void *arg, const struct sampling_hit *hit)
{
	const char *names[64];
	struct profile *p = arg;
	size_t n = 0;

	if (hit->tid == 0)
		return;
	p->counts.hits++;
	if (!hit->in_kernel) {
		p->counts.groups[GROUP_USER]++;
		return;
	}
	for (; n < hit->n_chain && n < sizeof(names) / sizeof(*names); n++)
		names[n] = symbols_find(&p->kallsyms.symbols, hit->chain[n]);
	p->counts.groups[hotspot_group_of(names, n)]++;
	if (names[0])
		count_function(p, names[0]);
}

static void ignore_hit(void *arg, const struct sampling_hit *hit)
{
	(void)arg;
	(void)hit;
}

void profile_start(struct profile *p)
{
	forget(p);
	sampling_drain(p->sampling, ignore_hit, NULL);
	sampling_start();
}

void profile_stop(struct profile *p)
{
	sampling_stop();
	p->counts.lost = sampling_drain(p->sampling, count_hit, p);
}

const struct profile_counts *profile_counts(const struct profile *p)
{
	return &p->counts;
}

bool profile_is_void(const struct profile_counts *c)
{
	return c->lost == SAMPLING_LOST_UNKNOWN || c->lost * 100 > c->hits + c->lost;
}

static int most_first(const void *a, const void *b)
{
	const struct profile_function *x = a, *y = b;

	if (x->hits != y->hits)
		return x->hits < y->hits ? 1 : -1;
	return strcmp(x->name, y->name);
}

size_t profile_top(const struct profile *p, struct profile_function *ret, size_t most)
{
	const size_t n = p->n_functions < most ? p->n_functions : most;

	qsort(p->functions, p->n_functions, sizeof(*p->functions), most_first);
	memcpy(ret, p->functions, n * sizeof(*ret));
	return n;
}
