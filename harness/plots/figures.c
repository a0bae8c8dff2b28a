// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/figures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/figures_parts.h"
#include "plots/html.h"
#include "verdicts/record_json.h"

const char *const figure_roles[] = { [ARM_BASE] = "base", [ARM_CAND] = "cand" };

char *figure_slug(const char *text)
{
	char *slug = mem_text(text), *to = slug;

	for (const char *at = text; *at; at++) {
		const unsigned char c = (unsigned char)*at;

		if (c < 0x80 && isalnum(c))
			*to++ = (char)tolower(c);
		else if (to > slug && to[-1] != '-')
			*to++ = '-';
	}
	while (to > slug && to[-1] == '-')
		to--;
	*to = '\0';
	return slug;
}

json_t *figure_text(const char *text)
{
	char *clean = html_clean(text);
	json_t *json = record_text_json(clean);

	free(clean);
	return json;
}

struct figure *figures_add(struct figures *f, enum figure_kind kind, char *name,
	const char *workload, char *alt, char *caption, json_t *spec)
{
	struct figure *figure;

	json_object_set_new(spec, "name", json_string(name));
	f->items = mem_resize(f->items, f->count + 1, sizeof(*f->items));
	figure = &f->items[f->count++];
	*figure = (struct figure){
		.kind = kind,
		.name = name,
		.workload = mem_text(workload),
		.alt = alt,
		.caption = caption,
		.spec = json_dumps(spec, 0),
	};
	json_decref(spec);
	return figure;
}

struct run_pair *report_pairs(const struct report *r, size_t *ret_count)
{
	struct record *none;
	struct run_pair *pairs;

	if (r->arms[ARM_CAND])
		return run_pairs_make(r->arms[ARM_BASE], r->arms[ARM_CAND], ret_count);
	none = record_new();
	pairs = run_pairs_make(r->arms[ARM_BASE], none, ret_count);
	record_free(none);
	return pairs;
}

const struct compare_row *report_row(
	const struct report *r, const char *workload, const char *metric)
{
	const struct comparison *c = r->comparison;

	for (size_t i = 0; c && i < c->n_rows; i++)
		if (strcmp(c->rows[i].metric, metric) == 0 &&
			strcmp(c->rows[i].workload, workload) == 0)
			return &c->rows[i];
	return NULL;
}

bool run_has_numbers(const struct run *run)
{
	return run && (run->status == RUN_OK || run->status == RUN_INCOMPLETE);
}

char *figure_boots(const size_t *n_boots)
{
	if (n_boots[0] == n_boots[1] || n_boots[0] == 0 || n_boots[1] == 0) {
		const size_t n = n_boots[n_boots[0] == 0];

		return mem_format("n = %zu boot%s", n, n == 1 ? "" : "s");
	}
	return mem_format("n = %zu and %zu boots", n_boots[0], n_boots[1]);
}

json_t *figure_arms(const struct report *r)
{
	json_t *arms = json_array();

	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++)
		if (r->arms[arm])
			json_array_append_new(
				arms, json_pack("{s:s, s:o}", "role", figure_roles[arm],
					      "name", figure_text(r->names[arm])));
	return arms;
}

void figures_make(const struct report *r, struct figures *ret)
{
	*ret = (struct figures){ 0 };
	figures_add_history(r, ret);
	figures_add_sweep(r, ret);
	if (!r->arms[ARM_BASE] || r->point || (r->comparison && !r->comparison->comparable))
		return;
	figures_add_samples(r, ret);
	figures_add_cpus(r, ret);
	figures_add_bars(r, ret);
}

void figures_clear(struct figures *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct figure *figure = &f->items[i];

		free(figure->name);
		free(figure->workload);
		free(figure->alt);
		free(figure->caption);
		free(figure->spec);
		free(figure->svg);
	}
	free(f->items);
	*f = (struct figures){ 0 };
}

char *figures_json(const struct figures *f)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	fputs("{\"figures\": [", out);
	for (size_t i = 0; i < f->count; i++)
		fprintf(out, "%s\n%s", i ? "," : "", f->items[i].spec);
	fputs("\n]}\n", out);
	fclose(out);
	return text;
}
