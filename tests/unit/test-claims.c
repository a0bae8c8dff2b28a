// SPDX-License-Identifier: GPL-2.0-or-later
/* A published figure and an experiment: each word that may come of them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sample-arms.h"
#include "verdicts/claims.h"

#define NUMBERS 6

static struct run *add_arm(struct record *r, const char *arm)
{
	struct run *run = arm_run(r, "swap", 1, 1, 0);

	fields_set_text(&run->params, "arm", arm);
	return run;
}

/* "t" fell from 100 to 80 %, "gone" from 9 to 0; of "bound" there is no number. */
static struct record *publication(void)
{
	struct record *r = record_new();
	static const double times[] = { 100, 80 }, shares[] = { 9, 0 };
	static const char *const arms[] = { "base", "cand" };

	fields_set_text(&r->identity, "arch", "aarch64");
	fields_set_text(&r->subject, "published", "a series");
	fields_set_text(&r->subject, "arms", "nobatch batch");
	fields_set_text(&r->subject, "measure", "shootdown ab nobatch batch");
	fields_set_text(&r->subject, "here:t", "beside swap count_per_page");
	fields_set_text(&r->subject, "here:gone", "judged swap part_per_page");
	fields_set_text(&r->subject, "here:total", "judged swap count_per_page");
	fields_set_text(&r->subject, "here:elapsed", "judged swap t");
	for (int i = 0; i < 2; i++) {
		struct run *run = add_arm(r, arms[i]);

		arm_metric(run, "t", "ns/page", KIND_SAMPLE, &times[i]);
		arm_metric(run, "gone", "%", KIND_SHARE, &shares[i]);
		arm_metric(run, "total", "interrupts", KIND_SAMPLE, &times[i]);
		arm_metric(run, "elapsed", "s", KIND_SAMPLE, &times[i]);
	}
	return r;
}

static struct record *arm(
	const char *release, int64_t on, double t, double count, double part, bool emulated)
{
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap", NUMBERS, 1, 1);
	double values[3][NUMBERS];

	fields_set_text(&r->identity, "arch", "aarch64");
	fields_set_text(&r->subject, "kernel_release", release);
	fields_set_number(&r->subject, "switch", on);
	for (int i = 0; i < NUMBERS; i++) {
		values[0][i] = t + t * i / 1000;
		values[1][i] = count + count * i / 1000;
		values[2][i] = part;
	}
	arm_metric(run, "t", "ns/page", KIND_SAMPLE, values[0])->emulated = emulated;
	arm_metric(run, "count_per_page", "events/page", KIND_SAMPLE, values[1]);
	arm_metric(run, "part_per_page", "events/page", KIND_SAMPLE, values[2]);
	return r;
}

/* The last line that begins with this number of a claim; "" without one. */
static const char *line_of(char *text, const char *number)
{
	const char *found = "";

	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		if (strncmp(line + strspn(line, " "), number, strlen(number)) == 0)
			found = line;
	return found;
}

Test(claims, words)
{
	static const struct {
		const char *arms;
		double t, count, part; /* of the candidate; the base has 100, 1, 1 */
		bool emulated;
		const char *number, *word;
	} cases[] = {
		{ "nobatch batch", 80, 1, 1, false, "1 ", "agrees: the same direction" },
		{ "nobatch batch", 60, 1, 1, false, "1 ", "agrees: the same direction" },
		{ "nobatch batch", 92, 1, 1, false, "1 ", "less than half" },
		{ "nobatch batch", 130, 1, 1, false, "1 ", "differs: no such change" },
		{ "nobatch batch", 80, 0.2, 1, true, "1 ", "an emulator's time is not" },
		{ "nobatch batch", 80, 0.2, 1, true, "1 ", "count_per_page 1.002 -> 0.2" },
		{ "nobatch batch", 80, 1, 0.01, false, "2 ", "agrees: it is gone" },
		{ "nobatch batch", 80, 1, 0, false, "2 ", "agrees: it is gone" },
		{ "nobatch batch", 80, 1, 0.5, false, "2 ", "differs: it is still there" },
		{ "nobatch batch", 80, 0.7, 1, false, "3 ", "agrees: the same" },
		{ "nobatch batch", 80, 1.5, 1, false, "3 ", "differs: no such change" },
		{ "nobatch batch", 80, 0, 1, false, "3 ", "one side is 0" },
		{ "nobatch batch", 80, 1, 1, false, "4 ", "agrees: the same direction" },
		{ "nobatch batch", 80, 1, 1, true, "4 ", "here: an emulator's time" },
		{ "stock luf", 80, 1, 1, false, "1 ", "nothing was measured here" },
		{ "stock luf", 80, 1, 1, false, "1: ", "shootdown ab nobatch batch" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *r = publication(),
			      *base = arm("6.12", 0, 100, 1, 1, cases[i].emulated);
		struct record *cand = arm("6.12", 1, cases[i].t, cases[i].count,
			cases[i].part, cases[i].emulated);
		const struct claims_measured m = { cases[i].arms, base, cand };
		const struct record *const list[] = { r };
		size_t n;
		char *text;

		cr_assert_eq(claims_text(list, 1, &m, 1, 0, &text, &n), 0);
		cr_expect_eq(n, 4);
		cr_expect(strstr(line_of(text, cases[i].number), cases[i].word), "%zu: %s",
			i, text);
		free(text);
		record_free(r);
		record_free(base);
		record_free(cand);
	}
}

Test(claims, a_switch_is_one_where_one_kernel_ran_both_ways)
{
	static const struct {
		const char *release;
		int64_t on;
		bool agrees;
	} cases[] = { { "6.12", 1, true }, { "6.12", 0, false }, { "6.13", 1, false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct record *r = record_new(), *base = arm("6.12", 0, 1, 1, 1, false);
		struct record *cand = arm(cases[i].release, cases[i].on, 1, 1, 1, false);
		const struct claims_measured m = { "any two", base, cand };
		const struct record *const list[] = { r };
		static const double none[] = { 0 };
		struct metric *metric;
		char *text;
		size_t n;

		fields_set_text(&r->identity, "arch", "x86_64");
		metric = arm_metric(add_arm(r, "base"), "switch", "none", KIND_EXACT, none);
		metric->unavailable = mem_text("asked for");
		free(metric->values);
		metric->values = NULL;
		cr_assert_eq(claims_text(list, 1, &m, 1, 0, &text, &n), 0);
		cr_expect_eq(!!strstr(text, "agrees: there is one"), cases[i].agrees,
			"%zu: %s", i, text);
		free(text);
		record_free(r);
		record_free(base);
		record_free(cand);
	}
}
