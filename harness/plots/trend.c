// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/trend.h"

#include <math.h>

#include "plots/html.h"

#define WIDTH 120.0
#define HEIGHT 26.0
#define ROOM 3.0 /* above and below */

struct scale {
	long first, newest; /* days */
	double low, high;
};

static long day_of(const struct machine *m, const struct series *s, size_t point)
{
	return m->nights[s->points[point].night].day;
}

static double x_of(const struct scale *scale, double day)
{
	return ROOM + (WIDTH - 2 * ROOM) * (day - (double)scale->first) / (TREND_DAYS - 1);
}

static double y_of(const struct scale *scale, double y)
{
	const double part = (y - scale->low) / (scale->high - scale->low);

	return HEIGHT - ROOM - (HEIGHT - 2 * ROOM) * part;
}

/* Four times what matters fills the height, so that noise does not. */
static struct scale scale_of(const struct machine *m, const struct series *s, long newest)
{
	const double least =
		4 * (s->ratio ? log1p(s->effect.relative) : s->effect.absolute);
	struct scale ret = { .first = newest - TREND_DAYS + 1,
		.newest = newest,
		.low = INFINITY,
		.high = -INFINITY };
	double span;

	for (size_t i = 0; i < s->n_points; i++) {
		const double y = series_y(s, &s->points[i].first);

		if (day_of(m, s, i) < ret.first || !isfinite(y))
			continue;
		ret.low = fmin(ret.low, y);
		ret.high = fmax(ret.high, y);
	}
	if (!(ret.low <= ret.high))
		ret.low = ret.high = 0;
	span = fmax(ret.high - ret.low, least > 0 ? least : 1e-9);
	ret.low = (ret.low + ret.high - span) / 2;
	ret.high = ret.low + span;
	return ret;
}

/* One path: a move where the night before is missing, else a line. */
static void put_curve(FILE *out, const struct machine *m, const struct series *s,
	const struct scale *scale)
{
	long before = -1;

	fputs("<path class=\"curve\" d=\"", out);
	for (size_t i = 0; i < s->n_points; i++) {
		const long day = day_of(m, s, i);
		const double y = series_y(s, &s->points[i].first);

		if (day < scale->first || day > scale->newest || !isfinite(y))
			continue;
		/* A line of no length shows a night on its own as a dot. */
		fprintf(out, "%s%.1f %.1f", day == before + 1 ? "L" : "M",
			x_of(scale, (double)day), y_of(scale, y));
		if (day != before + 1)
			fputs("h0", out);
		before = day;
	}
	fputs("\"/>", out);
}

static void put_change(FILE *out, const struct machine *m, const struct verdict *v,
	const struct scale *scale)
{
	const struct alert *a = verdict_telling_alert(v);
	double x;

	if (!a || day_of(m, v->series, a->first) < scale->first)
		return;
	x = x_of(scale, (double)day_of(m, v->series, a->first) - 0.5);
	fprintf(out, "<path class=\"change\" d=\"M%.1f 0V%g\"/>", x, HEIGHT);
}

void trend_put(FILE *out, const struct machine *m, const struct verdict *v, long newest,
	const char *label)
{
	const struct series *s = v->series;
	const struct scale scale = scale_of(m, s, newest);
	const size_t last = s->n_points - 1;
	const double y = series_y(s, &s->points[last].first);

	fprintf(out,
		"<svg class=\"trend\" viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"",
		WIDTH, HEIGHT);
	html_put(out, label);
	fputs("\">", out);
	put_change(out, m, v, &scale);
	put_curve(out, m, s, &scale);
	if (day_of(m, s, last) >= scale.first && isfinite(y))
		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>",
			x_of(&scale, (double)day_of(m, s, last)), y_of(&scale, y));
	fputs("</svg>", out);
}
