// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/history_group.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *night_commit(const struct night *n)
{
	return n->commit ? n->commit : n->kernel;
}

static const struct night *night_of(const struct group_member *m, size_t point)
{
	return &m->machine->nights[m->verdict->series->points[point].night];
}

static const struct night *good_of(const struct group_member *m)
{
	return night_of(m, m->alert->good);
}

static const struct night *bad_of(const struct group_member *m)
{
	return night_of(m, m->alert->bad);
}

/*
 * On one machine, nights that both may hold the change are enough. Two machines
 * may measure different trees: there the commits must be the same. A creep has no
 * night of its own, and would take everything along.
 */
static bool fits(const struct group *g, const struct group_member *m)
{
	const struct group_member *first = &g->members[0];

	if ((first->alert->kind == ALERT_CREEP) != (m->alert->kind == ALERT_CREEP))
		return false;
	if (first->machine != m->machine)
		return strcmp(night_commit(g->bad), night_commit(bad_of(m))) == 0 &&
		       strcmp(night_commit(g->good), night_commit(good_of(m))) == 0;
	return good_of(m)->day < g->bad->day && g->good->day < bad_of(m)->day;
}

static void join(struct group *g, const struct group_member *m)
{
	g->members = mem_resize(g->members, g->n_members + 1, sizeof(*g->members));
	g->members[g->n_members++] = *m;
	if (g->members[0].machine != m->machine)
		return;
	if (!g->good || good_of(m)->day > g->good->day)
		g->good = good_of(m);
	if (!g->bad || bad_of(m)->day < g->bad->day)
		g->bad = bad_of(m);
}

static void add(struct group **groups, size_t *n, const struct group_member *m)
{
	size_t i = 0;

	while (i < *n && !fits(&(*groups)[i], m))
		i++;
	if (i == *n) {
		*groups = mem_resize(*groups, *n + 1, sizeof(**groups));
		(*groups)[(*n)++] = (struct group){ 0 };
	}
	join(&(*groups)[i], m);
}

/* The narrowest first: what is less certain joins it. */
static int by_width(const void *left, const void *right)
{
	const struct group_member *a = left, *b = right;
	long wide_a = bad_of(a)->day - good_of(a)->day;
	long wide_b = bad_of(b)->day - good_of(b)->day;
	int order = (wide_a > wide_b) - (wide_a < wide_b);

	if (order != 0)
		return order;
	order = strcmp(a->machine->name, b->machine->name);
	return order ? order : strcmp(a->verdict->series->key, b->verdict->series->key);
}

static int by_night(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->bad->day != b->bad->day)
		return a->bad->day < b->bad->day ? 1 : -1;
	return by_width(&a->members[0], &b->members[0]);
}

struct group *groups_make(const struct history *h, size_t *ret_count)
{
	struct group_member *all = NULL;
	struct group *groups = NULL;
	size_t n_all = 0, n = 0;

	for (size_t m = 0; m < h->n_machines; m++)
		for (size_t i = 0; i < h->machines[m].n_series; i++) {
			const struct verdict *v = &h->verdicts[m][i];

			for (size_t k = 0; k < v->n_alerts; k++) {
				if (v->alerts[k].state != ALERT_OPEN)
					continue;
				all = mem_resize(all, n_all + 1, sizeof(*all));
				all[n_all++] = (struct group_member){ &h->machines[m], v,
					&v->alerts[k] };
			}
		}
	if (n_all > 0)
		qsort(all, n_all, sizeof(*all), by_width);
	for (size_t i = 0; i < n_all; i++)
		add(&groups, &n, &all[i]);
	if (n > 0)
		qsort(groups, n, sizeof(*groups), by_night);
	free(all);
	*ret_count = n;
	return groups;
}

void groups_free(struct group *groups, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(groups[i].members);
	free(groups);
}
