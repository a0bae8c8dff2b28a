// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A result file from anywhere: every key, type and range is checked on the way
 * into the record, and the first thing that is wrong is named by its place.
 */
#include "verdicts/record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/record_json.h"

/* More names than any machine has. */
#define FIELDS_MAX 4096

static int read_fields(struct reader *r, json_t *object, const char *key, struct fields *f)
{
	const char *name;
	json_t *fields, *value;
	int ret = reader_get(r, object, key, JSON_OBJECT, &fields);

	if (ret < 0)
		return ret;
	if (json_object_size(fields) > FIELDS_MAX)
		return reader_wrong(r, "\"%s\" has more than %d keys", key, FIELDS_MAX);
	json_object_foreach(fields, name, value)
	{
		if (json_is_string(value))
			fields_set_text(f, name, json_string_value(value));
		else if (json_is_integer(value))
			fields_set_number(f, name, json_integer_value(value));
		else
			return reader_wrong(r,
				"%s.%.80s must be a text or an integer, is %s", key, name,
				reader_type(value));
	}
	return 0;
}

/* A column of the samples into one member of each place. */
static int read_places(
	struct reader *r, json_t *samples, const char *key, struct run *run, size_t offset)
{
	json_t *column;
	int ret = reader_column(r, samples, key, run->n_samples, &column);

	for (size_t i = 0; ret == 0 && i < run->n_samples; i++) {
		int64_t entry;

		ret = reader_entry(r, column, key, i, 0, UINT_MAX, &entry);
		if (ret == 0)
			*(unsigned int *)((char *)&run->places[i] + offset) =
				(unsigned int)entry;
	}
	return ret;
}

static int read_warmup(struct reader *r, json_t *samples, struct run *run)
{
	json_t *column;
	int ret = reader_column(r, samples, "warmup", run->n_samples, &column);

	for (size_t i = 0; ret == 0 && i < run->n_samples; i++) {
		int64_t entry;

		ret = reader_entry(r, column, "warmup", i, 0, 1, &entry);
		if (ret == 0)
			run->places[i].warmup = entry;
	}
	return ret;
}

/* A column of uint64_t, which the file holds up to INT64_MAX. *ret is the caller's. */
static int read_unsigned(
	struct reader *r, json_t *object, const char *key, size_t n, uint64_t **ret)
{
	json_t *column;
	int err = reader_column(r, object, key, n, &column);

	if (err < 0)
		return err;
	*ret = calloc(n + 1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; err == 0 && i < n; i++) {
		int64_t entry;

		err = reader_entry(r, column, key, i, 0, INT64_MAX, &entry);
		if (err == 0)
			(*ret)[i] = (uint64_t)entry;
	}
	return err;
}

static int read_samples(struct reader *r, json_t *object, struct run *run)
{
	static const char *const keys[] = { "block", "boot", "process", "iteration",
		"warmup", NULL };
	json_t *samples, *first;
	size_t at;
	int ret = reader_get(r, object, "samples", JSON_OBJECT, &samples);

	if (ret < 0)
		return ret;
	at = reader_enter(r, ".samples");
	if ((ret = reader_keys(r, samples, keys)) < 0 ||
		(ret = reader_get(r, samples, "block", JSON_ARRAY, &first)) < 0)
		return ret;
	run->n_samples = json_array_size(first);
	run->places = calloc(run->n_samples + 1, sizeof(*run->places));
	if (!run->places)
		return -ENOMEM;
#define PLACES(key) read_places(r, samples, #key, run, offsetof(struct place, key))
	if ((ret = PLACES(block)) < 0 || (ret = PLACES(boot)) < 0 ||
		(ret = PLACES(process)) < 0 || (ret = PLACES(iteration)) < 0 ||
		(ret = read_warmup(r, samples, run)) < 0)
		return ret;
#undef PLACES
	if ((ret = reader_places(r, run)) < 0)
		return ret;
	reader_leave(r, at);
	return read_unsigned(r, object, "work", run->n_samples, &run->work);
}

static int read_values(struct reader *r, json_t *object, size_t n, struct metric *m)
{
	json_t *column;
	int ret = reader_column(r, object, "values", n, &column);

	if (ret < 0)
		return ret;
	m->values = calloc(n + 1, sizeof(*m->values));
	if (!m->values)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		json_t *j = json_array_get(column, i);

		if (!json_is_number(j))
			return reader_wrong(r, "values[%zu] must be a number, is %s", i,
				reader_type(j));
		m->values[i].is_real = json_is_real(j);
		if (json_is_real(j))
			m->values[i].real = json_real_value(j);
		else
			m->values[i].integer = json_integer_value(j);
	}
	return 0;
}

