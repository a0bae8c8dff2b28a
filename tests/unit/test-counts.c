// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "counting/join.h"

#define HEAD "shootdown-counts 1\narch aarch64\nvcpus 2\nclasses tlbi_va_is dsb_ish\n"

static const char two_windows[] = HEAD "window 7\n"
				       "kernel 100 20\n"
				       "at dsb_ish ptep_clear_flush 5 1\n"
				       "at dsb_ish ptep_clear_flush 2 0\n"
				       "at dsb_ish - 0 1\n"
				       "at tlbi_va_is arch_tlbbatch 9 0\n"
				       "end\n"
				       "window 18446744073709551615\n"
				       "kernel 40 0\n"
				       "end\n";

static struct counts parse(const char *text)
{
	struct counts c;
	struct err err = { "" };

	cr_assert_eq(counts_parse(text, &c, &err), 0, "%s", err.text);
	return c;
}

Test(counts, parses_windows)
{
	struct counts c = parse(two_windows);
	const struct count_window *w = counts_find(&c, 7);

	cr_assert_eq(c.n_vcpus, 2);
	cr_assert_eq(c.n_classes, 2);
	cr_assert_str_eq(c.classes[1], "dsb_ish");
	cr_assert_eq(c.n_windows, 2);
	cr_assert_not_null(w);
	cr_assert_eq(w->kernel_insns[0], 100);
	cr_assert_eq(w->kernel_insns[1], 20);
	cr_assert_eq(w->classes[0], 9);
	cr_assert_eq(w->classes[2], 7);
	cr_assert_eq(w->classes[3], 2);
	cr_assert_eq(w->n_places, 4);
	cr_assert_str_eq(w->places[0].function, "ptep_clear_flush");
	cr_assert_eq(w->places[0].count, 6);
	cr_assert_not_null(counts_find(&c, UINT64_MAX));
	cr_assert_null(counts_find(&c, 8));
	counts_clear(&c);
}

/* QEMU may be killed anywhere: each start of a file has its whole windows. */
Test(counts, leaves_out_what_was_not_written_to_its_end)
{
	const size_t head = strlen(HEAD),
		     first = strstr(two_windows, "end\n") + 4 - two_windows;

	for (size_t n = head; n < sizeof(two_windows); n++) {
		char *cut = mem_format("%.*s", (int)n, two_windows);
		struct counts c = parse(cut);

		cr_expect_eq(c.n_windows, (n >= first) + (n + 1 == sizeof(two_windows)),
			"%zu bytes", n);
		counts_clear(&c);
		free(cut);
	}
}

Test(counts, names_the_line_that_is_wrong)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "line 1:" },
		{ "shootdown-counts 2\n", "line 1:" },
		{ "shootdown-counts 1\narch x\n", "cut within its head" },
		{ "shootdown-counts 1\nvcpus 0\n", "line 2:" },
		{ "shootdown-counts 1\nvcpus 1025\n", "line 2:" },
		{ "shootdown-counts 1\nvcpus 1 2\n", "line 2:" },
		{ "shootdown-counts 1\nclasses a\n", "line 2:" },
		{ "shootdown-counts 1\nvcpus 1\nclasses a b c d e f g h i j k l m n o p q r s t "
		  "u v w x y\n",
			"line 3:" },
		{ HEAD "classes a\n", "line 5:" },
		{ HEAD "kernel 1 2\n", "line 5:" },
		{ HEAD "at dsb_ish f 1 2\n", "line 5:" },
		{ HEAD "end\n", "line 5:" },
		{ HEAD "window -1\n", "line 5:" },
		{ HEAD "window 99999999999999999999\n", "line 5:" },
		{ HEAD "window 1\nwindow 2\n", "line 6:" },
		{ HEAD "window 1\nkernel 1\n", "line 6:" },
		{ HEAD "window 1\nkernel 1 2 3\n", "line 6:" },
		{ HEAD "window 1\nkernel 1 x\n", "line 6:" },
		{ HEAD "window 1\nkernel 1 9223372036854775807\n", "line 6:" },
		{ HEAD "window 1\nat dsb_sy f 1 2\n", "line 6:" },
		{ HEAD "window 1\nat dsb_ish\n", "line 6:" },
		{ HEAD "window 1\nat dsb_ish f\n", "line 6:" },
		{ HEAD "window 1\nend now\n", "line 6:" },
		{ HEAD "\n", "line 5:" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct counts c;
		struct err err = { "" };

		cr_expect_eq(
			counts_parse(cases[i].text, &c, &err), -EBADMSG, "case %zu", i);
		cr_expect(strstr(err.text, cases[i].says), "case %zu: %s", i, err.text);
	}
}

/* A run of two samples of 10 pages, the first one warm-up. */
static struct record *make_record(int64_t first, int64_t second)
{
	struct record *r = record_new();
	struct run *run = record_add_run(r, "swap", 1, "page");
	struct metric *m;

