// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics of a profiled window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/window_parts.h"

/* Functions that are named beside those that are watched. */
#define TOP 20

/* In the order of their metrics, from first_profile on. */
enum { HITS, LOST, WALL, FIRST_GROUP, FIRST_WATCHED = FIRST_GROUP + HOTSPOT_GROUPS };

static struct sheet_metric *add(struct window *w, const char *name, const char *unit)
{
	char source[64] = "perf";
	struct sheet_metric *m;

	if (w->profile)
		profile_source(w->profile, source, sizeof(source));
	m = sheet_add(w->sheet, name, unit, source);
	m->per_unit = false;
	return m;
}

static struct sheet_metric *add_share(struct window *w, const char *what, const char *name)
{
	char full[64];
	struct sheet_metric *m;

	snprintf(full, sizeof(full), "%s:%s", what, name);
	m = add(w, full, "of hits");
	m->share_of = (int)(w->first_profile + HITS);
	return m;
}

static void say_unavailable(struct sheet_metric *m, const char *reason)
{
	if (m->unavailable[0] == '\0')
		snprintf(m->unavailable, sizeof(m->unavailable), "%s", reason);
}

void window_add_profile(struct window *w, struct sheet *sheet, const char *unavailable)
{
	w->first_profile = sheet->n_metrics;
	add(w, "profile_hits", "hits");
	add(w, "profile_lost", "hits");
	add(w, "profiled_wall_ns", "ns");
	for (size_t i = 0; i < HOTSPOT_GROUPS; i++)
		add_share(w, "group_share", hotspot_group_names[i]);
	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++) {
		struct sheet_metric *m = add_share(w, "share", hotspots_watched[i]);

		if (w->profile && !profile_has(w->profile, i))
			say_unavailable(m,
				"this kernel has no function of that name: another "
				"architecture's, or inlined, and its time is its callers'");
	}
	for (size_t i = w->first_profile; unavailable && i < sheet->n_metrics; i++)
		say_unavailable(&sheet->metrics[i], unavailable);
}

static void void_shares(struct window *w, const char *reason)
{
	for (size_t i = w->first_profile + FIRST_GROUP; i < w->sheet->n_metrics; i++)
		say_unavailable(&w->sheet->metrics[i], reason);
}

static void write_chains(struct window *w, const struct bench *b)
{
	char *text = profile_folded(w->profile, b->workload->name);

	w->folded_status = file_replace(w->folded, text, strlen(text));
	free(text);
}

void window_fill_profile(struct window *w, const struct bench *b, struct sheet_slot *slot)
{
	const struct profile_counts *c = profile_counts(w->profile);
	struct sheet_value *to = &slot->values[w->first_profile];
	struct profile_function top[TOP];
	const size_t n = profile_top(w->profile, top, TOP);

	to[HITS].value = (int64_t)c->hits;
	to[LOST].value =
		c->lost == SAMPLING_LOST_UNKNOWN ? SHEET_NO_VALUE : (int64_t)c->lost;
	to[WALL].value = (int64_t)window_wall_ns(w);
	for (size_t i = 0; i < HOTSPOT_GROUPS; i++)
		to[FIRST_GROUP + i].value = (int64_t)c->groups[i];
	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++)
		to[FIRST_WATCHED + i].value = (int64_t)c->watched[i];
	for (size_t i = 0; i < n; i++) {
		slot->values[w->sheet->n_metrics].value = (int64_t)top[i].hits;
		add_share(w, "share", top[i].name);
	}
	if (w->folded)
		write_chains(w, b);
	if (c->hits == 0)
		void_shares(w, "no sample of the CPU fell into the window");
	else if (profile_is_void(c))
		void_shares(w, "more than 1 % of the hits were lost: they came faster "
			       "than their buffer holds");
}
