// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/sweep_list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define EXAMPLE "give a list, as swap:threads=0,1,2 or cpus=2,4,8"

/* A parameter with what was typed for it. */
struct given {
	char *name;
	char **values;
	size_t count;
};

struct draft {
	struct given *params;
	size_t count;
};

static void draft_clear(struct draft *d)
{
	for (size_t i = 0; i < d->count; i++) {
		for (size_t k = 0; k < d->params[i].count; k++)
			free(d->params[i].values[k]);
		free(d->params[i].values);
		free(d->params[i].name);
	}
	free(d->params);
}

static int add_value(struct given *g, const char *value, struct err *err)
{
	if (value[0] == '\0')
		return err_set(err, -EINVAL, "%s has an empty value", g->name);
	for (size_t i = 0; i < g->count; i++)
		if (strcmp(g->values[i], value) == 0)
			return err_set(
				err, -EINVAL, "%s=%s is given twice", g->name, value);
	if (g->count == SWEEP_POINTS_MAX)
		return err_set(err, -EINVAL, "%s has more than %d values", g->name,
			SWEEP_POINTS_MAX);
	g->values = mem_resize(g->values, g->count + 1, sizeof(*g->values));
	g->values[g->count++] = mem_text(value);
	return 0;
}

static int add_word(struct draft *d, const char *word, struct err *err)
{
	const char *equals = strchr(word, '=');
	struct given *g;

	if (equals == word)
		return err_set(err, -EINVAL, "'%s': give parameters as key=value", word);
	if (!equals) {
		if (d->count == 0)
			return err_set(err, -EINVAL, "'%s': " EXAMPLE, word);
		return add_value(&d->params[d->count - 1], word, err);
	}
	d->params = mem_resize(d->params, d->count + 1, sizeof(*d->params));
	g = &d->params[d->count++];
	*g = (struct given){ .name = mem_format("%.*s", (int)(equals - word), word) };
	return add_value(g, equals + 1, err);
}

static int add_words(struct draft *d, const char *text, struct err *err)
{
	char *copy = mem_text(text), *rest = copy, *word;
	int ret = 0;

	while (ret == 0 && (word = strsep(&rest, ",")) != NULL)
		ret = add_word(d, word, err);
	free(copy);
	return ret;
}

/* The one with more than one value; NULL, and a line, where it is not one. */
static const struct given *find_swept(
	const struct draft *d, const char *text, struct err *err)
{
	const struct given *swept = NULL;

	for (size_t i = 0; i < d->count; i++) {
		if (d->params[i].count < 2)
			continue;
		if (swept) {
			err_set(err, -EINVAL,
				"%s and %s both have several values: sweep one at a time",
				swept->name, d->params[i].name);
			return NULL;
		}
		swept = &d->params[i];
	}
	if (!swept)
		err_set(err, -EINVAL, "'%s': no parameter has two values: " EXAMPLE, text);
	return swept;
}

/* value: of the swept one, which is left out if it is NULL. */
static char *make_spec(const char *workload, const struct draft *d,
	const struct given *swept, const char *value)
{
	char *spec = mem_text(workload);
	char separator = ':';

	for (size_t i = 0; i < d->count; i++) {
		const struct given *g = &d->params[i];
		char *longer;

		if (g == swept && !value)
			continue;
		longer = mem_format("%s%c%s=%s", spec, separator, g->name,
			g == swept ? value : g->values[0]);
		free(spec);
		spec = longer;
		separator = ',';
	}
	return spec;
}

static void fill(struct sweep_list *l, const char *workload, const struct draft *d,
	const struct given *swept)
{
	l->workload = mem_text(workload);
	l->param = mem_text(swept->name);
	l->count = swept->count;
	l->values = mem_zeroed(l->count, sizeof(*l->values));
	if (workload) {
		l->fixed = make_spec(workload, d, swept, NULL);
		l->specs = mem_zeroed(l->count, sizeof(*l->specs));
	}
	for (size_t i = 0; i < l->count; i++) {
		l->values[i] = mem_text(swept->values[i]);
		if (workload)
			l->specs[i] = make_spec(workload, d, swept, swept->values[i]);
	}
}

int sweep_list_parse(const char *text, struct sweep_list *ret, struct err *err)
{
	const char *colon = strchr(text, ':');
	const bool named = colon && colon < text + strcspn(text, "=");
	char *workload = named ? mem_format("%.*s", (int)(colon - text), text) : NULL;
	const struct given *swept = NULL;
	struct sweep_list l = { 0 };
	struct draft d = { 0 };
	const int status = add_words(&d, named ? colon + 1 : text, err);

	if (status == 0)
		swept = find_swept(&d, text, err);
	if (swept && !named && d.count > 1) {
		err_set(err, -EINVAL, "'%s': sweep one property of guests", text);
		swept = NULL;
	}
	if (swept) {
		fill(&l, workload, &d, swept);
		*ret = l;
	}
	draft_clear(&d);
	free(workload);
	return swept ? 0 : -EINVAL;
}

void sweep_list_clear(struct sweep_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->values[i]);
		if (l->specs)
			free(l->specs[i]);
	}
	free(l->values);
	free(l->specs);
	free(l->workload);
	free(l->fixed);
	free(l->param);
	*l = (struct sweep_list){ 0 };
}
