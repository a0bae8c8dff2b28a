// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_pair.h"

static void copy_field(struct fields *to, const struct field *f)
{
	if (f->text)
		fields_set_text(to, f->name, f->text);
	else
		fields_set_number(to, f->name, f->number);
}

static void copy_fields(struct fields *to, const struct fields *from)
{
	for (size_t i = 0; i < from->count; i++)
		copy_field(to, &from->items[i]);
}

static int check_identity(const struct fields *a, const struct fields *b, struct err *err)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct field *f = fields_find(b, a->items[i].name);

		if (!f || !field_equal(&a->items[i], f))
			return err_set(err, -ESTALE,
				"the results of two boots differ in %s: they are of two machines",
				a->items[i].name);
	}
	return 0;
}

static struct run *find_or_add_run(struct record *into, const struct run *from)
{
	struct run *run;

	for (size_t i = 0; i < into->n_runs; i++)
		if (runs_alike(&into->runs[i], from))
			return &into->runs[i];
	run = record_add_run(into, from->workload, from->revision, from->unit);
	run->status = from->status;
	copy_fields(&run->params, &from->params);
	return run;
}

static void drop_by_cpu(struct metric *m)
{
	if (!m->by_cpu)
		return;
	free(m->by_cpu->cpus);
	free(m->by_cpu->nodes);
	free(m->by_cpu->values);
	free(m->by_cpu);
	m->by_cpu = NULL;
}

static void make_unavailable(struct metric *m, const char *reason)
{
	free(m->values);
	free(m->enabled_ns);
	free(m->running_ns);
	m->values = NULL;
	m->enabled_ns = m->running_ns = NULL;
	drop_by_cpu(m);
	m->unavailable = mem_text(reason);
}

static void *joined(void *old, size_t n_old, const void *more, size_t n_more, size_t bytes)
{
	char *all = mem_resize(old, n_old + n_more, bytes);

	memcpy(all + n_old * bytes, more, n_more * bytes);
	return all;
}

static bool same_nodes(const struct by_cpu *a, const struct by_cpu *b)
{
	return a->nodes && b->nodes &&
	       memcmp(a->nodes, b->nodes, a->n_cpus * sizeof(*a->nodes)) == 0;
}

static bool same_cpus(const struct by_cpu *a, const struct by_cpu *b)
{
	return a && b && a->n_cpus == b->n_cpus &&
	       memcmp(a->cpus, b->cpus, a->n_cpus * sizeof(*a->cpus)) == 0;
}

static void append_by_cpu(
	struct metric *to, size_t n_old, const struct metric *from, size_t n_more)
{
	if (!to->by_cpu)
		return;
	if (!same_cpus(to->by_cpu, from->by_cpu)) {
		drop_by_cpu(to); /* the sums stay */
		return;
	}
	if (!same_nodes(to->by_cpu, from->by_cpu)) {
		free(to->by_cpu->nodes);
		to->by_cpu->nodes = NULL;
	}
	to->by_cpu->values = joined(to->by_cpu->values, n_old, from->by_cpu->values, n_more,
		to->by_cpu->n_cpus * sizeof(*to->by_cpu->values));
}

static void append_values(
	struct metric *to, size_t n_old, const struct metric *from, size_t n_more)
{
	to->values = joined(to->values, n_old, from->values, n_more, sizeof(*to->values));
	if (to->enabled_ns) {
		to->enabled_ns = joined(to->enabled_ns, n_old, from->enabled_ns, n_more,
			sizeof(*to->enabled_ns));
		to->running_ns = joined(to->running_ns, n_old, from->running_ns, n_more,
			sizeof(*to->running_ns));
	}
	append_by_cpu(to, n_old, from, n_more);
}

static bool fits(const struct metric *a, const struct metric *b)
{
	return strcmp(a->unit, b->unit) == 0 && a->per_unit == b->per_unit &&
	       !a->enabled_ns == !b->enabled_ns;
}

/*
 * "dsb_ish:try_to_unmap_flush_per_page" is a part of "dsb_ish_per_page": which
 * functions there are differs from boot to boot, and where the whole was counted
 * and the part is not named, it is 0. NULL: m is no part, or its whole is unknown.
 */
static const struct metric *find_whole(const struct run *run, const struct metric *m)
{
	const char *colon = strchr(m->name, ':');
	const struct metric *whole;
	char *name;

	if (!colon || m->enabled_ns)
		return NULL;
	name = mem_format("%.*s_per_%s", (int)(colon - m->name), m->name, run->unit);
	whole = run_find_metric(run, name);
	free(name);
	return whole && !whole->unavailable ? whole : NULL;
}

/* Those of n samples, all 0. */
static void append_zeros(struct metric *to, size_t n_old, size_t n_more)
{
	struct number *zeros = mem_zeroed(n_more, sizeof(*zeros));

	to->values = joined(to->values, n_old, zeros, n_more, sizeof(*zeros));
	free(zeros);
	drop_by_cpu(to);
}