/* The rows of by_cpu.values, one for each sample. */
static int read_cpu_rows(struct reader *r, json_t *rows, size_t n, struct by_cpu *by)
{
	int ret = 0;

	/* First their lengths: what is allocated then stands in the file already. */
	for (size_t i = 0; i < n; i++)
		if (json_array_size(json_array_get(rows, i)) != by->n_cpus)
			return reader_wrong(r, "values[%zu] must be a list of %zu entries",
				i, by->n_cpus);
	by->values = calloc(n * by->n_cpus + 1, sizeof(*by->values));
	if (!by->values)
		return -ENOMEM;
	for (size_t i = 0; ret == 0 && i < n * by->n_cpus; i++) {
		size_t row = i / by->n_cpus, cpu = i % by->n_cpus, at;

		at = reader_enter(r, ".values[%zu]", row);
		ret = reader_entry(r, json_array_get(rows, row), "", cpu, INT64_MIN,
			INT64_MAX, &by->values[i]);
		if (ret == 0)
			reader_leave(r, at);
	}
	return ret;
}

/* Numbers of CPUs or nodes. *ret_ints is kept on failure, too. */
static int read_ints(struct reader *r, json_t *list, const char *key, int **ret_ints)
{
	const size_t n = json_array_size(list);
	int *ints = *ret_ints = mem_zeroed(n, sizeof(*ints));
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++) {
		int64_t number = 0;

		ret = reader_entry(r, list, key, i, 0, INT_MAX, &number);
		ints[i] = (int)number;
	}
	return ret;
}

static int read_by_cpu(struct reader *r, json_t *object, size_t n, struct metric *m)
{
	static const char *const keys[] = { "cpus", "nodes", "values", NULL };
	json_t *by_cpu = json_object_get(object, "by_cpu"), *cpus, *nodes, *rows;
	struct by_cpu *by;
	size_t at = reader_enter(r, ".by_cpu");
	int ret;

	if ((ret = reader_keys(r, by_cpu, keys)) < 0 ||
		(ret = reader_list(r, by_cpu, "cpus", &cpus)) < 0 ||
		(ret = reader_column(r, by_cpu, "values", n, &rows)) < 0)
		return ret;
	m->by_cpu = by = mem_zeroed(1, sizeof(*by));
	by->n_cpus = json_array_size(cpus);
	if ((ret = read_ints(r, cpus, "cpus", &by->cpus)) < 0)
		return ret;
	if (json_object_get(by_cpu, "nodes") &&
		((ret = reader_column(r, by_cpu, "nodes", by->n_cpus, &nodes)) < 0 ||
			(ret = read_ints(r, nodes, "nodes", &by->nodes)) < 0))
		return ret;
	if ((ret = read_cpu_rows(r, rows, n, by)) == 0)
		reader_leave(r, at);
	return ret;
}

static int read_numbers(struct reader *r, json_t *object, size_t n, struct metric *m)
{
	int ret = read_values(r, object, n, m);

	/* One without the other is a missing key. */
	if (ret == 0 && (json_object_get(object, "enabled_ns") ||
				json_object_get(object, "running_ns"))) {
		ret = read_unsigned(r, object, "enabled_ns", n, &m->enabled_ns);
		if (ret == 0)
			ret = read_unsigned(r, object, "running_ns", n, &m->running_ns);
	}
	if (ret == 0 && json_object_get(object, "by_cpu"))
		ret = read_by_cpu(r, object, n, m);
	return ret;
}

static int read_metric(struct reader *r, json_t *object, struct run *run)
{
	static const char *const keys[] = { "name", "unit", "source", "better", "kind",
		"per_unit", "emulated", "unavailable", "values", "enabled_ns", "running_ns",
		"by_cpu", NULL };
	static const char *const numbers[] = { "values", "enabled_ns", "running_ns",
		"by_cpu", NULL };
	struct metric *m;
	unsigned int better, kind;
	char *name = NULL;
	int ret;

	if ((ret = reader_keys(r, object, keys)) < 0)
		return ret;
	ret = reader_name(r, object, "name", &name);
	if (ret == 0 && run_find_metric(run, name))
		ret = reader_wrong(r, "second metric of the name \"%.80s\"", name);
	if (ret < 0) {
		free(name);
		return ret;
	}
	m = run_add_metric(run, NULL, NULL, NULL, BETTER_NONE, KIND_SAMPLE);
	m->name = name;
	if ((ret = reader_text(r, object, "unit", &m->unit)) < 0 ||
		(ret = reader_text(r, object, "source", &m->source)) < 0 ||
		(ret = reader_word(r, object, "better", record_better_words, &better)) <
			0 ||
		(ret = reader_word(r, object, "kind", record_kind_words, &kind)) < 0 ||
		(ret = reader_bool_if(r, object, "per_unit", &m->per_unit)) < 0 ||
		(ret = reader_bool_if(r, object, "emulated", &m->emulated)) < 0 ||
		(ret = reader_name_if(r, object, "unavailable", &m->unavailable)) < 0)
		return ret;
	m->better = better;
	m->kind = kind;
	if (!m->unavailable)
		return read_numbers(r, object, run->n_samples, m);
	for (size_t i = 0; numbers[i]; i++)
		if (json_object_get(object, numbers[i]))
			return reader_wrong(
				r, "unavailable, and yet with \"%s\"", numbers[i]);
	return 0;
}

