// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics of what goes on around a sample, and the doubts that they raise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/window_parts.h"

/* Time of the CPUs that others took, above which the samples are doubtful. */
#define STOLEN_PERCENT 5

static const struct {
	const char *name, *unit, *source;
	bool per_unit;
} metrics[SURROUNDINGS] = {
	[AROUND_SOFTIRQ] = { "machine_softirq_ns", "ns", "/proc/stat softirq", false },
	[AROUND_STEAL] = { "machine_steal_ns", "ns", "/proc/stat steal", false },
	[AROUND_ENERGY] = { "energy_uj", "uJ", "RAPL or hwmon", true },
	[AROUND_THROTTLES] = { "thermal_throttles", "events", "thermal_throttle", false },
};

void window_add_around(struct window *w, const struct bench *b, struct sheet *sheet)
{
	w->first_around = sheet->n_metrics;
	surroundings_read(w->root, &w->before.around);
	for (size_t i = 0; i < SURROUNDINGS; i++) {
		const int status = w->before.around.status[i];
		char *name = metrics[i].per_unit ? mem_format("%s_per_%s", metrics[i].name,
							   b->workload->unit)
						 : mem_text(metrics[i].name);
		char *unit = metrics[i].per_unit ? mem_format("%s/%s", metrics[i].unit,
							   b->workload->unit)
						 : mem_text(metrics[i].unit);
		struct sheet_metric *m = sheet_add(sheet, name, unit, metrics[i].source);

		m->per_unit = metrics[i].per_unit;
		m->better = i == AROUND_ENERGY ? BETTER_LOWER : BETTER_NONE;
		if (status < 0)
			snprintf(m->unavailable, sizeof(m->unavailable), "%s",
				surroundings_explain((enum surrounding)i, status));
		free(name);
		free(unit);
	}
}

/* What the counter of SMIs had in this sample. */
static int64_t count_smis(const struct window *w, const struct sheet_slot *slot)
{
	for (size_t i = 0; i < counters_count(w->counters); i++) {
		const int64_t value = slot->values[w->first_counter + i].value;

		if (strcmp(counters_info(w->counters, i).name, COUNTERS_SMIS) == 0)
			return value == SHEET_NO_VALUE ? 0 : value;
	}
	return 0;
}

void window_fill_around(struct window *w, struct sheet_slot *slot)
{
	int64_t deltas[SURROUNDINGS] = { 0 };

	for (size_t i = 0; i < SURROUNDINGS; i++) {
		struct sheet_value *to = &slot->values[w->first_around + i];
		const int ret = surroundings_delta(&w->before.around, &w->after.around,
			(enum surrounding)i, &deltas[i]);

		to->value = ret < 0 ? SHEET_NO_VALUE : deltas[i];
	}
	w->stolen_ns += deltas[AROUND_STEAL];
	w->smis += count_smis(w, slot);
	w->throttles += deltas[AROUND_THROTTLES];
	w->wall_ns += window_wall_ns(w) * w->cpus->count;
}

/* The first event of the CPU's set that ran, and counted nothing in any sample. */
static const char *find_silent(const struct window *w)
{
	for (size_t i = 0; i < counters_count(w->counters); i++) {
		const struct counter_info info = counters_info(w->counters, i);

		if (info.tells && !info.unavailable &&
			strcmp(info.name, COUNTERS_SMIS) != 0 &&
			sheet_stayed_zero(w->sheet, w->first_counter + i))
			return info.name;
	}
	return NULL;
}

char *window_remark(const struct window *w)
{
	const double percent =
		w->wall_ns ? 100.0 * (double)w->stolen_ns / (double)w->wall_ns : 0;

	const char *silent = w->counters ? find_silent(w) : NULL;

	if (w->folded_status < 0)
		return mem_format("%s: %s", w->folded, strerror(-w->folded_status));
	if (w->throttles > 0)
		return mem_text("CPUs were slowed down for their heat (thermal_throttles)");
	if (w->smis > 0)
		return mem_format(
			"firmware took the CPU away %lld times (smis)", (long long)w->smis);
	if (percent >= STOLEN_PERCENT)
		return mem_format("the hypervisor gave %.0f %% of the CPUs' time to others "
				  "(machine_steal_ns)",
			percent);
	if (silent)
		return mem_format("%s ran and counted 0 in every sample: either nothing "
				  "of it happens here, or this CPU or its hypervisor "
				  "does not count it",
			silent);
	return NULL;
}