	run->n_samples = 2;
	run->places = mem_zeroed(2, sizeof(*run->places));
	run->places[0].warmup = true;
	run->work = mem_zeroed(2, sizeof(*run->work));
	run->work[0] = run->work[1] = 10;
	m = run_add_metric(run, WINDOW_ID_METRIC, "id", "clock", BETTER_NONE, KIND_SAMPLE);
	m->values = mem_zeroed(2, sizeof(*m->values));
	m->values[0].integer = first;
	m->values[1].integer = second;
	fields_set_number(&run->params, "threads", 3);
	record_add_run(r, "skipped", 1, "page")->status = RUN_SKIPPED;
	return r;
}

static double value(const struct record *r, const char *name, size_t sample)
{
	const struct metric *m = run_find_metric(&r->runs[0], name);

	cr_assert(m && !m->unavailable, "%s", name);
	return record_value(&r->runs[0], m, sample);
}

Test(join, adds_metrics_by_the_numbers_of_windows)
{
	struct counts c = parse(HEAD "window 7\nkernel 100 20\nat dsb_ish f 5 1\n"
				     "at tlbi_va_is g 9 0\nend\n"
				     "window 5\nkernel 40 0\nend\nwindow 6\nend\n");
	struct record *r = make_record(5, 7);
	const struct metric *m;

	counts_join(&c, r);
	cr_assert_float_eq(value(r, "kernel_insns_per_page", 0), 4, 1e-9);
	cr_assert_float_eq(value(r, "kernel_insns_per_page", 1), 12, 1e-9);
	cr_assert_float_eq(value(r, "dsb_ish_per_page", 0), 0, 1e-9);
	cr_assert_float_eq(value(r, "dsb_ish_per_page", 1), 0.6, 1e-9);
	cr_assert_float_eq(value(r, "dsb_per_page", 1), 0.6, 1e-9);
	cr_assert_float_eq(value(r, "tlbi_per_page", 1), 0.9, 1e-9);
	cr_assert_float_eq(value(r, "tlbi_broadcast_per_page", 1), 0.9, 1e-9);
	/* Nothing of what the architecture does not have. */
	cr_assert_null(run_find_metric(&r->runs[0], "tlbi_local_per_page"));
	cr_assert_null(run_find_metric(&r->runs[0], "invlpg_per_page"));
	m = run_find_metric(&r->runs[0], "dsb_ish_per_page");
	cr_assert_str_eq(m->source, "QEMU plugin");
	cr_assert_str_eq(m->unit, "instructions/page");
	cr_assert_eq(m->by_cpu->values[2], 5);
	cr_assert_eq(m->by_cpu->values[3], 1);
	cr_assert_eq(r->runs[1].n_metrics, 0);
	record_free(r);
	counts_clear(&c);
}

/* As they are of the whole file, base and candidate of a boot have the same. */
Test(join, tells_apart_the_functions)
{
	struct counts c = parse(HEAD "window 7\nkernel 1 1\nat dsb_ish f 5 1\n"
				     "at tlbi_va_is g 9 0\nat dsb_ish f 90 0\n"
				     "at dsb_ish - 5 0\nend\n"
				     "window 5\nkernel 1 1\nat dsb_ish other 200 0\n"
				     "at dsb_ish rare 2 0\nend\nwindow 6\nend\n");
	struct record *r = make_record(6, 7);

	counts_join(&c, r);
	cr_assert_float_eq(value(r, "dsb_ish:f_per_page", 1), 9.6, 1e-9);
	cr_assert_float_eq(value(r, "dsb_ish:f_per_page", 0), 0, 1e-9);
	cr_assert_float_eq(value(r, "dsb_ish:other_per_page", 1), 0, 1e-9);
	cr_assert_float_eq(value(r, "tlbi:g_per_page", 1), 0.9, 1e-9);
	/* Below 1 % of all. */
	cr_assert_null(run_find_metric(&r->runs[0], "dsb_ish:rare_per_page"));
	cr_assert_float_eq(value(r, "dsb_ish:outside_kernel_per_page", 1), 0.5, 1e-9);
	cr_assert_null(run_find_metric(&r->runs[0], "tlbi_broadcast:g_per_page"));
	record_free(r);
	counts_clear(&c);
}

Test(join, a_window_that_was_not_counted_is_not_0)
{
	struct counts c = parse(two_windows);
	struct record *r = make_record(7, 8);
	const struct metric *m;

	counts_join(&c, r);
	m = run_find_metric(&r->runs[0], "tlbi_per_page");
	cr_assert_not_null(m);
	cr_assert_not_null(m->unavailable);
	cr_assert_null(m->values);
	record_free(r);
	counts_clear(&c);
}

Test(join, names_the_functions_with_most)
{
	struct counts c = parse(HEAD "window 7\nkernel 1 1\nat dsb_ish few 1 0\n"
				     "at dsb_ish many 4 0\nat dsb_ish many 0 4\n"
				     "at dsb_ish - 2 0\nend\n"
				     "window 5\nkernel 1 1\nat dsb_ish warm 90 0\nend\n");
	struct record *r = make_record(5, 7);
	char *text = counts_format_functions(&c, r);

	cr_expect_str_eq(text, "swap threads=3\n"
			       "instruction            page  function\n"
			       "dsb_ish              0.8000  many\n"
			       "dsb_ish              0.2000  (not in the kernel)\n"
			       "dsb_ish              0.1000  few\n\n");
	free(text);
	record_free(r);
	counts_clear(&c);
}
