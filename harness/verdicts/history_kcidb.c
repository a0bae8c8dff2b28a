// SPDX-License-Identifier: GPL-2.0-or-later
/* The newest night of each machine as a report for KCIDB (I/O schema 5.0). */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/history_group.h"
#include "verdicts/history_text.h"
#include "verdicts/record_json.h"

/* What all parts of a report need. */
struct report {
	const char *origin;
	json_t *checkouts, *builds, *tests;
};

/* "origin:what", as UTF-8. */
static json_t *id_json(const struct report *r, const char *what)
{
	char *id = mem_format("%s:%s", r->origin, what);
	json_t *json = record_text_json(id);

	free(id);
	return json;
}

static json_t *build_id(const struct report *r, const struct machine *m)
{
	char *what = mem_format("%s/%s", m->name, m->nights[m->n_nights - 1].date);
	json_t *json = id_json(r, what);

	free(what);
	return json;
}

/* As git writes a commit's SHA-1; a night may have recorded a name instead. */
static bool is_hash(const char *commit)
{
	return commit && strlen(commit) == 40 && strspn(commit, "0123456789abcdef") == 40;
}

static bool has_checkout(const struct report *r, const json_t *id)
{
	json_t *one;
	size_t i;

	json_array_foreach(r->checkouts, i,
		one) if (json_equal(json_object_get(one, "id"), id)) return true;
	return false;
}

/* One for all machines that measured the same commit. */
static void add_checkout(struct report *r, const struct night *n)
{
	json_t *id = id_json(r, night_commit(n)), *one;

	if (has_checkout(r, id)) {
		json_decref(id);
		return;
	}
	one = json_pack("{s:o, s:s}", "id", id, "origin", r->origin);
	if (is_hash(n->commit))
		json_object_set_new(one, "git_commit_hash", json_string(n->commit));
	else
		json_object_set_new(
			one, "git_commit_name", record_text_json(night_commit(n)));
	json_array_append_new(r->checkouts, one);
}

static const char *text_of(const struct fields *f, const char *name)
{
	const struct field *field = fields_find(f, name);

	return field && field->text ? field->text : NULL;
}

