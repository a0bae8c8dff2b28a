// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/sweep.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boots/plan.h"
#include "verdicts/curve.h"

/* null is NULL. false: it is there, and no text. */
static bool take_text(json_t *object, const char *key, char **ret)
{
	json_t *value = json_object_get(object, key);

	if (value && !json_is_null(value) && !json_is_string(value))
		return false;
	*ret = mem_text(json_string_value(value));
	return true;
}

static bool take_number(json_t *object, const char *key, bool *ret_has, double *ret)
{
	json_t *value = json_object_get(object, key);

	*ret_has = json_is_number(value);
	if (*ret_has)
		*ret = json_number_value(value);
	return *ret_has || json_is_null(value);
}

/* null: this side has no run at that point. */
static bool take_side(json_t *object, const char *key, struct sweep_side *ret)
{
	json_t *side = json_object_get(object, key);
	json_int_t boots = 0, samples = 0;

	if (json_is_null(side))
		return true;
	if (!take_number(side, "value", &ret->known, &ret->value) ||
		json_unpack(side, "{s:I, s:I}", "boots", &boots, "samples", &samples) < 0 ||
		boots < 0 || samples < 0)
		return false;
	ret->boots = (size_t)boots;
	ret->samples = (size_t)samples;
	return true;
}

static bool take_point(json_t *object, struct sweep_point *p)
{
	bool has_high;

	if (!take_text(object, "label", &p->label) || !p->label ||
		!take_side(object, "base", &p->sides[ARM_BASE]) ||
		!take_side(object, "cand", &p->sides[ARM_CAND]) ||
		!take_number(object, "ratio", &p->has_ratio, &p->ratio) ||
		!take_number(object, "ratio_low", &p->has_interval, &p->low) ||
		!take_number(object, "ratio_high", &has_high, &p->high) ||
		has_high != p->has_interval || !take_text(object, "word", &p->word) ||
		!take_text(object, "note", &p->note))
		return false;
	p->better = json_is_true(json_object_get(object, "better"));
	return true;
}

static bool take_heading(json_t *root, struct sweep *s)
{
	return take_text(root, "what", &s->what) && s->what &&
	       take_text(root, "machine", &s->machine) && s->machine &&
	       take_text(root, "param", &s->param) && s->param &&
	       take_text(root, "metric", &s->metric) && s->metric &&
	       take_text(root, "unit", &s->unit) && s->unit &&
	       take_text(root, "base", &s->names[ARM_BASE]) && s->names[ARM_BASE] &&
	       take_text(root, "cand", &s->names[ARM_CAND]) &&
	       take_text(json_object_get(root, "crossover"), "text", &s->crossover);
}

static int take_sweep(const char *name, json_t *root, struct sweep *s, struct err *err)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	json_t *points = json_object_get(root, "points");
	const size_t n = json_array_size(points);

	if (!schema || strcmp(schema, CURVE_SCHEMA) != 0)
		return err_set(err, -EPROTO, "%s: its schema is not " CURVE_SCHEMA, name);
	if (!take_heading(root, s))
		return err_set(err, -EPROTO, "%s: a text is missing, or is none", name);
	s->points = mem_zeroed(n + 1, sizeof(*s->points));
	for (size_t i = 0; i < n; i++) {
		s->n_points = i + 1;
		if (!take_point(json_array_get(points, i), &s->points[i]))
			return err_set(err, -EPROTO,
				"%s: points[%zu]: a value is missing, or of another type",
				name, i);
	}
	s->json = json_dumps(root, 0);
	return 0;
}

int sweep_parse(const char *name, const char *text, struct sweep *ret, struct err *err)
{
	struct sweep s = { 0 };
	json_error_t json_err;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &json_err);
	int status;

	if (!root)
		return err_set(err, -EPROTO, "%s: line %d: it is no whole JSON", name,
			json_err.line);
	status = take_sweep(name, root, &s, err);
	json_decref(root);
	if (status < 0)
		sweep_clear(&s);
	else
		*ret = s;
	return status;
}

void sweep_clear(struct sweep *s)
{
	for (size_t i = 0; i < s->n_points; i++) {
		free(s->points[i].label);
		free(s->points[i].word);
		free(s->points[i].note);
	}
	free(s->points);
	free(s->what);
	free(s->machine);
	free(s->param);
	free(s->metric);
	free(s->unit);
	free(s->names[0]);
	free(s->names[1]);
	free(s->crossover);
	free(s->json);
	*s = (struct sweep){ 0 };
}
