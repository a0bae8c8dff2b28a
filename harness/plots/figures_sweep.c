// SPDX-License-Identifier: GPL-2.0-or-later
/* The curve of a sweep. */
#include "base/mem.h"
#include "plots/figures_parts.h"

void figures_add_sweep(const struct report *r, struct figures *f)
{
	const struct sweep *s = r->sweep;
	json_t *spec;

	if (!s)
		return;
	spec = json_loads(s->json, 0, NULL);
	json_object_set_new(spec, "kind", json_string("sweep"));
	figures_add(f, FIGURE_SWEEP, mem_text("sweep"), NULL,
		mem_format("%s by %s, %s: %s", s->metric, s->param, s->unit,
			s->crossover ? s->crossover : "a curve of the table below"),
		mem_format(
			"%s, %s; n of each point in the table. Points are means of boots, "
			"or of one boot's samples, which are the faint dots.",
			s->metric, s->unit),
		spec);
}