/* It booted, or there were no night. */
static void add_build(struct report *r, const struct machine *m, const struct night *n)
{
	const char *arch = text_of(&m->setups[n->setup].fields, "arch");
	json_t *one = json_pack("{s:o, s:o, s:s, s:o, s:s}", "id", build_id(r, m),
		"checkout_id", id_json(r, night_commit(n)), "origin", r->origin, "comment",
		record_text_json(n->kernel), "status", "PASS");

	if (arch && strspn(arch, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(arch))
		json_object_set_new(one, "architecture", json_string(arch));
	json_array_append_new(r->builds, one);
}

/* "shootdown.swap.ns_per_page": of letters, digits, "_" and "-" between the dots. */
static json_t *path_json(const struct series *s)
{
	const int length = (int)strcspn(s->workload, "@:");
	char *path = mem_format("shootdown.%.*s.%s", length, s->workload, s->metric);
	json_t *json;

	for (char *at = path; *at; at++) {
		const bool dot = at == path + strlen("shootdown") ||
				 at == path + strlen("shootdown.") + length;

		if (!dot && !(isascii(*at) && isalnum(*at)) && *at != '_' && *at != '-')
			*at = '_';
	}
	json = json_string(path);
	free(path);
	return json;
}

/* Only a regression accuses the kernel. Where nothing was concluded: DONE. */
static const char *status_of(const struct verdict *v)
{
	if (v->missing)
		return "MISS";
	switch (v->word) {
	case SERIES_REGRESSION:
		return "FAIL";
	case SERIES_STEADY:
	case SERIES_SMALL:
	case SERIES_IMPROVEMENT:
		return "PASS";
	default:
		return "DONE";
	}
}

/* "swap:threads=1: regression +9.5 %"; freed by the caller. */
static char *describe(const struct machine *m, const struct verdict *v)
{
	const struct alert *a = verdict_telling_alert(v);
	char *label = series_label(m, v->series), *move, *text;

	if (v->missing) {
		text = mem_format("%s: missing: %s", label, v->series->absent);
	} else if (!a) {
		text = mem_format("%s: %s", label, series_word_text(v->word));
	} else {
		move = format_move(v->series, a->before.level, a->level);
		text = mem_format("%s: %s %s", label, series_word_text(v->word), move);
		free(move);
	}
	free(label);
	return text;
}

/* What the schema has no place for. */
static json_t *misc_json(const struct machine *m, const struct verdict *v)
{
	const struct series *s = v->series;
	const struct alert *a = verdict_telling_alert(v);
	json_t *misc = json_pack("{s:o, s:s, s:s}", "series", record_text_json(s->key),
		"verdict", v->missing ? "missing" : series_word_text(v->word), "better",
		record_better_words[s->better]);

	if (!v->missing && isfinite(s->points[s->n_points - 1].first.reference))
		json_object_set_new(misc, "reference",
			json_real(s->points[s->n_points - 1].first.reference));
	if (a) {
		json_object_set_new(misc, "good",
			record_text_json(
				night_commit(&m->nights[s->points[a->good].night])));
		json_object_set_new(misc, "bad",
			record_text_json(
				night_commit(&m->nights[s->points[a->bad].night])));
	}
	return misc;
}

static json_t *environment_json(const struct machine *m)
{
	const struct night *n = &m->nights[m->n_nights - 1];
	const char *cpu = text_of(&m->setups[n->setup].fields, "cpu_model");
	json_t *environment = json_pack("{s:o}", "comment", record_text_json(m->name));

	if (cpu)
		json_object_set_new(environment, "misc",
			json_pack("{s:o}", "cpu_model", record_text_json(cpu)));
	return environment;
}

static void add_test(struct report *r, const struct machine *m, const struct verdict *v)
{
	const struct series *s = v->series;
	const struct reading *last = &s->points[s->n_points - 1].first;
	char *comment = describe(m, v);
	char *what = mem_format("%s/%s", s->key, m->nights[m->n_nights - 1].date);
	json_t *one = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:s, s:o}", "id",
		id_json(r, what), "build_id", build_id(r, m), "origin", r->origin, "path",
		path_json(s), "comment", record_text_json(comment), "environment",
		environment_json(m), "status", status_of(v), "misc", misc_json(m, v));

	if (!v->missing && isfinite(last->tonight))
		json_object_set_new(one, "number",
			json_pack("{s:f, s:o}", "value", last->tonight, "unit",
				record_text_json(s->unit)));
	if (!s->declared)
		json_object_set_new(one, "waived", json_true());
	json_array_append_new(r->tests, one);
	free(comment);
	free(what);
}

static void add_machine(struct report *r, const struct history *h, size_t i)
{
	const struct machine *m = &h->machines[i];
	const struct night *n;

	if (m->n_nights == 0)
		return;
	n = &m->nights[m->n_nights - 1];
	add_checkout(r, n);
	add_build(r, m, n);
	for (size_t k = 0; k < m->n_series; k++)
		if (h->verdicts[i][k].series->n_points > 0 && !h->verdicts[i][k].ended)
			add_test(r, m, &h->verdicts[i][k]);
}

bool history_is_origin(const char *text)
{
	return *text &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
}

int history_kcidb(const struct history *h, const char *origin, char **ret)
{
	struct report r = { .origin = origin,
		.checkouts = json_array(),
		.builds = json_array(),
		.tests = json_array() };
	json_t *top;
	char *text;

	for (size_t i = 0; i < h->n_machines; i++)
		add_machine(&r, h, i);
	top = json_pack("{s:{s:i, s:i}, s:o, s:o, s:o}", "version", "major", 5, "minor", 0,
		"checkouts", r.checkouts, "builds", r.builds, "tests", r.tests);
	text = top ? json_dumps(top, JSON_INDENT(1)) : NULL;
	json_decref(top);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}