static void append_metric(struct metric *to, size_t n_old, const struct run *from)
{
	const struct metric *m = run_find_metric(from, to->name);

	if (to->unavailable)
		return;
	if (!m && find_whole(from, to))
		append_zeros(to, n_old, from->n_samples);
	else if (!m || m->unavailable)
		make_unavailable(to, m ? m->unavailable : "a boot does not have it");
	else if (!fits(to, m))
		make_unavailable(to, "its unit differs from boot to boot");
	else
		append_values(to, n_old, m, from->n_samples);
}

/* The form of a metric, without values. */
static void add_metric_like(struct run *run, const struct metric *m)
{
	struct metric *to =
		run_add_metric(run, m->name, m->unit, m->source, m->better, m->kind);

	to->per_unit = m->per_unit;
	to->emulated = m->emulated;
	to->unavailable = mem_text(m->unavailable);
	if (m->enabled_ns) {
		to->enabled_ns = mem_zeroed(0, sizeof(*to->enabled_ns));
		to->running_ns = mem_zeroed(0, sizeof(*to->running_ns));
	}
	if (m->by_cpu) {
		to->by_cpu = mem_zeroed(1, sizeof(*to->by_cpu));
		to->by_cpu->n_cpus = m->by_cpu->n_cpus;
		to->by_cpu->cpus = joined(NULL, 0, m->by_cpu->cpus, m->by_cpu->n_cpus,
			sizeof(*m->by_cpu->cpus));
		if (m->by_cpu->nodes)
			to->by_cpu->nodes = joined(NULL, 0, m->by_cpu->nodes,
				m->by_cpu->n_cpus, sizeof(*m->by_cpu->nodes));
	}
}

/* Parts that no boot before named. */
static void add_new_parts(struct run *run, const struct run *from)
{
	for (size_t i = 0; i < from->n_metrics; i++) {
		const struct metric *m = &from->metrics[i];

		if (run_find_metric(run, m->name) || !find_whole(run, m))
			continue;
		add_metric_like(run, m);
		if (!m->unavailable)
			append_zeros(&run->metrics[run->n_metrics - 1], 0, run->n_samples);
	}
}

static void append_places(
	struct run *run, const struct run *from, unsigned int block, unsigned int boot)
{
	run->places = joined(run->places, run->n_samples, from->places, from->n_samples,
		sizeof(*run->places));
	run->work = joined(
		run->work, run->n_samples, from->work, from->n_samples, sizeof(*run->work));
	for (size_t i = 0; i < from->n_samples; i++) {
		run->places[run->n_samples + i].block = block;
		run->places[run->n_samples + i].boot = boot;
	}
}

static void append_run(
	struct run *run, const struct run *from, unsigned int block, unsigned int boot)
{
	for (size_t i = 0; run->n_samples == 0 && i < from->n_metrics; i++)
		add_metric_like(run, &from->metrics[i]);
	add_new_parts(run, from);
	for (size_t i = 0; i < run->n_metrics; i++)
		append_metric(&run->metrics[i], run->n_samples, from);
	append_places(run, from, block, boot);
	run->n_samples += from->n_samples;
	run->status = RUN_OK;
}

static void set_text(char **to, const char *text)
{
	free(*to);
	*to = mem_text(text);
}

static void copy_head(struct record *into, const struct record *from)
{
	copy_fields(&into->identity, &from->identity);
	copy_fields(&into->subject, &from->subject);
	copy_fields(&into->state, &from->state);
	into->complete = true;
}

int record_merge(struct record *into, const struct record *from, unsigned int block,
	unsigned int boot, struct err *err)
{
	const int ret =
		into->n_runs ? check_identity(&into->identity, &from->identity, err) : 0;

	if (ret < 0)
		return ret;
	if (into->n_runs == 0)
		copy_head(into, from);
	into->complete &= from->complete;
	for (size_t i = 0; i < from->n_runs; i++) {
		struct run *run = find_or_add_run(into, &from->runs[i]);

		if (from->runs[i].status == RUN_OK) {
			append_run(run, &from->runs[i], block, boot);
		} else if (run->n_samples == 0) {
			run->status = from->runs[i].status;
			set_text(&run->reason, from->runs[i].reason);
			set_text(&run->fix, from->runs[i].fix);
		}
	}
	return 0;
}

void record_take_runs(
	struct record *into, struct record *from, const char *param, int64_t value)
{
	if (into->n_runs == 0)
		copy_head(into, from);
	into->complete &= from->complete;
	into->runs = mem_resize(
		into->runs, into->n_runs + from->n_runs + 1, sizeof(*into->runs));
	for (size_t i = 0; i < from->n_runs; i++) {
		fields_set_number(&from->runs[i].params, param, value);
		into->runs[into->n_runs++] = from->runs[i];
	}
	from->n_runs = 0;
}
