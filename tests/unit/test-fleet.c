// SPDX-License-Identifier: GPL-2.0-or-later
/* Series of several machines, side by side. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plots/trend.h"
#include "verdicts/fleet.h"

enum { N_MACHINES = 3, SERIES_MAX = 4 };

static struct point points[] = { { .night = 0,
	.first = { .known = true, .difference = 1 } } };
static struct night nights[N_MACHINES] = {
	{ .date = (char[]){ "2026-11-30" }, .day = 20787, .kernel = (char[]){ "6.12" } },
	{ .date = (char[]){ "2026-11-28" }, .day = 20785, .kernel = (char[]){ "6.12" } },
	{ .date = (char[]){ "2026-11-30" }, .day = 20787, .kernel = (char[]){ "6.12" } }
};

struct sample {
	struct series series[N_MACHINES][SERIES_MAX];
	struct verdict verdicts[N_MACHINES][SERIES_MAX];
	struct verdict *rows[N_MACHINES];
	struct machine machines[N_MACHINES];
	struct history history;
};

/* workloads[i]: what machine i measured, by setup 0 or, where it begins with "!", by 1. */
static void make(struct sample *s, const char *const workloads[N_MACHINES][SERIES_MAX])
{
	*s = (struct sample){ 0 };
	for (size_t i = 0; i < N_MACHINES; i++) {
		struct machine *m = &s->machines[i];

		*m = (struct machine){ .name = (char[]){ "one" },
			.nights = &nights[i],
			.n_nights = 1,
			.series = s->series[i] };
		s->rows[i] = s->verdicts[i];
		for (; m->n_series < SERIES_MAX && workloads[i][m->n_series];
			m->n_series++) {
			const char *workload = workloads[i][m->n_series];
			struct series *one = &s->series[i][m->n_series];

			*one = (struct series){ .workload = mem_text(
							workload + (*workload == '!')),
				.setup = *workload == '!',
				.metric = (char[]){ "ns_per_page" },
				.unit = (char[]){ "ns/page" },
				.points = points,
				.n_points = 1 };
			s->verdicts[i][m->n_series] = (struct verdict){ .series = one };
		}
	}
	s->history = (struct history){
		.machines = s->machines, .n_machines = N_MACHINES, .verdicts = s->rows
	};
}

static void clear(struct sample *s)
{
	for (size_t i = 0; i < N_MACHINES; i++)
		for (size_t k = 0; k < s->machines[i].n_series; k++)
			free(s->series[i][k].workload);
}