/* A run without a number says why; a skipped one was never begun. */
static int check_status(struct reader *r, const struct run *run)
{
	bool explains = run->status != RUN_OK && run->status != RUN_INCOMPLETE;

	if (explains && !run->reason)
		return reader_wrong(r, "status \"%s\" without a \"reason\"",
			record_status_words[run->status]);
	if (run->status == RUN_SKIPPED && run->n_samples > 0)
		return reader_wrong(r, "status \"skipped\", and yet with samples");
	return 0;
}

static int read_run(struct reader *r, json_t *object, struct record *record)
{
	static const char *const keys[] = { "workload", "revision", "unit", "status",
		"reason", "fix", "params", "samples", "work", "metrics", NULL };
	struct run *run = record_add_run(record, NULL, 0, NULL);
	json_t *revision, *metrics;
	unsigned int status;
	int ret;

	if ((ret = reader_keys(r, object, keys)) < 0 ||
		(ret = reader_name(r, object, "workload", &run->workload)) < 0 ||
		(ret = reader_get(r, object, "revision", JSON_INTEGER, &revision)) < 0 ||
		(ret = reader_text(r, object, "unit", &run->unit)) < 0 ||
		(ret = reader_word(r, object, "status", record_status_words, &status)) <
			0 ||
		(ret = reader_name_if(r, object, "reason", &run->reason)) < 0 ||
		(ret = reader_name_if(r, object, "fix", &run->fix)) < 0 ||
		(ret = read_fields(r, object, "params", &run->params)) < 0 ||
		(ret = reader_list(r, object, "metrics", &metrics)) < 0 ||
		(ret = read_samples(r, object, run)) < 0)
		return ret;
	if (json_integer_value(revision) < 0 || json_integer_value(revision) > UINT_MAX)
		return reader_wrong(r, "\"revision\" is out of range");
	run->revision = (unsigned int)json_integer_value(revision);
	run->status = status;
	for (size_t i = 0; i < json_array_size(metrics); i++) {
		size_t at = reader_enter(r, ".metrics[%zu]", i);

		if ((ret = read_metric(r, json_array_get(metrics, i), run)) < 0)
			return ret;
		reader_leave(r, at);
	}
	return check_status(r, run);
}

int reader_record(struct reader *r, json_t *top, struct record *record)
{
	static const char *const keys[] = { "schema", "complete", "identity", "subject",
		"state", "runs", NULL };
	json_t *schema, *complete, *runs;
	int ret;

	if (!json_is_object(top))
		return reader_wrong(r, "no result: %s, not an object", reader_type(top));
	if ((ret = reader_get(r, top, "schema", JSON_STRING, &schema)) < 0)
		return ret;
	if (strcmp(json_string_value(schema), RECORD_SCHEMA) != 0)
		return reader_wrong(r, "schema is \"%.80s\", this program reads \"%s\"",
			json_string_value(schema), RECORD_SCHEMA);
	if ((ret = reader_keys(r, top, keys)) < 0 ||
		(ret = reader_get(r, top, "complete", JSON_TRUE, &complete)) < 0 ||
		(ret = read_fields(r, top, "identity", &record->identity)) < 0 ||
		(ret = read_fields(r, top, "subject", &record->subject)) < 0 ||
		(ret = read_fields(r, top, "state", &record->state)) < 0 ||
		(ret = reader_list(r, top, "runs", &runs)) < 0)
		return ret;
	record->complete = json_is_true(complete);
	for (size_t i = 0; i < json_array_size(runs); i++) {
		size_t at = reader_enter(r, "runs[%zu]", i);

		if ((ret = read_run(r, json_array_get(runs, i), record)) < 0)
			return ret;
		reader_leave(r, at);
	}
	return 0;
}
