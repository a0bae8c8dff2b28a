// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>

#include "verdicts/bisect.h"

static struct judgement between(double low, double high)
{
	return (struct judgement){
		.tested = true,
		.differences = { .mean = (low + high) / 2, .low = low, .high = high },
	};
}

Test(bisect, ends_that_differ_exclude_zero)
{
	static const struct {
		double low, high;
		bool differ;
	} cases[] = {
		{ 1, 3, true },
		{ -3, -1, true },
		{ 2, 2, true },
		{ -1, 3, false },
		{ 0, 3, false },
		{ 0, 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct judgement j = between(cases[i].low, cases[i].high);
		double difference = -1000;

		cr_expect_eq(
			bisect_ends_differ(&j, &difference), cases[i].differ, "%zu", i);
		cr_expect_eq(difference, cases[i].differ ? j.differences.mean : -1000);
	}
}

Test(bisect, answers_by_the_whole_interval)
{
	static const struct {
		double low, high, ends;
		enum bisect_answer answer;
	} cases[] = {
		/* The middle is 5. */
		{ -1, 1, 10, BISECT_GOOD },
		{ 3, 4.9, 10, BISECT_GOOD },
		{ -30, -20, 10, BISECT_GOOD },
		{ 9, 11, 10, BISECT_BAD },
		{ 30, 40, 10, BISECT_BAD },
		{ 4, 6, 10, BISECT_UNDECIDED },
		{ -90, 90, 10, BISECT_UNDECIDED },
		{ 5, 5, 10, BISECT_UNDECIDED },
		/* What is bad has become less. */
		{ -1, 1, -10, BISECT_GOOD },
		{ -11, -9, -10, BISECT_BAD },
		{ -6, -4, -10, BISECT_UNDECIDED },
		{ 20, 30, -10, BISECT_GOOD },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct judgement j = between(cases[i].low, cases[i].high);

		cr_expect_eq(bisect_judge(&j, cases[i].ends), cases[i].answer, "%zu", i);
	}
}

Test(bisect, one_boot_decides_nothing)
{
	const struct judgement j = { .tested = false };
	double difference;

	cr_expect_not(bisect_ends_differ(&j, &difference));
	cr_expect_eq(bisect_judge(&j, 10), BISECT_UNDECIDED);
}

Test(bisect, finds_the_row_of_the_metric)
{
	struct compare_row rows[] = {
		{ .metric = (char *)"ns_per_page",
			.base = { .known = true },
			.cand = { .known = true },
			.word = WORD_EMULATED },
		{ .metric = (char *)"lost", .base = { .known = true }, .word = WORD_GONE },
		{ .metric = (char *)"tlb_shootdowns_per_page",
			.base = { .known = true },
			.cand = { .known = true },
			.word = WORD_INCONCLUSIVE },
	};
	const struct comparison c = { .rows = rows, .n_rows = 3 };
	const struct compare_row *row = NULL;
	struct err err = { "" };

	cr_expect_eq(bisect_find_row(&c, "tlb_shootdowns_per_page", &row, &err), 0);
	cr_expect_eq(row, &rows[2]);
	row = NULL;
	cr_expect_eq(bisect_find_row(&c, "lost", &row, &err), -ENOENT);
	cr_expect(strstr(err.text, "tlb_shootdowns_per_page"), "%s", err.text);
	cr_expect_eq(bisect_find_row(&c, "ns_per_page", &row, &err), -EINVAL);
	cr_expect_null(row);
}