Test(fleet, labels)
{
	static const struct {
		const char *workloads[N_MACHINES][SERIES_MAX];
		const char *label; /* of the first one of the first machine */
	} cases[] = {
		{ { { "swap@1:size=4096,threads=1" } }, "swap" },
		{ { { "swap" } }, "swap" },
		{ { { "swap@1:cpu=3,threads=1" }, { "swap@1:cpu=7,threads=1" } }, "swap" },
		{ { { "swap@1:cpu=3,threads=1" },
			  { "swap@1:cpu=7,threads=1", "swap@1:cpu=7,threads=3" } },
			"swap:threads=1" },
		{ { { "swap@1:cpu=3,threads=1", "!swap@1:cpu=7,threads=1" } }, "swap" },
		{ { { "swap@1:a=1,b=2,c=3", "swap@1:a=2,b=2,c=4" } }, "swap:a=1,c=3" },
		{ { { "swap@1:a=1", "swap@1:a=1,b=2" } }, "swap" },
		{ { { "swap@1:a=12", "swap@1:a=1" } }, "swap:a=12" },
		{ { { "swap@1:a=1", "swaps@1:a=2" } }, "swap" },
		{ { { "swap@1:a=1", "swap@2:a=2" } }, "swap:a=1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sample s;
		char *label;

		make(&s, cases[i].workloads);
		label = fleet_label(&s.history, &s.series[0][0]);
		cr_expect_str_eq(label, cases[i].label, "%zu: %s", i, label);
		free(label);
		clear(&s);
	}
}

Test(fleet, rows_and_cells)
{
	static const char *const workloads[N_MACHINES][SERIES_MAX] = {
		{ "swap@1:cpu=3,threads=1", "migrate@1:cpu=3", "swap@1:cpu=3,threads=3" },
		{ "swap@1:cpu=9,threads=3" },
		{ "reclaim@1:cpu=0", "migrate@1:cpu=0" },
	};
	static const struct {
		const char *label;
		int cells[N_MACHINES]; /* which series of the machine; -1: none */
	} rows[] = { { "swap:threads=1", { 0, -1, -1 } }, { "migrate", { 1, -1, 1 } },
		{ "swap:threads=3", { 2, 0, -1 } }, { "reclaim", { -1, -1, 0 } } };
	struct sample s;
	struct fleet f;

	make(&s, workloads);
	fleet_make(&s.history, &f);
	cr_assert_eq(f.n_rows, sizeof(rows) / sizeof(*rows));
	for (size_t i = 0; i < f.n_rows; i++) {
		cr_expect_str_eq(f.rows[i].label, rows[i].label);
		for (size_t k = 0; k < N_MACHINES; k++)
			cr_expect_eq(f.rows[i].cells[k],
				rows[i].cells[k] < 0 ? NULL
						     : &s.verdicts[k][rows[i].cells[k]],
				"%s, machine %zu", rows[i].label, k);
	}
	cr_expect_eq(f.newest, 20787);
	cr_expect(!fleet_is_silent(&f, &s.machines[0]) &&
		  fleet_is_silent(&f, &s.machines[1]));
	fleet_clear(&f);
	clear(&s);
}

/* After a change of the machine the workload has two series: the one that goes on. */
Test(fleet, an_ended_series_gives_way)
{
	static const char *const workloads[N_MACHINES][SERIES_MAX] = { { "swap@1:a=1",
		"!swap@1:a=1" } };
	struct sample s;
	struct fleet f;

	for (int ended = 0; ended < 2; ended++) {
		make(&s, workloads);
		s.verdicts[0][ended].ended = true;
		s.verdicts[0][ended].n_open = 1;
		fleet_make(&s.history, &f);
		cr_assert_eq(f.n_rows, 1);
		cr_expect_eq(f.rows[0].cells[0], &s.verdicts[0][!ended]);
		fleet_clear(&f);
		s.verdicts[0][ended].n_open = 0;
		s.verdicts[0][!ended].ended = true;
		fleet_make(&s.history, &f);
		cr_expect_eq(f.n_rows, 0, "nothing goes on, and nothing is open");
		fleet_clear(&f);
		clear(&s);
	}
}

/* Nights 0 and 1, none on 2, then 3: two pieces, of which the second is a dot. */
Test(fleet, a_missing_night_breaks_the_curve)
{
	struct night days[] = { { .day = 100 }, { .day = 101 }, { .day = 103 } };
	struct point values[] = { { .night = 0 }, { .night = 1 }, { .night = 2 } };
	struct series series = {
		.points = values, .n_points = 3, .effect = { .absolute = 1 }
	};
	const struct machine m = { .nights = days, .n_nights = 3 };
	const struct verdict v = { .series = &series };
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	values[1].first.difference = 4;
	trend_put(out, &m, &v, 103, "a \"b\"");
	fclose(out);
	cr_expect(strstr(text, "aria-label=\"a &quot;b&quot;\""), "%s", text);
	/* 4 of 4 smallest effects fill the height. */
	cr_expect(strstr(text, "d=\"M111.2 23.0h0L113.1 3.0M117.0 23.0h0\""), "%s", text);
	cr_expect(strstr(text, "<circle cx=\"117.0\" cy=\"23.0\""), "%s", text);
	free(text);
}
