// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "verdicts/attribution.h"
#include "verdicts/compare_format.h"
#include "verdicts/compare_pair.h"

static const struct {
	const char *word, *sentence;
} words[] = {
	[ATTRIBUTION_NONE] = { "none", "No difference in time that is more than chance." },
	[ATTRIBUTION_FLUSH] = { "flush",
		"TLB flush: at least half of the difference is its." },
	[ATTRIBUTION_NOT_TLB] = { "not TLB",
		"Not TLB: less than half of the difference is the flush's." },
	[ATTRIBUTION_UNDECIDED] = { "undecided",
		"Whether half of the difference is the flush's, these boots do not tell." },
};

const char *attribution_word_text(enum attribution_word word)
{
	return words[word].word;
}

const char *attribution_sentence(enum attribution_word word)
{
	return words[word].sentence;
}

static bool is_same_but_pass(const struct run *timed, const struct run *profiled)
{
	for (size_t i = 0; i < timed->params.count; i++) {
		const struct field *f = &timed->params.items[i];
		const struct field *other = fields_find(&profiled->params, f->name);

		/* A profile chooses its own number of iterations. */
		if (strcmp(f->name, "pass") == 0 || strcmp(f->name, "iterations") == 0)
			continue;
		if (!other || !field_equal(f, other))
			return false;
	}
	return strcmp(timed->workload, profiled->workload) == 0 &&
	       timed->revision == profiled->revision;
}

static bool says(const struct run *run, const char *param, const char *text)
{
	const struct field *f = fields_find(&run->params, param);

	return f && f->text && strcmp(f->text, text) == 0;
}

const struct run *attribution_find_profile(const struct record *r, const struct run *timed)
{
	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];

		if (run->status == RUN_OK && run->n_samples > 0 &&
			says(run, "pass", "profiled") && says(run, "scope", "thread") &&
			is_same_but_pass(timed, run))
			return run;
	}
	return NULL;
}

/* "-2941 [-3350, -2533]"; freed by the caller. */
static char *format_difference(const struct attribution_part *part)
{
	char *difference = format_number(part->difference, true), *low, *high, *text;

	if (!part->has_interval)
		return difference;
	low = format_number(part->low, true);
	high = format_number(part->high, true);
	text = mem_format("%s [%s, %s]", difference, low, high);
	free(difference);
	free(low);
	free(high);
	return text;
}

static void print_part(FILE *out, const struct attribution_part *part)
{
	char *base = format_number(part->base, false);
	char *cand = format_number(part->cand, false);
	char *difference = format_difference(part);

	fprintf(out, "  %-12s %10s %10s  %s\n", part->name, base, cand, difference);
	free(base);
	free(cand);
	free(difference);
}

/* What a file says may hold anything; it must not steer a terminal. */
static void print_safe(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, out);
}

static void print_one(FILE *out, const struct attribution *a)
{
	print_safe(out, a->workload);
	fputs(", ", out);
	print_safe(out, a->unit);
	fprintf(out, "%s\n  %-12s %10s %10s  difference\n",
		a->emulated ? " of an emulator, whose time is not time" : "", "", "base",
		"cand");
	for (size_t i = 0; i < a->n_parts; i++)
		print_part(out, &a->parts[i]);
	print_part(out, &a->whole);
	fprintf(out, "  %.0f and %.0f hits; intervals: ", a->hits_base, a->hits_cand);
	if (!a->by_boots)
		fputs("of the sampling alone.\n", out);
	else
		fprintf(out, "of the boots.\n  %s\n", attribution_sentence(a->word));
}

void attribution_print(FILE *out, const struct attribution *all, size_t n)
{
	if (n == 0)
		return;
	fputs("\nWhere the time went: share of the profile's hits x time on the CPU.\n",
		out);
	for (size_t i = 0; i < n; i++)
		print_one(out, &all[i]);
}
