// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/claims_judge.h"
#include "verdicts/compare_format.h"
#include "verdicts/published.h"
#include "verdicts/table.h"

enum { NUMBER, CLAIM, PUBLISHED, HERE, ON, VERDICT };

struct listing {
	struct table *table;
	const struct claims_measured *measured;
	size_t n_measured, n_claims;
	FILE *commands;
};

/* Takes the text. */
static void set_cell(struct table *t, size_t column, char *text)
{
	table_set_cell(t, column, text, TABLE_PLAIN);
	free(text);
}

static const char *identity(const struct record *r, const char *key)
{
	const struct field *f = fields_find(&r->identity, key);

	return f && f->text ? f->text : NULL;
}

/* "Kunpeng 920, about 100 CPUs: swap ns_per_page" */
static char *claim_text(const struct claim *c)
{
	const char *model = identity(c->from, "cpu_model");
	const char *cpus = identity(c->from, "cpus_online");

	return mem_format("%s%s%s: %s %s", model ? model : identity(c->from, "arch"),
		cpus ? ", " : "", cpus ? cpus : "", c->run->workload, c->metric->name);
}

static char *published_text_of(const struct claim *c)
{
	char *base, *cand, *both, *ratio;

	if (c->metric->unavailable)
		return mem_text(c->metric->unavailable);
	base = isnan(c->base) ? mem_text("?") : format_number(c->base, false);
	cand = isnan(c->cand) ? mem_text("?") : format_number(c->cand, false);
	ratio = c->base > 0 && c->cand > 0 ? format_number(c->cand / c->base, false) : NULL;
	both = mem_format("%s -> %s %s%s%s", base, cand, c->metric->unit,
		ratio ? ", ratio " : "", ratio ? ratio : "");
	free(base);
	free(cand);
	free(ratio);
	return both;
}

/* "Neoverse-N1, CPUs 0-3, tcg, 6.12.117" */
static char *machine_text(const struct record *r)
{
	const struct field *release = fields_find(&r->subject, "kernel_release");
	const char *model = identity(r, "cpu_model"), *cpus = identity(r, "cpus_online");
	const char *accelerator = identity(r, "accelerator");

	return mem_format("%s, CPUs %s%s%s, %s", model ? model : "?", cpus ? cpus : "?",
		accelerator ? ", " : "", accelerator ? accelerator : "",
		release && release->text ? release->text : "?");
}

static void start_row(struct listing *l, const struct claim *c)
{
	char *number = mem_format("%zu", c->number);

	table_add_row(l->table);
	set_cell(l->table, NUMBER, number);
	set_cell(l->table, CLAIM, claim_text(c));
	set_cell(l->table, PUBLISHED, published_text_of(c));
}

/* One line of an experiment that says something of it. */
static void put_finding(struct listing *l, const struct claim *c,
	const struct claims_measured *m, struct finding *f)
{
	start_row(l, c);
	set_cell(l->table, HERE, f->here);
	set_cell(l->table, ON, machine_text(m->cand));
	set_cell(l->table, VERDICT, f->verdict);
	*f = (struct finding){ 0 };
}

static void put_unmeasured(struct listing *l, const struct claim *c)
{
	const char *own = claim_subject(c, "measure", c->metric->name);
	const char *command = own ? own : claim_subject(c, "measure", NULL);

	start_row(l, c);
	table_set_cell(l->table, HERE, "not measured", TABLE_PLAIN);
	table_set_cell(l->table, VERDICT, "cannot be judged: nothing was measured here",
		TABLE_PLAIN);
	fprintf(l->commands, "  %zu: %s\n", c->number, command ? command : "not known how");
}

static int put_claim(struct listing *l, struct claim *c)
{
	size_t n = 0;
	int code = published_values(c->from, c->run, c->metric->name, &c->base, &c->cand);

	for (size_t i = 0; i < l->n_measured && code == 0; i++) {
		struct finding *found;
		size_t n_found;

		code = claim_judge(c, &l->measured[i], &found, &n_found);
		for (size_t k = 0; k < n_found && code == 0; k++, n++)
			put_finding(l, c, &l->measured[i], &found[k]);
		if (code == 0)
			free(found);
	}
	if (code == 0 && n == 0)
		put_unmeasured(l, c);
	return code;
}

static int put_record(struct listing *l, const struct record *r)
{
	int code = 0;

	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];

		for (size_t k = 0;
			published_is_base(run) && k < run->n_metrics && code == 0; k++) {
			struct claim c = { .number = ++l->n_claims,
				.from = r,
				.run = run,
				.metric = &run->metrics[k] };

			code = put_claim(l, &c);
		}
	}
	return code;
}

static struct table *new_table(size_t width)
{
	static const struct {
		const char *name;
		enum table_align align;
	} columns[] = {
		[NUMBER] = { "#", TABLE_RIGHT },
		[CLAIM] = { "claim", TABLE_WRAP },
		[PUBLISHED] = { "published", TABLE_WRAP },
		[HERE] = { "measured here", TABLE_WRAP },
		[ON] = { "on", TABLE_WRAP },
		[VERDICT] = { "verdict", TABLE_WRAP },
	};
	struct table *t = table_new(width, false);

	for (size_t i = 0; t && i < sizeof(columns) / sizeof(*columns); i++)
		table_add_column(t, columns[i].name, columns[i].align);
	return t;
}

int claims_text(const struct record *const *published, size_t n_published,
	const struct claims_measured *measured, size_t n_measured, size_t width, char **ret,
	size_t *ret_claims)
{
	char *commands = NULL, *table = NULL;
	size_t bytes;
	struct listing l = { .table = new_table(width),
		.measured = measured,
		.n_measured = n_measured,
		.commands = open_memstream(&commands, &bytes) };
	int code = 0;

	if (!l.table || !l.commands)
		abort();
	for (size_t i = 0; i < n_published && code == 0; i++)
		code = put_record(&l, published[i]);
	if (code == 0)
		code = table_text(l.table, &table);
	fclose(l.commands);
	table_free(l.table);
	if (code == 0) {
		*ret = mem_format("%s%s%s", table,
			*commands ? "\nWhat was not measured is measured by\n" : "",
			commands);
		*ret_claims = l.n_claims;
	}
	free(table);
	free(commands);
	return code;
}
