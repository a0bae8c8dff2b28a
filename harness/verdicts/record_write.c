// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "verdicts/record_json.h"

/* Objects and lists down to here have their members on lines of their own. */
#define OPEN_DEPTH 3

static void set_text_if(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, record_text_json(text));
}

static json_t *fields_json(const struct fields *f)
{
	json_t *object = json_object();

	for (size_t i = 0; i < f->count; i++)
		json_object_set_new(object, f->items[i].name,
			f->items[i].text ? record_text_json(f->items[i].text)
					 : json_integer(f->items[i].number));
	return object;
}

/* NULL: beyond what the file can hold. */
static json_t *unsigned_json(const uint64_t *values, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		if (values[i] > INT64_MAX) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, json_integer((json_int_t)values[i]));
	}
	return list;
}

static json_t *samples_json(const struct run *run)
{
	json_t *block = json_array(), *boot = json_array(), *process = json_array();
	json_t *iteration = json_array(), *warmup = json_array();

	for (size_t i = 0; i < run->n_samples; i++) {
		json_array_append_new(block, json_integer(run->places[i].block));
		json_array_append_new(boot, json_integer(run->places[i].boot));
		json_array_append_new(process, json_integer(run->places[i].process));
		json_array_append_new(iteration, json_integer(run->places[i].iteration));
		json_array_append_new(warmup, json_integer(run->places[i].warmup));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "block", block, "boot", boot,
		"process", process, "iteration", iteration, "warmup", warmup);
}

/* NULL: a value that is no number. */
static json_t *values_json(const struct metric *m, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		const struct number *v = &m->values[i];

		if (v->is_real && !isfinite(v->real)) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(
			list, v->is_real ? json_real(v->real) : json_integer(v->integer));
	}
	return list;
}

static json_t *integers_json(const int *list, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, json_integer(list[i]));
	return array;
}

static json_t *by_cpu_json(const struct by_cpu *by, size_t n)
{
	json_t *cpus = integers_json(by->cpus, by->n_cpus), *rows = json_array(), *object;

	for (size_t i = 0; i < n; i++) {
		json_t *row = json_array();

		for (size_t c = 0; c < by->n_cpus; c++)
			json_array_append_new(
				row, json_integer(by->values[i * by->n_cpus + c]));
		json_array_append_new(rows, row);
	}
	object = json_pack("{s:o, s:o}", "cpus", cpus, "values", rows);
	if (by->nodes)
		json_object_set_new(object, "nodes", integers_json(by->nodes, by->n_cpus));
	return object;
}

/* 0, or -1 where a number cannot be written. */
static int set_numbers(json_t *object, const struct metric *m, size_t n)
{
	/* Setting NULL fails, which is how a bad column is found. */
	if (json_object_set_new(object, "values", values_json(m, n)) < 0)
		return -1;
	if (m->enabled_ns && (json_object_set_new(object, "enabled_ns",
				      unsigned_json(m->enabled_ns, n)) < 0 ||
				     json_object_set_new(object, "running_ns",
					     unsigned_json(m->running_ns, n)) < 0))
		return -1;
	if (m->by_cpu)
		json_object_set_new(object, "by_cpu", by_cpu_json(m->by_cpu, n));
	return 0;
}

static int add_metric(json_t *metrics, const struct metric *m, size_t n)
{
	json_t *object = json_object();

	json_array_append_new(metrics, object);
	set_text_if(object, "name", m->name);
	set_text_if(object, "unit", m->unit);
	set_text_if(object, "source", m->source);
	set_text_if(object, "better", record_better_words[m->better]);
	set_text_if(object, "kind", record_kind_words[m->kind]);
	json_object_set_new(object, "per_unit", json_boolean(m->per_unit));
	if (m->emulated)
		json_object_set_new(object, "emulated", json_true());
	set_text_if(object, "unavailable", m->unavailable);
	return m->unavailable ? 0 : set_numbers(object, m, n);
}

static int add_run(json_t *runs, const struct run *run, struct err *err)
{
	json_t *object = json_object(), *metrics = json_array(), *work;

	json_array_append_new(runs, object);
	set_text_if(object, "workload", run->workload);
	json_object_set_new(object, "revision", json_integer(run->revision));
	set_text_if(object, "unit", run->unit);
	set_text_if(object, "status", record_status_words[run->status]);
	set_text_if(object, "reason", run->reason);
	set_text_if(object, "fix", run->fix);
	json_object_set_new(object, "params", fields_json(&run->params));
	json_object_set_new(object, "samples", samples_json(run));
	work = unsigned_json(run->work, run->n_samples);
	if (!work) {
		json_decref(metrics);
		return err_set(err, -ERANGE, "%s: work beyond 2^63", run->workload);
	}
	json_object_set_new(object, "work", work);
	json_object_set_new(object, "metrics", metrics);
	for (size_t i = 0; i < run->n_metrics; i++)
		if (add_metric(metrics, &run->metrics[i], run->n_samples) < 0)
			return err_set(err, -ERANGE, "%s: %s has a value that is no number",
				run->workload, run->metrics[i].name);
	return 0;
}

/* One metric or one column of samples a line: what diff and grep can work on. */
static void print_json(FILE *out, json_t *j, int depth)
{
	bool list = json_is_array(j), first = true;
	const char *key;
	json_t *value;
	size_t i;

	if (depth > OPEN_DEPTH || !(list || json_is_object(j))) {
		json_dumpf(j, out, JSON_COMPACT | JSON_ENCODE_ANY);
		return;
	}
	fputc(list ? '[' : '{', out);
	json_array_foreach(j, i, value)
	{
		fprintf(out, "%s\n%*s", first ? "" : ",", depth + 1, "");
		print_json(out, value, depth + 1);
		first = false;
	}
	json_object_foreach(j, key, value)
	{
		json_t *name = json_string(key);

		fprintf(out, "%s\n%*s", first ? "" : ",", depth + 1, "");
		json_dumpf(name, out, JSON_ENCODE_ANY);
		json_decref(name);
		fputs(": ", out);
		print_json(out, value, depth + 1);
		first = false;
	}
	if (!first)
		fprintf(out, "\n%*s", depth, "");
	fputc(list ? ']' : '}', out);
}

static int write_json(json_t *top, const char *path, struct err *err)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	int ret;

	if (!out)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	print_json(out, top, 0);
	fputc('\n', out);
	ret = ferror(out) ? -ENOMEM : 0;
	if (fclose(out) != 0 || ret < 0)
		ret = -ENOMEM;
	if (ret == 0)
		ret = file_replace(path, text, bytes);
	if (ret < 0)
		err_set(err, ret, "%s: %s", path, strerror(-ret));
	free(text);
	return ret;
}

int record_save(const struct record *r, const char *path, struct err *err)
{
	json_t *top = json_object(), *runs = json_array();
	int ret = 0;

	set_text_if(top, "schema", RECORD_SCHEMA);
	json_object_set_new(top, "complete", json_boolean(r->complete));
	json_object_set_new(top, "identity", fields_json(&r->identity));
	json_object_set_new(top, "subject", fields_json(&r->subject));
	json_object_set_new(top, "state", fields_json(&r->state));
	json_object_set_new(top, "runs", runs);
	for (size_t i = 0; ret == 0 && i < r->n_runs; i++)
		ret = add_run(runs, &r->runs[i], err);
	if (ret == 0)
		ret = write_json(top, path, err);
	json_decref(top);
	return ret;
}
