// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/kallsyms.h"
#include "measure/sampling.h"

/* In no order; names are owned. */
struct functions {
	struct profile_function *items;
	size_t count;
};

struct profile {
	struct sampling *sampling;
	struct kallsyms kallsyms;
	bool has[HOTSPOTS_WATCHED];
	bool whole_machine;
	struct profile_counts counts;
	struct functions functions, chains; /* chains: "outer;inner" */
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

static void functions_clear(struct functions *f)
{
	for (size_t i = 0; i < f->count; i++)
		free((void *)f->items[i].name);
	free(f->items);
	*f = (struct functions){ 0 };
}

/* Takes name over. */
static void functions_add(struct functions *f, char *name)
{
	for (size_t i = 0; i < f->count; i++) {
		if (strcmp(f->items[i].name, name) == 0) {
			f->items[i].hits++;
			free(name);
			return;
		}
	}
	f->items = mem_resize(f->items, f->count + 1, sizeof(*f->items));
	f->items[f->count++] = (struct profile_function){ name, 1 };
}

static void forget(struct profile *p)
{
	functions_clear(&p->functions);
	functions_clear(&p->chains);
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

/* Without the compiler's suffix. */
static char *plain_name(const char *symbol)
{
	return mem_format("%.*s", (int)strcspn(symbol, "."), symbol);
}

static void count_function(struct profile *p, const char *symbol)
{
	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++) {
		if (hotspot_is_named(symbol, hotspots_watched[i])) {
			p->counts.watched[i]++;
			return;
		}
	}
	functions_add(&p->functions, plain_name(symbol));
}

static void count_chain(struct profile *p, const char *const *names, size_t n)
{
	char *chain = mem_text("");

	while (n-- > 0) {
		char *name = names[n] ? plain_name(names[n]) : mem_text("unknown");
		char *longer = mem_format("%s%s%s", chain, *chain ? ";" : "", name);

		free(name);
		free(chain);
		chain = longer;
	}
	functions_add(&p->chains, chain);
}

static void count_hit(void *arg, const struct sampling_hit *hit)
{
	const char *names[64] = { NULL };
	struct profile *p = arg;
	size_t n = 0;

	if (hit->tid == 0)
		return;
	p->counts.hits++;
	if (!hit->in_kernel) {
		p->counts.groups[GROUP_USER]++;
		functions_add(&p->chains, mem_text("user"));
		return;
	}
	for (; n < hit->n_chain && n < sizeof(names) / sizeof(*names); n++)
		names[n] = symbols_find(&p->kallsyms.symbols, hit->chain[n]);
	p->counts.groups[hotspot_group_of(names, n)]++;
	count_chain(p, names, n);
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

static void sort(const struct functions *f)
{
	if (f->count)
		qsort(f->items, f->count, sizeof(*f->items), most_first);
}

size_t profile_top(const struct profile *p, struct profile_function *ret, size_t most)
{
	const size_t n = p->functions.count < most ? p->functions.count : most;

	if (n == 0)
		return 0;
	sort(&p->functions);
	memcpy(ret, p->functions.items, n * sizeof(*ret));
	return n;
}

char *profile_folded(const struct profile *p, const char *top)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	sort(&p->chains);
	for (size_t i = 0; i < p->chains.count; i++)
		fprintf(out, "%s;%s %llu\n", top, p->chains.items[i].name,
			(unsigned long long)p->chains.items[i].hits);
	fclose(out);
	return text;
}
