// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const struct field *fields_find(const struct fields *f, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->items[i].name, name) == 0)
			return &f->items[i];
	return NULL;
}

/* The field of that name, without a value; a new one at the end if need be. */
static struct field *field_cleared(struct fields *f, const char *name)
{
	struct field *found = (struct field *)fields_find(f, name);

	if (!found) {
		f->items = mem_resize(f->items, f->count + 1, sizeof(*f->items));
		found = &f->items[f->count++];
		*found = (struct field){ .name = mem_text(name) };
	}
	free(found->text);
	found->text = NULL;
	found->number = 0;
	return found;
}

void fields_set_text(struct fields *f, const char *name, const char *text)
{
	char *copy = mem_text(text); /* text may be the field's own */

	field_cleared(f, name)->text = copy;
}

void fields_set_number(struct fields *f, const char *name, int64_t number)
{
	field_cleared(f, name)->number = number;
}

void fields_clear(struct fields *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].name);
		free(f->items[i].text);
	}
	free(f->items);
	*f = (struct fields){ 0 };
}

static void metric_clear(struct metric *m)
{
	free(m->name);
	free(m->unit);
	free(m->source);
	free(m->unavailable);
	free(m->values);
	free(m->enabled_ns);
	free(m->running_ns);
	if (m->by_cpu) {
		free(m->by_cpu->cpus);
		free(m->by_cpu->nodes);
		free(m->by_cpu->values);
		free(m->by_cpu);
	}
}

static void run_clear(struct run *run)
{
	for (size_t i = 0; i < run->n_metrics; i++)
		metric_clear(&run->metrics[i]);
	free(run->metrics);
	fields_clear(&run->params);
	free(run->workload);
	free(run->unit);
	free(run->reason);
	free(run->fix);
	free(run->places);
	free(run->work);
}

struct record *record_new(void)
{
	return mem_zeroed(1, sizeof(struct record));
}

void record_free(struct record *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_runs; i++)
		run_clear(&r->runs[i]);
	free(r->runs);
	fields_clear(&r->identity);
	fields_clear(&r->subject);
	fields_clear(&r->state);
	free(r);
}

struct run *record_add_run(
	struct record *r, const char *workload, unsigned int revision, const char *unit)
{
	struct run *run;

	r->runs = mem_resize(r->runs, r->n_runs + 1, sizeof(*r->runs));
	run = &r->runs[r->n_runs++];
	*run = (struct run){
		.workload = mem_text(workload),
		.revision = revision,
		.unit = mem_text(unit),
	};
	return run;
}

struct metric *run_add_metric(struct run *run, const char *name, const char *unit,
	const char *source, enum metric_better better, enum metric_kind kind)
{
	struct metric *m;

	run->metrics = mem_resize(run->metrics, run->n_metrics + 1, sizeof(*run->metrics));
	m = &run->metrics[run->n_metrics++];
	*m = (struct metric){
		.name = mem_text(name),
		.unit = mem_text(unit),
		.source = mem_text(source),
		.better = better,
		.kind = kind,
	};
	return m;
}

struct metric *run_find_metric(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_metrics; i++)
		if (strcmp(run->metrics[i].name, name) == 0)
			return &run->metrics[i];
	return NULL;
}

double record_value(const struct run *run, const struct metric *m, size_t sample)
{
	const struct number *n = &m->values[sample];
	double value = n->is_real ? n->real : (double)n->integer;

	if (m->enabled_ns && m->running_ns[sample] == 0)
		return NAN;
	if (m->enabled_ns)
		value *= (double)m->enabled_ns[sample] / (double)m->running_ns[sample];
	if (m->per_unit && run->work[sample] == 0)
		return NAN;
	return m->per_unit ? value / (double)run->work[sample] : value;
}
