// SPDX-License-Identifier: GPL-2.0-or-later
/* The newest night of each machine as OpenMetrics text, for what draws and alerts. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "verdicts/history_text.h"
#include "verdicts/record_json.h"

/* name="text", as UTF-8, escaped as the format asks. */
static void put_label(FILE *out, const char *name, const char *text)
{
	json_t *clean = record_text_json(text);

	fprintf(out, "%s=\"", name);
	for (const char *at = json_string_value(clean); at && *at; at++) {
		if (*at == '\n')
			fputs("\\n", out);
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else
			fputc(*at, out);
	}
	fputc('"', out);
	json_decref(clean);
}

static void put_series(FILE *out, const struct machine *m, const struct series *s)
{
	put_label(out, "machine", m->name);
	fputc(',', out);
	put_label(out, "setup", m->setups[s->setup].digest);
	fputc(',', out);
	put_label(out, "workload", s->workload);
	fputc(',', out);
	put_label(out, "metric", s->metric);
	fputc(',', out);
	put_label(out, "unit", s->unit);
}

/* A number of a series; false: it has none, or not tonight. */
typedef bool (*number_of)(const struct verdict *v, double *ret);

static bool is_of_tonight(const struct verdict *v)
{
	return v->series->n_points > 0 && !v->ended && !v->missing;
}

static const struct reading *last_reading(const struct verdict *v)
{
	return &v->series->points[v->series->n_points - 1].first;
}

static bool tonight_of(const struct verdict *v, double *ret)
{
	*ret = is_of_tonight(v) ? last_reading(v)->tonight : NAN;
	return isfinite(*ret);
}

static bool reference_of(const struct verdict *v, double *ret)
{
	*ret = is_of_tonight(v) ? last_reading(v)->reference : NAN;
	return isfinite(*ret);
}

static bool ratio_of(const struct verdict *v, double *ret)
{
	*ret = is_of_tonight(v) && v->series->ratio ? exp(v->y) : NAN;
	return isfinite(*ret);
}

static void put_family(FILE *out, const struct history *h, const char *name,
	const char *help, number_of number)
{
	double value;

	fprintf(out, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
	for (size_t i = 0; i < h->n_machines; i++)
		for (size_t k = 0; k < h->machines[i].n_series; k++) {
			const struct verdict *v = &h->verdicts[i][k];

			if (!number(v, &value))
				continue;
			fprintf(out, "%s{", name);
			put_series(out, &h->machines[i], v->series);
			fprintf(out, "} %.17g\n", value);
		}
}

/* One state for each word; "missing" stands for the word of a night before. */
static void put_verdicts(FILE *out, const struct machine *m, const struct verdict *v)
{
	for (int word = SERIES_LEARNING; word <= SERIES_REGRESSION + 1; word++) {
		const bool last = word > SERIES_REGRESSION;

		fputs("shootdown_verdict{", out);
		put_series(out, m, v->series);
		fprintf(out, ",shootdown_verdict=\"%s\"} %d\n",
			last ? "missing" : series_word_text((enum series_word)word),
			last ? v->missing
			     : !v->missing && v->word == (enum series_word)word);
	}
}

static void put_all_verdicts(FILE *out, const struct history *h)
{
	fputs("# TYPE shootdown_verdict stateset\n"
	      "# HELP shootdown_verdict What the history of a series says.\n",
		out);
	for (size_t i = 0; i < h->n_machines; i++)
		for (size_t k = 0; k < h->machines[i].n_series; k++)
			if (h->verdicts[i][k].series->n_points > 0 &&
				!h->verdicts[i][k].ended)
				put_verdicts(out, &h->machines[i], &h->verdicts[i][k]);
}

static void put_nights(FILE *out, const struct history *h)
{
	fputs("# TYPE shootdown_night_timestamp_seconds gauge\n"
	      "# UNIT shootdown_night_timestamp_seconds seconds\n"
	      "# HELP shootdown_night_timestamp_seconds Begin (UTC) of the day of the "
	      "machine's newest night.\n",
		out);
	for (size_t i = 0; i < h->n_machines; i++) {
		const struct machine *m = &h->machines[i];

		if (m->n_nights == 0)
			continue;
		fputs("shootdown_night_timestamp_seconds{", out);
		put_label(out, "machine", m->name);
		fprintf(out, "} %ld\n", m->nights[m->n_nights - 1].day * 86400);
	}
}

int history_openmetrics(const struct history *h, char **ret)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return -ENOMEM;
	put_nights(out, h);
	put_family(out, h, "shootdown_tonight", "Tonight's kernel, in the metric's unit.",
		tonight_of);
	put_family(out, h, "shootdown_reference",
		"The pinned reference kernel, the same night.", reference_of);
	put_family(out, h, "shootdown_ratio",
		"Tonight's kernel to the reference, where both are above 0.", ratio_of);
	put_all_verdicts(out, h);
	fputs("# EOF\n", out);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}
