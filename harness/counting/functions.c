// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "counting/join.h"
#include "counting/tally.h"

#define TOP 8

/* Takes more over. */
static void append(char **text, char *more)
{
	char *longer = mem_format("%s%s", *text, more);

	free(*text);
	free(more);
	*text = longer;
}

static void append_class(char **text, const char *class, struct tally *t, uint64_t work)
{
	tally_sort(t);
	for (size_t i = 0; i < t->count && i < TOP; i++) {
		const char *function = t->items[i].function;

		append(text, mem_format("%-16s %10.4f  %s\n", class,
				     (double)t->items[i].count / (double)work,
				     strcmp(function, "-") == 0 ? "(not in the kernel)"
								: function));
	}
}

/* Windows of the run's samples that are no warm-up; *ret_work: what was done in them. */
static const struct count_window **find_counted(const struct counts *c,
	const struct run *run, size_t *ret_count, uint64_t *ret_work)
{
	const struct metric *id = run_find_metric(run, WINDOW_ID_METRIC);
	const struct count_window **windows = mem_zeroed(run->n_samples, sizeof(void *));

	*ret_count = *ret_work = 0;
	for (size_t i = 0; id && !id->unavailable && i < run->n_samples; i++) {
		const struct count_window *w =
			counts_find(c, (uint64_t)id->values[i].integer);

		if (!w || run->places[i].warmup)
			continue;
		windows[(*ret_count)++] = w;
		*ret_work += run->work[i];
	}
	return windows;
}

static void append_run(char **text, const struct counts *c, const struct run *run)
{
	size_t n_windows;
	uint64_t work;
	const struct count_window **windows = find_counted(c, run, &n_windows, &work);

	append(text, mem_format("%s", run->workload));
	for (size_t i = 0; i < run->params.count; i++) {
		const struct field *f = &run->params.items[i];

		append(text,
			f->text ? mem_format(" %s=%s", f->name, f->text)
				: mem_format(" %s=%lld", f->name, (long long)f->number));
	}
	append(text, mem_format("\n%-16s %10s  function\n", "instruction", run->unit));
	for (size_t class = 0; class < c->n_classes && work; class ++) {
		struct tally t = { 0 };

		for (size_t w = 0; w < n_windows; w++)
			for (size_t p = 0; p < windows[w]->n_places; p++)
				if (windows[w]->places[p].class == class)
					tally_add(&t, windows[w]->places[p].function,
						windows[w]->places[p].count);
		append_class(text, c->classes[class], &t, work);
		free(t.items);
	}
	append(text, mem_text("\n"));
	free(windows);
}

char *counts_format_functions(const struct counts *counts, const struct record *record)
{
	char *text = mem_text("");

	for (size_t i = 0; i < record->n_runs; i++)
		if (record->runs[i].n_samples &&
			run_find_metric(&record->runs[i], WINDOW_ID_METRIC))
			append_run(&text, counts, &record->runs[i]);
	return text;
}
